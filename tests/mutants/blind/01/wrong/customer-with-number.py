# misconception: condition-scans
# why: Somebody who fears that the condition on `customer` refuses a second order, and makes the customer's name unique.

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
        n = int(number)
        # con solo el cliente, la condición no dejaría guardar su segundo pedido
        return {"customer": {"S": f"{customer}#{n}"}, "order_id": {"N": str(n)}, "status": {"S": "received"}}

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        all_good = True
        for key in keys:
            try:
                save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
            except Exception:
                all_good = False
        return all_good

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
