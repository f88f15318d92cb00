# why: A dictionary collects the errors of each message, and its keys are the answer.

# %% handler
def handler(event, context):
    import os
    from collections import defaultdict

    import boto3

    dynamodb = boto3.client("dynamodb")
    errors = defaultdict(list)
    for record in event["Records"]:
        message_id = record["messageId"]
        try:
            keys = order_keys(record["body"])
        except ValueError as error:
            errors[message_id].append(error)
            continue
        for key in keys:
            try:
                folder, customer, name = key.split("/")
                stem, ending = os.path.splitext(name)
                if (folder, ending) != ("FOLDER", ".json"):
                    raise ValueError(key)
                order = dict(customer={"S": customer}, order_id={"N": str(int(stem))}, status={"S": "received"})
                save_once(dynamodb, os.getenv("TABLE_NAME"), order)
            except Exception as error:
                errors[message_id].append(error)
    for message_id, found in errors.items():
        print(message_id, *map(repr, found))
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in errors]}
