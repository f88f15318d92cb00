# misconception: put-inserts
# why: A Java developer: the primary key makes the table refuse a second insert, and the error brings the old row.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ReturnValuesOnConditionCheckFailure="ALL_OLD")
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        if error.response.get("Item") == item:
            return False
        raise ValueError("otro pedido con el mismo id")
