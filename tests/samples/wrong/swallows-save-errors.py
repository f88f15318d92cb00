# points: 25
# loses: test-handler-mixed
# misconceptions: catch-all
# why: What DynamoDB says about a write was handled in save_once, so here it is let pass.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        folder, customer, name = key.split("/")
        if folder != "FOLDER":
            raise ValueError(key)
        return {"customer": {"S": customer}, "order_id": {"N": str(int(name[:-5]))}, "status": {"S": "received"}}

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        good = True
        for key in keys:
            try:
                item = item_of(key)
            except ValueError:
                good = False
                continue
            try:
                save_once(dynamodb, os.environ["TABLE_NAME"], item)
            except Exception as error:
                print("not saved:", error)
        return good

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
