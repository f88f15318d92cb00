# misconception: catch-all
# why: Pasted from an answer on Stack Overflow, where every `ClientError` was taken for a duplicate.

# %% save-once
def save_once(dynamodb, table, item):
    from botocore.exceptions import ClientError

    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(customer) AND attribute_not_exists(order_id)",
        )
        return True
    except ClientError as e:
        print(e.response["Error"]["Message"])
        return False
