# misconception: refused-is-crash
# why: Somebody who reads False from `save_once` as "it did not work".

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        prefix, customer, name = key.split("/")
        number, dot, ending = name.rpartition(".")
        if prefix + "/" != "PREFIX" or ending != "json":
            raise ValueError(key)
        return {"customer": {"S": customer}, "order_id": {"N": str(int(number))}, "status": {"S": "received"}}

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        results = []
        for key in keys:
            try:
                results.append(save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key)))
            except Exception:
                results.append(False)
        return all(results)

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
