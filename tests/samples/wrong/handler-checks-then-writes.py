# points: 25
# loses: test-handler-twice
# misconceptions: check-then-write
# why: In the handler it looks whether the order is there, and then writes it.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        folder, customer, name = key.split("/")
        if folder != "FOLDER":
            raise ValueError(key)
        return {"customer": {"S": customer}, "order_id": {"N": str(int(name[:-5]))}, "status": {"S": "received"}}

    def save(item):
        table = os.environ["TABLE_NAME"]
        key = {"customer": item["customer"], "order_id": item["order_id"]}
        if "Item" not in dynamodb.get_item(TableName=table, Key=key):
            dynamodb.put_item(TableName=table, Item=item)

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        good = True
        for key in keys:
            try:
                save(item_of(key))
            except Exception:
                good = False
        return good

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
