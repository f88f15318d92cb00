# misconception: partial-survives
# why: Somebody who wants both: the list of failures for Lambda and an exception for the log.

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

    answer = {"batchItemFailures": []}
    for record in event["Records"]:
        if not save_all(record["body"]):
            answer["batchItemFailures"].append({"itemIdentifier": record["messageId"]})
    if answer["batchItemFailures"]:
        # que también se vea en el log
        raise RuntimeError(answer)
    return answer
