# misconception: message-id-key
# why: Somebody who knows that a warm Lambda keeps its memory, and skips a message whose id it has met.

# %% handler
PROCESSED = set()


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
                save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
            except Exception:
                all_good = False
        return all_good

    failures = []
    for record in event["Records"]:
        if record["messageId"] in PROCESSED:
            continue  # este mensaje ya pasó por aquí
        PROCESSED.add(record["messageId"])
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
