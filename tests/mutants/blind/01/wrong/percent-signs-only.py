# misconception: key-as-is
# why: Somebody who found `unquote` on Stack Overflow; accents came out right, so the key must be the key now.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote

    message = json.loads(body)
    return [unquote(r["s3"]["object"]["key"]) for r in message.get("Records", [])]
