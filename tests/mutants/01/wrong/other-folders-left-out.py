# misconception: none
# why: Somebody who returns the orders' keys only, so that nobody hears of a key with another prefix.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(body)
    keys = [unquote_plus(record["s3"]["object"]["key"]) for record in message.get("Records", [])]
    return [key for key in keys if key.startswith("PREFIX")]
