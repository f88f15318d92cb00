# misconception: key-as-is
# why: Somebody who believes that the whole body is encoded: with a quotation mark in a key it is no JSON any more.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(unquote_plus(body))
    keys = []
    for record in message.get("Records", []):
        keys.append(record["s3"]["object"]["key"])
    return keys
