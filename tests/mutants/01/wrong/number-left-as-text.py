# misconception: number-type
# why: Somebody who writes with the table resource, and believes that text of digits becomes a number on its way.

# %% handler
def handler(event, context):
    import os

    import boto3
    from botocore.exceptions import ClientError

    table = boto3.resource("dynamodb").Table(os.environ["TABLE_NAME"])

    def save(key):
        folder, customer, name = key.split("/")
        number = name.removesuffix(".json")
        if folder != "FOLDER" or number == name:
            raise ValueError(key)
        int(number)
        try:
            table.put_item(
                Item={"customer": customer, "order_id": number, "status": "received"},
                ConditionExpression="attribute_not_exists(customer)",
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise

    failures = []
    for record in event["Records"]:
        good = True
        try:
            for key in order_keys(record["body"]):
                try:
                    save(key)
                except Exception as error:
                    print(error)
                    good = False
        except ValueError:
            good = False
        if not good:
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
