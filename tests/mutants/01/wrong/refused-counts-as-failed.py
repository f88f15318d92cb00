# misconception: refused-is-crash|event-once
# why: Somebody who writes with the condition here, and takes its refusal for an order that could not be saved.

# %% handler
from botocore.exceptions import ClientError


def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    failures = []
    for record in event["Records"]:
        errors = []
        try:
            keys = order_keys(record["body"])
        except ValueError as error:
            keys = []
            errors.append(error)
        for key in keys:
            try:
                folder, customer, name = key.split("/")
                if folder != "FOLDER" or not name.endswith(".json"):
                    raise ValueError("no order: " + key)
                number = int(name[:-5])
                dynamodb.put_item(
                    TableName=os.environ["TABLE_NAME"],
                    Item={
                        "customer": {"S": customer},
                        "order_id": {"N": str(number)},
                        "status": {"S": "received"},
                    },
                    ConditionExpression="attribute_not_exists(customer)",
                )
            except (ValueError, ClientError) as error:
                errors.append(error)
        if errors:
            print(errors)
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
