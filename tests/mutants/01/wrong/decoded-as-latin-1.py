# misconception: key-as-is
# why: Somebody whose files with accents always needed latin-1.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(body)
    keys = []
    for record in message.get("Records", []):
        key = unquote_plus(record["s3"]["object"]["key"], encoding="latin-1")
        keys.append(key)
    return keys
