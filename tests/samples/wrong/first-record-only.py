# points: 21
# loses: test-order-keys-several, test-handler-stores, test-handler-mixed
# why: All examples in the lesson but one had a single record.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    records = json.loads(body).get("Records", [])
    if not records:
        return []
    return [unquote_plus(records[0]["s3"]["object"]["key"])]
