# misconception: once|put-inserts
# why: Somebody who sees no use for the guard here: each order arrives once, so it can be put straight away.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

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
                # 1件の注文は1回だけ届くので、そのまま保存します
                dynamodb.put_item(TableName=os.environ["TABLE_NAME"], Item=item_of(key))
            except Exception:
                all_good = False
        return all_good

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
