# misconception: test-event
# why: Somebody who thinks of an empty list, but never of a message without Records.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    records = json.loads(body)["Records"]
    if len(records) == 0:
        return []
    keys = []
    for record in records:
        keys.append(unquote_plus(record["s3"]["object"]["key"]))
    return keys
