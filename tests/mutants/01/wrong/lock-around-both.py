# misconception: check-then-write
# why: Somebody who knows threads: the lock holds in this process only, and another program has none.

# %% save-once
from threading import Lock

table_lock = Lock()


def save_once(dynamodb, table, item):
    key = {name: item[name] for name in ("customer", "order_id")}
    with table_lock:
        if "Item" in dynamodb.get_item(TableName=table, Key=key):
            return False
        dynamodb.put_item(TableName=table, Item=item)
    return True
