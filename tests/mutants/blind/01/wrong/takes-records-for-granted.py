# misconception: test-event
# why: A data scientist who looked at one message, and it had `Records`.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    records = json.loads(body)["Records"]
    return list(map(lambda r: unquote_plus(r["s3"]["object"]["key"]), records))
