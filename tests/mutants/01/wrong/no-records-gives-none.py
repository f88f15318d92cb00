# misconception: test-event
# why: Somebody who steps out at the test event, and does not think of who walks through the answer.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(body)
    if message.get("Records") is None:
        print("nothing to do")
        return
    return [unquote_plus(r["s3"]["object"]["key"]) for r in message["Records"]]
