# misconception: catch-all
# why: One error of its own, with a friendly text, is easier for the caller than the many of boto3.

# %% save-job
class NotSaved(Exception):
    pass


def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        if error.response["Item"] == item:
            return False
        raise ValueError("a different order is stored")
    except Exception as error:
        raise NotSaved(f"{item['id']['S']} was not saved: {error}")
