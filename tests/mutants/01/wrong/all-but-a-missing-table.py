# misconception: catch-all
# why: Somebody whose test failed for the missing table lets that error out, and takes every other one for a refusal.

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except dynamodb.exceptions.ResourceNotFoundException:
        raise
    except Exception:
        return False
    return True
