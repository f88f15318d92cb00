# misconception: key-as-is
# why: Somebody from a bootcamp who tried it with plain names only and saw nothing to decode.

# %% order-keys
def order_keys(body):
    import json

    message = json.loads(body)
    keys = []
    if "Records" in message:
        for record in message["Records"]:
            # la clave viene aquí
            keys.append(record["s3"]["object"]["key"])
    return keys
