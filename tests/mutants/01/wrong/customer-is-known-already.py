# misconception: condition-scans
# why: Somebody who believes that "already saved" asks for the customer, and passes over one who has an order.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def is_known(item):
        found = dynamodb.query(
            TableName=os.environ["TABLE_NAME"],
            KeyConditionExpression="customer = :customer",
            ExpressionAttributeValues={":customer": item["customer"]},
            ConsistentRead=True,
        )
        return len(found["Items"]) > 0

    def item_of(key):
        prefix, customer, name = key.split("/")
        number, dot, ending = name.rpartition(".")
        if prefix != "FOLDER" or ending != "json":
            raise ValueError(key)
        return {"customer": {"S": customer}, "order_id": {"N": str(int(number))}, "status": {"S": "received"}}

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        all_good = True
        for key in keys:
            try:
                item = item_of(key)
                if not is_known(item):
                    save_once(dynamodb, os.environ["TABLE_NAME"], item)
            except Exception:
                all_good = False
        return all_good

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
