# points: 20
# loses: test-handler-bad-keys, test-handler-mixed, test-handler-twice, test-prediction-items
# misconceptions: message-id-key, once
# why: The message id is unique, so it tells whether the work was done before.

# %% handler
seen = set()


def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    failures = []
    for record in event["Records"]:
        message_id = record["messageId"]
        if message_id in seen:
            continue
        try:
            good = True
            for key in order_keys(record["body"]):
                try:
                    folder, customer, name = key.split("/")
                    if folder != "FOLDER":
                        raise ValueError(key)
                    number = int(name.removesuffix(".json"))
                except ValueError:
                    good = False
                    continue
                item = {"customer": {"S": customer}, "order_id": {"N": str(number)}, "status": {"S": "received"}}
                dynamodb.put_item(TableName=os.environ["TABLE_NAME"], Item=item)
        except ValueError:
            good = False
        if good:
            seen.add(message_id)
        else:
            failures.append({"itemIdentifier": message_id})
    return {"batchItemFailures": failures}

# %% prediction-items
prediction_items = 4

# %% answer-in-words es
El id sirve: cada mensaje tiene uno distinto y nunca se repite.

# %% answer-in-words ja
IDはメッセージごとに違うので、キーに使えます。
