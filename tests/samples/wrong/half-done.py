# points: 10
# loses: test-work-batch-ids, test-work-batch-delete-after, test-work-batch-comes-back, test-work-batch-until-empty, test-handler-stores, test-handler-bad-keys, test-handler-mixed, test-handler-twice, test-prediction-again, test-prediction-items, test-prediction-key, test-prediction-deleted
# rest: blank
# why: Time was up after the second function.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(body)
    return [unquote_plus(record["s3"]["object"]["key"]) for record in message.get("Records", [])]

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
