# points: 27
# why: It tries a throttled write again, a few times, and lets the error out in the end.

# %% save-once
def save_once(dynamodb, table, item, tries=3):
    busy = {"ThrottlingException", "ProvisionedThroughputExceededException", "InternalServerError"}
    for attempt in range(1, tries + 1):
        try:
            dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
            return True
        except dynamodb.exceptions.ConditionalCheckFailedException:
            return False
        except dynamodb.exceptions.ClientError as error:
            if error.response["Error"]["Code"] not in busy or attempt == tries:
                raise

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        for last in (False, True):
            try:
                work(message["Body"])
            except Exception:
                if last:
                    left.append(message["MessageId"])
            else:
                sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
                done.append(message["MessageId"])
                break
    return done, left
