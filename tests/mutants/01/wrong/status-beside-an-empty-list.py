# misconception: status-500
# why: Somebody who believes that the status in the answer brings the batch back, and leaves the list empty.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    answer = {"batchItemFailures": []}
    for record in event["Records"]:
        try:
            keys = order_keys(record["body"])
        except ValueError:
            answer["statusCode"] = 500
            continue
        for key in keys:
            try:
                folder, customer, name = key.split("/")
                number, ending = os.path.splitext(name)
                if folder != "FOLDER" or ending != ".json":
                    raise ValueError(key)
                item = {
                    "customer": {"S": customer},
                    "order_id": {"N": str(int(number))},
                    "status": {"S": "received"},
                }
                save_once(dynamodb, os.environ["TABLE_NAME"], item)
            except Exception as error:
                answer["statusCode"] = 500
                answer["error"] = repr(error)
    return answer
