# misconception: key-as-is
# why: Somebody who knows unquote and turns the plus signs into spaces afterwards, also those that were in the name.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote

    message = json.loads(body)
    keys = [unquote(record["s3"]["object"]["key"]) for record in message.get("Records", [])]
    return [key.replace("+", " ") for key in keys]
