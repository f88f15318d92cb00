# misconception: key-as-is
# why: Somebody who noticed the plus signs, and took them for all that S3 changes.

# %% order-keys
def order_keys(body):
    import json

    message = json.loads(body)
    result = []
    for record in message.get("Records", []):
        key = record["s3"]["object"]["key"]
        result.append(key.replace("+", " "))
    return result
