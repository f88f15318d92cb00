# points: 19
# loses: test-handler-stores, test-handler-bad-keys, test-handler-mixed, test-handler-twice
# why: Inside the handler it writes to `table`, a name that happens to exist in the notebook.

# %% handler
def handler(event, context):
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
                save_once(dynamodb, table, item_of(key))
            except Exception:
                good = False
        return good

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
