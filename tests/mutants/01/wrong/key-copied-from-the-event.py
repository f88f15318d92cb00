# misconception: key-as-is
# why: Somebody who saw only plain keys takes the key over as it stands in the event.

# %% order-keys
def order_keys(body):
    import json

    keys = []
    message = json.loads(body)
    if "Records" in message:
        for record in message["Records"]:
            s3_part = record["s3"]
            keys.append(s3_part["object"]["key"])
    return keys
