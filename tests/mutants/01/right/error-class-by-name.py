# why: The name of the exception's class says what happened.

# %% save-once
def save_once(dynamodb, table, item):
    condition = {"ConditionExpression": "attribute_not_exists(customer)"}
    try:
        dynamodb.put_item(TableName=table, Item=item, **condition)
    except Exception as error:
        if type(error).__name__ == "ConditionalCheckFailedException":
            return False
        raise
    return True

# %% work-batch
def work_batch(sqs, queue_url, work):
    outcome = {}
    response = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10, AttributeNames=["All"])
    for message in response.get("Messages", []):
        message_id = message["MessageId"]
        try:
            work(message["Body"])
        except Exception as error:
            times = message["Attributes"]["ApproximateReceiveCount"]
            print(f"{message_id}: {error!r}, received {times} times")
            outcome[message_id] = None
        else:
            outcome[message_id] = True
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
    done = [message_id for message_id, good in outcome.items() if good]
    return done, [message_id for message_id in outcome if message_id not in done]
