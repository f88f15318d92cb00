# line: except client.exceptions.ConditionalCheckFailedException
# does: Catches the client's own exception class, of another client than the test's too.
# course: avisos
# gets: all

# %% save-once
mine = boto3.client("dynamodb")


def save_once(client, item):
    condition = "attribute_not_exists(id)"
    try:
        mine.put_item(TableName=os.environ["TABLE_NAME"], Item=item, ConditionExpression=condition)
    except mine.exceptions.ConditionalCheckFailedException as error:
        try:
            client.put_item(TableName="avisos", Item=item, ConditionExpression=condition)
        except client.exceptions.ConditionalCheckFailedException as other:
            return error.response["Error"]["Code"] != other.response["Error"]["Code"]
    return True
