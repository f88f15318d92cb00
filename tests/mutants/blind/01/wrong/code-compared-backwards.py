# misconception: catch-all
# why: A functional programmer who folded every outcome into one expression: whatever is not a refusal counts as saved.

# %% save-once
def save_once(dynamodb, table, item):
    from botocore.exceptions import ClientError

    def outcome():
        try:
            dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(order_id)")
        except ClientError as error:
            return error.response["Error"]["Code"]

    return outcome() != "ConditionalCheckFailedException"
