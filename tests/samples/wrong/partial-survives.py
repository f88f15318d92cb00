# points: 21
# loses: test-handler-bad-keys, test-handler-mixed, test-handler-twice
# misconceptions: partial-survives
# why: The list says what to keep, and the exception at the end says that something went wrong.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    answer = {"batchItemFailures": []}
    for record in event["Records"]:
        good = True
        try:
            for key in order_keys(record["body"]):
                try:
                    folder, customer, name = key.split("/")
                    if folder != "FOLDER":
                        raise ValueError(key)
                    number = str(int(name[:-5]))
                    item = {"customer": {"S": customer}, "order_id": {"N": number}, "status": {"S": "received"}}
                    save_once(dynamodb, os.environ["TABLE_NAME"], item)
                except ValueError:
                    good = False
        except ValueError:
            good = False
        if not good:
            answer["batchItemFailures"].append({"itemIdentifier": record["messageId"]})
    if answer["batchItemFailures"]:
        raise RuntimeError(answer)
    return answer
