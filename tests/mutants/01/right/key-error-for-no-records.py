# why: Asking forgiveness: a missing Records is a KeyError, and only that one is caught.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(body)
    try:
        records = message["Records"]
    except KeyError:
        return []
    keys = []
    for record in records:
        keys.append(unquote_plus(record["s3"]["object"]["key"]))
    return keys
