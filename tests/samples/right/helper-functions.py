# points: 27
# why: It cuts the work into small functions of its own, in cells of its own, and tries them out there.

# %% own-keys
import json
from urllib.parse import unquote_plus


def key_of(record):
    return unquote_plus(record["s3"]["object"]["key"])


print(key_of(json.loads(shop.body("FIRST_KEY"))["Records"][0]))

# %% order-keys
def order_keys(body):
    return [key_of(record) for record in json.loads(body).get("Records", ())]

# %% own-tries
mine = shop.new_queue(shop.body("FIRST_KEY"), shop.body("SECOND_KEY"), "BROKEN")
s3.put_object(Bucket=shop.bucket, Key="REPAIRED_KEY", Body=b"{}")
dynamodb.put_item(TableName=shop.table, Item=shop.item("CUSTOMER", 3, status="shipped"))
cloud.clock.advance(3600)
table = queue_url = keys = answer = None

# %% work-batch
def try_to_work(work, message):
    try:
        work(message["Body"])
        return True
    except Exception:
        return False


def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        if not try_to_work(work, message):
            left.append(message["MessageId"])
            continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left

# %% own-batch
print(work_batch(sqs, mine, json.loads))

# %% handler
import os


def item_of(key):
    folder, customer, name = key.split("/")
    assert folder == "FOLDER", key
    number, ending = os.path.splitext(name)
    assert ending == ".json", key
    return {"customer": {"S": customer}, "order_id": {"N": f"{int(number)}"}, "status": {"S": "received"}}


def save_key(key):
    try:
        save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
        return True
    except Exception as error:
        print(key, error)
        return False


def save_all(body):
    try:
        return all([save_key(key) for key in order_keys(body)])
    except ValueError:
        return False


def handler(event, context):
    return {
        "batchItemFailures": [
            {"itemIdentifier": record["messageId"]} for record in event["Records"] if not save_all(record["body"])
        ]
    }
