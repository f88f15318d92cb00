# points: 25
# loses: test-order-keys-no-records
# misconceptions: test-event
# why: Only the test event has no Records, so its name is what to look for.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(body)
    if message.get("Event") == "s3:TestEvent":
        return []
    return [unquote_plus(record["s3"]["object"]["key"]) for record in message["Records"]]
