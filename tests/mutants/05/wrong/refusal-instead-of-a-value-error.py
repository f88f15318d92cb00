# misconception: none
# why: In the lesson a contradiction went on as the refusal that it came as, and so it does here: no ValueError.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException as refused:
        if refused.response.get("Item") == item:
            return False
        raise
