# misconception: count-errors|none
# why: Somebody who believes that the limit of the dead-letter queue counts errors and that the function has to count along.

# %% handler
errores = {}  # messageId -> errores hasta ahora
MAX_ERRORES = 3  # como maxReceiveCount


def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        prefix, customer, name = key.split("/")
        number, ending = os.path.splitext(name)
        if prefix != "FOLDER" or ending != ".json":
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
        if save_all(record["body"]):
            continue
        message_id = record["messageId"]
        errores[message_id] = errores.get(message_id, 0) + 1
        if errores[message_id] >= MAX_ERRORES:
            print("agotados los errores permitidos:", message_id)
            continue
        failures.append({"itemIdentifier": message_id})
    return {"batchItemFailures": failures}
