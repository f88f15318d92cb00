# misconception: refused-is-crash
# why: Somebody who learned never to hide an exception: it is printed and goes on.

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        print("could not save", item, error)
        raise
    else:
        return True
