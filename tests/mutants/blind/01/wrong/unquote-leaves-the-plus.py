# misconception: key-as-is
# why: Somebody who saw the %C3%AD in the event, searched for "python decode url" and took the first function that made it readable.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote

    message = json.loads(body)
    keys = []
    for record in message.get("Records", []):
        # los %xx son bytes en UTF-8
        keys.append(unquote(record["s3"]["object"]["key"], encoding="utf-8"))
    return keys
