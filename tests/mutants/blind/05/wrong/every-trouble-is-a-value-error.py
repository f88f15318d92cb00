# misconception: catch-all
# why: A Java developer who maps the driver's exceptions to one of the domain, throttling included.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
        return True
    except Exception as cause:
        stored = getattr(cause, "response", {}).get("Item")
        if stored == item:
            return False
        raise ValueError("could not store " + item["id"]["S"]) from cause
