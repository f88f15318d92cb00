# points: 25
# loses: test-order-keys-several
# why: A set takes repeated keys out, and sorted makes a tidy list of it.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    return sorted({unquote_plus(record["s3"]["object"]["key"]) for record in json.loads(body).get("Records", [])})
