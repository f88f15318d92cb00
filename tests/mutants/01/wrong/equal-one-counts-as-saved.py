# misconception: none
# why: Somebody who reads "was it saved" as "is it there now": a repeat answers True.

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(customer)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        return error.response.get("Item") == item
    return True
