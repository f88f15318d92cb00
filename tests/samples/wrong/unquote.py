# points: 23
# loses: test-order-keys-encoded, test-handler-stores, test-prediction-key
# misconceptions: key-as-is
# why: unquote sounds like the function for a URL; that S3 writes a space as + went unnoticed.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote

    message = json.loads(body)
    return [unquote(record["s3"]["object"]["key"]) for record in message.get("Records", [])]

# %% prediction-key es
prediction_key = "pedidos/lucia%20ruiz/3.json"

# %% prediction-key ja
prediction_key = "orders/sato%20taro/3.json"
