# misconception: catch-all
# why: Somebody who wraps the handler in one try, so that it never crashes: an error nobody thought of ends with an empty list.

# %% handler
def handler(event, context):
    import os

    import boto3

    try:
        dynamodb = boto3.client("dynamodb")
        failures = []
        for record in event["Records"]:
            good = True
            try:
                keys = order_keys(record["body"])
            except ValueError:
                keys, good = [], False
            for key in keys:
                try:
                    folder, customer, name = key.split("/")
                    if folder != "FOLDER" or not name.endswith(".json"):
                        raise ValueError(key)
                    number = str(int(name[:-5]))
                except ValueError:
                    good = False
                    continue
                item = {"customer": {"S": customer}, "order_id": {"N": number}, "status": {"S": "received"}}
                save_once(dynamodb, os.environ["TABLE_NAME"], item)
            if not good:
                failures.append({"itemIdentifier": record["messageId"]})
        return {"batchItemFailures": failures}
    except Exception as error:
        print("something went wrong:", error)
        return {"batchItemFailures": []}
