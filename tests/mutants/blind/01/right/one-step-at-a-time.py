# why: A beginner from a bootcamp, with a line for each step.

# %% order-keys
def order_keys(body):
    import json
    import urllib.parse

    message = json.loads(body)
    keys = []
    # el evento de prueba no trae Records
    if "Records" not in message:
        return keys
    for record in message["Records"]:
        encoded = record["s3"]["object"]["key"]
        decoded = urllib.parse.unquote_plus(encoded)
        keys.append(decoded)
    return keys
