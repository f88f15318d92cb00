# misconception: message-id-key
# why: Somebody who marks each message id in the table and skips what is marked, so each order seems to be saved once.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def is_new(message_id):
        marker = {"customer": {"S": "message " + message_id}, "order_id": {"N": "0"}}
        return save_once(dynamodb, os.environ["TABLE_NAME"], marker)

    def item_of(key):
        prefix, customer, name = key.split("/")
        if prefix != "FOLDER" or not name.endswith(".json"):
            raise ValueError(key)
        return {"customer": {"S": customer}, "order_id": {"N": str(int(name[:-5]))}, "status": {"S": "received"}}

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        good = True
        for key in keys:
            try:
                dynamodb.put_item(TableName=os.environ["TABLE_NAME"], Item=item_of(key))
            except Exception:
                good = False
        return good

    failures = []
    for record in event["Records"]:
        if not is_new(record["messageId"]) or save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
