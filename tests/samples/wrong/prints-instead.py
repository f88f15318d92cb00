# points: 9
# loses: test-order-keys-several, test-order-keys-encoded, test-order-keys-no-records, test-save-once-repeat, test-save-once-keeps, test-save-once-second-order, test-save-once-other-errors, test-handler-stores, test-handler-bad-keys, test-handler-mixed, test-handler-twice
# why: What is printed can be seen, so it seems to be the answer.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    print([unquote_plus(record["s3"]["object"]["key"]) for record in json.loads(body).get("Records", [])])

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
        print(True)
    except dynamodb.exceptions.ConditionalCheckFailedException:
        print(False)
