# misconception: put-inserts|once
# why: Somebody who found batch_writer, and believes that an item which is there stays as it is.

# %% handler
def handler(event, context):
    import os

    import boto3

    table = boto3.resource("dynamodb").Table(os.environ["TABLE_NAME"])
    failures = []
    with table.batch_writer(overwrite_by_pkeys=["customer", "order_id"]) as batch:
        for record in event["Records"]:
            ok = True
            try:
                keys = order_keys(record["body"])
            except ValueError:
                keys = []
                ok = False
            for key in keys:
                try:
                    folder, customer, name = key.split("/")
                    if folder != "FOLDER" or not name.endswith(".json"):
                        raise ValueError(key)
                    number = int(name[:-5])
                except ValueError:
                    ok = False
                    continue
                batch.put_item(Item={"customer": customer, "order_id": number, "status": "received"})
            if not ok:
                failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
