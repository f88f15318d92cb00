# misconception: key-as-is
# why: Somebody who believes that an encoded key can be told by its percent sign.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(body)
    keys = []
    for record in message.get("Records", []):
        key = record["s3"]["object"]["key"]
        if "%" in key:
            key = unquote_plus(key)
        keys.append(key)
    return keys
