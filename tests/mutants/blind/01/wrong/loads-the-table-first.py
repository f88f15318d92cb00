# misconception: check-then-write
# why: A data scientist who loads what is there into a set and appends the row if it is missing.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    table = os.environ["TABLE_NAME"]

    def item_of(key):
        prefix, customer, name = key.split("/")
        number, dot, ending = name.rpartition(".")
        if prefix != "FOLDER" or ending != "json":
            raise ValueError(key)
        return {"customer": {"S": customer}, "order_id": {"N": str(int(number))}, "status": {"S": "received"}}

    def known():
        # todo lo que ya está en la tabla, también si hay más de una página
        pages = dynamodb.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
        return {(row["customer"]["S"], row["order_id"]["N"]) for page in pages for row in page["Items"]}

    failures = []
    for record in event["Records"]:
        bad = False
        try:
            keys = order_keys(record["body"])
        except ValueError:
            keys, bad = [], True
        for key in keys:
            try:
                item = item_of(key)
                if (item["customer"]["S"], item["order_id"]["N"]) not in known():
                    dynamodb.put_item(TableName=table, Item=item)
            except Exception:
                bad = True
        if bad:
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
