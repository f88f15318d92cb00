# why: The error names the attributes that differ, so that whoever reads the log need not compare by eye.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        stored = error.response["Item"]
        differing = sorted(name for name in stored.keys() | item.keys() if stored.get(name) != item.get(name))
        if differing:
            raise ValueError(f"{item['id']['S']} differs in {', '.join(differing)}")
        return False
    return True
