# why: A context manager of its own turns the refusal into a ValueError unless what is stored is equal.

# %% save-job
from contextlib import contextmanager


@contextmanager
def equal_is_fine(dynamodb, item):
    try:
        yield
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        if error.response["Item"] != item:
            raise ValueError("different item") from error


def save_job(dynamodb, table, item):
    with equal_is_fine(dynamodb, item):
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
        return True
    return False
