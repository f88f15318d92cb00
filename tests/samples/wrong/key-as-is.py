# points: 23
# loses: test-order-keys-encoded, test-handler-stores, test-prediction-key
# misconceptions: key-as-is
# why: The key looked like a key in every example that was printed.

# %% order-keys
def order_keys(body):
    import json

    message = json.loads(body)
    return [record["s3"]["object"]["key"] for record in message.get("Records", [])]

# %% prediction-key
prediction_key = "SPACED_KEY"
