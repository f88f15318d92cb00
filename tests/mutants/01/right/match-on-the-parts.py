# why: A match statement shows the shape of a key.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        match key.split("/"):
            case ["FOLDER", customer, name] if name.endswith(".json"):
                number = int(name.removesuffix(".json"))
            case _:
                raise ValueError(f"no order: {key}")
        return {"customer": {"S": customer}, "order_id": {"N": str(number)}, "status": {"S": "received"}}

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        good = True
        for key in keys:
            try:
                save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
            except Exception as error:
                print("not saved:", key, repr(error))
                good = False
        return good

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
