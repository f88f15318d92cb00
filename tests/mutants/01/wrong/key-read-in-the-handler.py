# misconception: key-as-is
# why: Somebody who reads the body here once more instead of calling order_keys, and takes the key as it stands.

# %% handler
def handler(event, context):
    import json
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    bad = []
    for record in event["Records"]:
        fine = True
        try:
            announced = json.loads(record["body"]).get("Records", [])
        except ValueError:
            announced, fine = [], False
        for one in announced:
            parts = one["s3"]["object"]["key"].split("/")
            try:
                if len(parts) != 3 or parts[0] != "FOLDER" or not parts[2].endswith(".json"):
                    raise ValueError(parts)
                number = int(parts[2][:-5])
                item = {
                    "customer": {"S": parts[1]},
                    "order_id": {"N": str(number)},
                    "status": {"S": "received"},
                }
                save_once(dynamodb, os.environ["TABLE_NAME"], item)
            except Exception:
                fine = False
        if not fine:
            bad.append(record["messageId"])
    return {"batchItemFailures": [{"itemIdentifier": i} for i in bad]}
