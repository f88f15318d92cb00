# why: Short lines with the walrus, and a flag in place of else.

# %% save-once
def save_once(dynamodb, table, item):
    refused = False
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(order_id)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        refused = True
    return not refused

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    if not (messages := sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10).get("Messages")):
        return done, left
    while messages:
        failed = False
        message = messages.pop(0)
        try:
            work(message["Body"])
        except Exception:
            failed = True
        if not failed:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        (left if failed else done).append(message["MessageId"])
    return done, left
