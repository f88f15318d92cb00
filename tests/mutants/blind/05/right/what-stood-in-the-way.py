# why: A functional programmer: one small function says what stood in the way of the write, another decides.

# %% save-job
def save_job(dynamodb, table, item):
    def in_the_way():
        try:
            dynamodb.put_item(
                TableName=table,
                Item=item,
                ConditionExpression="attribute_not_exists(id)",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except dynamodb.exceptions.ConditionalCheckFailedException as refused:
            return [refused.response["Item"]]
        return []

    obstacle = in_the_way()
    if obstacle and obstacle != [item]:
        raise ValueError(item["id"]["S"])
    return not obstacle
