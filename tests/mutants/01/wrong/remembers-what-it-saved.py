# misconception: check-then-write|put-inserts
# why: Somebody who believes that nobody else writes: what is not in the set is not in the table.

# %% save-once
saved_keys = set()


def save_once(dynamodb, table, item):
    key = (table, item["customer"]["S"], item["order_id"]["N"])
    if key in saved_keys:
        return False
    dynamodb.put_item(TableName=table, Item=item)
    saved_keys.add(key)
    return True
