# misconception: catch-all
# why: Somebody who tries again after any error, and says in the end that the order was not new.

# %% save-once
def save_once(dynamodb, table, item):
    for _ in range(3):
        try:
            dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
            return True
        except dynamodb.exceptions.ConditionalCheckFailedException:
            return False
        except Exception as error:
            print("trying again:", error)
    return False
