# points: 27
# why: The handler is one piece, without the other functions: it counts what failed for each message.

# %% handler
def handler(event, context):
    import json
    import os
    from collections import Counter
    from urllib.parse import unquote_plus

    import boto3
    from botocore.exceptions import ClientError

    client = boto3.client("dynamodb")
    failed = Counter()
    for message in event["Records"]:
        message_id = message["messageId"]
        try:
            records = json.loads(message["body"]).get("Records") or []
        except json.JSONDecodeError:
            failed[message_id] += 1
            continue
        for record in records:
            key = unquote_plus(record["s3"]["object"]["key"], encoding="utf-8")
            try:
                folder, customer, name = key.split("/")
                number = int(name.removesuffix(".json"))
                if folder != "FOLDER" or not name.endswith(".json"):
                    raise ValueError(key)
                client.put_item(
                    TableName=os.environ.get("TABLE_NAME"),
                    Item={"customer": {"S": customer}, "order_id": {"N": str(number)}, "status": {"S": "received"}},
                    ConditionExpression="attribute_not_exists(customer) AND attribute_not_exists(order_id)",
                )
            except ValueError:
                failed[message_id] += 1
            except ClientError as error:
                if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                    failed[message_id] += 1
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in failed]}
