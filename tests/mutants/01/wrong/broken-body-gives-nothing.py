# misconception: none
# why: Somebody who wants no red text: a body that cannot be read announces nothing, so the message is taken for done.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    try:
        message = json.loads(body)
    except Exception:
        message = {}
    return [unquote_plus(record["s3"]["object"]["key"]) for record in message.get("Records", [])]
