# points: 21
# loses: test-order-keys-no-records, test-handler-stores, test-handler-twice
# misconceptions: test-event
# why: Every message that S3 sends has Records.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    return [unquote_plus(record["s3"]["object"]["key"]) for record in json.loads(body)["Records"]]
