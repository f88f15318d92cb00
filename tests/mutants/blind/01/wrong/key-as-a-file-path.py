# misconception: none
# why: Somebody who reads a key as a file path: pathlib swallows an empty part, so four parts look like three.

# %% handler
def handler(event, context):
    import os
    from pathlib import PurePosixPath

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        path = PurePosixPath(key)
        folder, customer, _ = path.parts
        if folder != "FOLDER" or path.suffix != ".json":
            raise ValueError(key)
        return {"customer": {"S": customer}, "order_id": {"N": str(int(path.stem))}, "status": {"S": "received"}}

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        all_good = True
        for key in keys:
            try:
                save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
            except Exception:
                all_good = False
        return all_good

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
