# why: Somebody who compares by hand: the same names, and under each name the same typed value.

# %% save-job
def save_job(dynamodb, table, item):
    def equal(one, other):
        if set(one) != set(other):
            return False
        for name in one:
            if one[name] != other[name]:
                return False
        return True

    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException as refused:
        if equal(item, refused.response.get("Item", {})):
            return False
        raise ValueError("mismo id, otro pedido")
