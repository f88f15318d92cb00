# misconception: none
# why: Somebody who believes that strip takes off an ending: it takes off letters, so n3.json passes as order 3.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        folder, customer, name = key.split("/")
        if folder != "FOLDER" or not name.endswith(".json"):
            raise ValueError(key)
        number = int(name.strip(".json"))
        return {"customer": {"S": customer}, "order_id": {"N": str(number)}, "status": {"S": "received"}}

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        result = True
        for key in keys:
            try:
                save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
            except Exception:
                result = False
        return result

    failures = []
    for record in event["Records"]:
        if not save_all(record["body"]):
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
