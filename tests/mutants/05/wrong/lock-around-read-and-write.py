# misconception: check-then-write|sole-consumer
# why: A lock lets nobody in between the question and the write: nobody of the same process, that is.

# %% save-job
import threading

lock = threading.Lock()


def save_job(dynamodb, table, item):
    with lock:
        stored = dynamodb.get_item(TableName=table, Key={"id": item["id"]}, ConsistentRead=True).get("Item")
        if not stored:
            dynamodb.put_item(TableName=table, Item=item)
            return True
    if stored == item:
        return False
    raise ValueError("different")
