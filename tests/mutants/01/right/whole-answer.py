# why: All four functions by one hand: plain loops, a flag for each message, and prints to see what goes on.

# %% order-keys
import json
from urllib.parse import unquote_plus


def order_keys(body):
    data = json.loads(body)
    if "Records" not in data:
        print("nothing announced")
        return []
    result = []
    for r in data["Records"]:
        result += [unquote_plus(r["s3"]["object"]["key"])]
    return result

# %% save-once
def save_once(dynamodb, table, item):
    try:
        answer = dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(#c)",
            ExpressionAttributeNames={"#c": "customer"},
        )
        print("saved", answer["ResponseMetadata"]["HTTPStatusCode"])
        is_new = True
    except dynamodb.exceptions.ConditionalCheckFailedException:
        print("was there")
        is_new = False
    return is_new

# %% work-batch
def work_batch(sqs, queue_url, work):
    done = []
    left = []
    response = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    if "Messages" in response:
        for m in response["Messages"]:
            finished = False
            try:
                work(m["Body"])
                finished = True
            except Exception as e:
                print("error:", e)
            if finished:
                sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=m["ReceiptHandle"])
                done += [m["MessageId"]]
            else:
                left += [m["MessageId"]]
    return done, left

# %% handler
import os

import boto3


def handler(event, context):
    db = boto3.client("dynamodb")
    answer = {"batchItemFailures": []}
    for r in event["Records"]:
        failed = False
        keys = []
        try:
            keys = order_keys(r["body"])
        except ValueError:
            failed = True
        for key in keys:
            try:
                a, b, c = key.split("/")
                if a != "FOLDER":
                    raise ValueError("prefix")
                if not c.endswith(".json"):
                    raise ValueError("ending")
                n = int(c[:-5])
                save_once(
                    db,
                    os.environ["TABLE_NAME"],
                    {"customer": {"S": b}, "order_id": {"N": str(n)}, "status": {"S": "received"}},
                )
            except Exception as e:
                print(key, "failed:", repr(e))
                failed = True
        if failed:
            answer["batchItemFailures"].append({"itemIdentifier": r["messageId"]})
    return answer
