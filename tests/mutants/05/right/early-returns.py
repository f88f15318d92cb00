# why: Each case has its own return, and what is left at the end is the mistake.

# %% order-of
def order_of(body):
    job = json.loads(body)
    if isinstance(job, dict):
        key, quantity = job.get("id"), job.get("quantity")
        if isinstance(key, str) and key and type(quantity) is int and 0 < quantity <= 10:
            total = 250 * quantity + 100
            return {"id": {"S": key}, "quantity": {"N": f"{quantity}"}, "total_cents": {"N": f"{total}"}}
    raise ValueError("This is no job: " + body)

# %% save-job
def save_job(dynamodb, table, item):
    refused = dynamodb.exceptions.ConditionalCheckFailedException
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="NOT attribute_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except refused as error:
        old = error.response["Item"]
    else:
        return True
    if old != item:
        raise ValueError(old)
    return False
