# misconception: check-then-write
# why: A beginner who found his own way in the handler: look with get_item, then put what is not there.

# %% handler
def handler(event, context):
    import json
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    table = os.environ["TABLE_NAME"]
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        answer = dynamodb.get_item(TableName=table, Key={"id": item["id"]}, ConsistentRead=True)
        if "Item" not in answer:
            dynamodb.put_item(TableName=table, Item=item)
            duplicate = False
        elif answer["Item"] == item:
            duplicate = True
        else:
            raise ValueError("hay otro pedido con ese id")
        print("RESULT", json.dumps({"id": job["id"], "processed": not duplicate, "duplicate": duplicate}))
