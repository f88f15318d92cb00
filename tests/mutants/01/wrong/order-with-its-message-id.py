# misconception: message-id-key
# why: Somebody who keeps orders apart by the message that brought them: another message is another order.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key, message_id):
        prefix, customer, name = key.split("/")
        number, dot, ending = name.rpartition(".")
        if prefix + "/" != "PREFIX" or ending != "json":
            raise ValueError(key)
        return {
            "customer": {"S": customer + "#" + message_id},
            "order_id": {"N": str(int(number))},
            "status": {"S": "received"},
        }

    def save_all(record):
        try:
            keys = order_keys(record["body"])
        except ValueError:
            return False
        all_good = True
        for key in keys:
            try:
                save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key, record["messageId"]))
            except Exception:
                all_good = False
        return all_good

    failures = []
    for record in event["Records"]:
        if save_all(record):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
