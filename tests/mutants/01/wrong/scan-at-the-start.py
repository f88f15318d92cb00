# misconception: check-then-write
# why: Somebody who reads the table once, and writes what was not in it at that moment.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    table = os.environ["TABLE_NAME"]
    stored = {(i["customer"]["S"], i["order_id"]["N"]) for i in dynamodb.scan(TableName=table)["Items"]}

    def save(key):
        folder, customer, name = key.split("/")
        if folder != "FOLDER" or not name.endswith(".json"):
            raise ValueError(key)
        number = str(int(name.removesuffix(".json")))
        if (customer, number) not in stored:
            item = {"customer": {"S": customer}, "order_id": {"N": number}, "status": {"S": "received"}}
            dynamodb.put_item(TableName=table, Item=item)
            stored.add((customer, number))

    failures = []
    for record in event["Records"]:
        good = True
        try:
            keys = order_keys(record["body"])
        except ValueError:
            keys, good = [], False
        for key in keys:
            try:
                save(key)
            except Exception:
                good = False
        if not good:
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
