# misconception: test-event|none
# why: Somebody who treats the test event as one special name and holds that every other message has Records.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(body)
    # S3 manda este mensaje una vez, al configurar la notificación
    if message.get("Event") == "s3:TestEvent":
        return []

    result = []
    for record in message["Records"]:
        key = record["s3"]["object"]["key"]
        result.append(unquote_plus(key))
    return result
