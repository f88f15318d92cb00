# misconception: partial-survives|only-bad-returns
# why: Somebody who thinks that an exception sends back the one broken message, and that the others keep their fate.

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
        # Si no es JSON, order_keys ya lanza ValueError y el mensaje falla solo.
        all_good = True
        for key in order_keys(body):
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
