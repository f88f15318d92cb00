# points: 24
# loses: test-order-keys-encoded, test-handler-stores
# misconceptions: key-as-is
# why: Decoding once more cannot hurt, it seems, and it helped while trying.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(unquote_plus(body))
    return [unquote_plus(record["s3"]["object"]["key"]) for record in message.get("Records", [])]
