# misconception: refused-is-crash|none
# why: A senior who thinks that a refusal is only harmless if the very same item is stored, and otherwise an error worth an exception.

# %% save-once
class OrderConflict(Exception):
    """The key is taken by an item with other contents."""


def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(customer)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as refused:
        if refused.response.get("Item") != item:
            raise OrderConflict(item["order_id"]["N"]) from refused
        return False
    return True
