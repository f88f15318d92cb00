# misconception: catch-all
# why: Somebody who overengineers: three attempts, and then a polite False in place of the error.

# %% save-once
def save_once(dynamodb, table, item):
    attempts = 3
    while attempts > 0:
        try:
            dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
            return True
        except dynamodb.exceptions.ConditionalCheckFailedException:
            return False
        except Exception as problem:
            print("reintento:", problem)
            attempts -= 1
    return False
