# misconception: refused-is-crash|none
# why: The item is expected in every refusal; without ALL_OLD it is not in it, and each repetition fails.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(id)")
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        if error.response.get("Item") == item:
            return False
        raise ValueError("a different item is stored under this id")
