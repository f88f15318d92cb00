# misconception: none
# why: Midnight; the `return` slipped into the loop.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(body)
    keys = []
    for record in message.get("Records", []):
        keys.append(unquote_plus(record["s3"]["object"]["key"]))
        return keys
    return keys
