# misconception: check-then-write
# why: A functional programmer: a table of what to do with what was found, and the finding comes first.

# %% save-job
def save_job(dynamodb, table, item):
    found = dynamodb.query(
        TableName=table,
        KeyConditionExpression="id = :id",
        ExpressionAttributeValues={":id": item["id"]},
        ConsistentRead=True,
    )["Items"]

    def fresh():
        dynamodb.put_item(TableName=table, Item=item)
        return True

    def known():
        return False

    def contradiction():
        raise ValueError(item["id"]["S"])

    return (fresh if not found else known if found == [item] else contradiction)()
