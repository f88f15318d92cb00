# points: 27
# why: Many AWS examples catch ClientError and look at its code.

# %% save-once
from botocore.exceptions import ClientError


def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except ClientError as error:
        if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
            return False
        raise
    return True

# %% work-batch
def work_batch(sqs, queue_url, work):
    result = {True: [], False: []}
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        worked = True
        try:
            work(message["Body"])
        except Exception as error:
            print("left:", repr(error))
            worked = False
        if worked:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        result[worked].append(message["MessageId"])
    return result[True], result[False]
