# misconception: message-id-key
# why: An id that is new each time can never collide: the sender's id becomes a field of the order.

# %% save-job
import uuid


def save_job(dynamodb, table, item):
    unique = {**item, "id": {"S": str(uuid.uuid4())}, "order": item["id"]}
    try:
        dynamodb.put_item(
            TableName=table,
            Item=unique,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        if error.response["Item"] != unique:
            raise ValueError("different")
        return False
    return True
