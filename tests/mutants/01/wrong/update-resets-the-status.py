# misconception: once|put-inserts
# why: Somebody who sees each order for the first time, so setting its status to received harms nothing.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def save(key):
        folder, customer, name = key.split("/")
        stem, dot, ending = name.partition(".")
        if folder != "FOLDER" or ending != "json":
            raise ValueError(key)
        dynamodb.update_item(
            TableName=os.environ["TABLE_NAME"],
            Key={"customer": {"S": customer}, "order_id": {"N": str(int(stem))}},
            UpdateExpression="SET #status = :received",
            ExpressionAttributeNames={"#status": "status"},
            ExpressionAttributeValues={":received": {"S": "received"}},
        )

    failed = []
    for record in event["Records"]:
        message_id = record["messageId"]
        try:
            keys = order_keys(record["body"])
        except ValueError:
            failed.append(message_id)
            continue
        for key in keys:
            try:
                save(key)
            except Exception as error:
                print(key, repr(error))
                if message_id not in failed:
                    failed.append(message_id)
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in failed]}
