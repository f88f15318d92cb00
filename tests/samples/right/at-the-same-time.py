# points: 27
# why: The messages of a batch do not need each other, so a few threads share them.

# %% handler
def handler(event, context):
    import os
    from concurrent.futures import ThreadPoolExecutor

    import boto3

    dynamodb = boto3.client("dynamodb")

    def save(key):
        start, customer, name = key.split("/")
        if start != "FOLDER" or not name.endswith(".json"):
            raise ValueError(key)
        item = {"customer": {"S": customer}, "order_id": {"N": str(int(name[:-5]))}, "status": {"S": "received"}}
        save_once(dynamodb, os.environ["TABLE_NAME"], item)

    def works(record):
        errors = []
        try:
            for key in order_keys(record["body"]):
                try:
                    save(key)
                except Exception as error:
                    errors.append(error)
        except ValueError as error:
            errors.append(error)
        return not errors

    with ThreadPoolExecutor(max_workers=4) as pool:
        good = list(pool.map(works, event["Records"]))
    kept = [record for record, fine in zip(event["Records"], good) if not fine]
    return {"batchItemFailures": [{"itemIdentifier": record["messageId"]} for record in kept]}
