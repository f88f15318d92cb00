# misconception: test-event
# why: A Java developer who validates the input: whatever has no `Records` cannot come from S3.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(body)
    if not isinstance(message.get("Records"), list):
        raise ValueError("Not an S3 event: " + body)
    result = []
    for record in message["Records"]:
        result.append(unquote_plus(record["s3"]["object"]["key"]))
    return result
