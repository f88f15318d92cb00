# misconception: partial-survives|only-bad-returns
# why: Somebody who enters the message in the list, and lets the error go on so that it shows in the log.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    failures = []
    answer = {"batchItemFailures": failures}

    def save(key):
        folder, customer, name = key.split("/")
        if folder != "FOLDER" or not name.endswith(".json"):
            raise ValueError(key)
        item = {"customer": {"S": customer}, "order_id": {"N": str(int(name[:-5]))}, "status": {"S": "received"}}
        save_once(dynamodb, os.environ["TABLE_NAME"], item)

    last_error = None
    for record in event["Records"]:
        error_here = None
        try:
            for key in order_keys(record["body"]):
                try:
                    save(key)
                except Exception as error:
                    error_here = error
        except ValueError as error:
            error_here = error
        if error_here is not None:
            failures.append({"itemIdentifier": record["messageId"]})
            last_error = error_here
    if last_error is None:
        return answer
    try:
        raise last_error
    finally:
        print("stays in the queue:", answer)
