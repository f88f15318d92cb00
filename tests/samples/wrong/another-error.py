# points: 26
# loses: test-save-once-other-errors
# misconceptions: catch-all
# why: An error message of its own reads better than boto3's.

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    except Exception as error:
        raise RuntimeError(f"could not save: {error}")
    return True
