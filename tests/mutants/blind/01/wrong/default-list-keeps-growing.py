# misconception: none
# why: Somebody who put the result list among the parameters to save a line, and did not know that a default is made once.

# %% order-keys
def order_keys(body, keys=[]):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(body)
    if "Records" in message:
        for record in message["Records"]:
            keys.append(unquote_plus(record["s3"]["object"]["key"]))
    return keys
