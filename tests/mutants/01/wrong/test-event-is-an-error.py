# misconception: test-event
# why: Somebody who believes that a message which announces no order must be refused.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(body)
    if "Records" not in message:
        raise ValueError(f"this is no S3 event: {body}")
    return [unquote_plus(record["s3"]["object"]["key"]) for record in message["Records"]]
