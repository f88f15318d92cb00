# why: Somebody tired at midnight, with short names, who did the three cells in one go.

# %% order-of
def order_of(body):
    j = json.loads(body)
    if type(j) is not dict:
        raise ValueError("j")
    i, q = j.get("id"), j.get("quantity")
    if type(i) is not str or i == "" or type(q) is not int or not 1 <= q <= 10:
        raise ValueError("i, q")
    return {"id": {"S": i}, "quantity": {"N": str(q)}, "total_cents": {"N": str(q * 250 + 100)}}


# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as e:
        if e.response.get("Item") != item:
            raise ValueError("no es igual")
        return False
    return True


# %% handler
def handler(event, context):
    d = boto3.client("dynamodb")
    for r in event["Records"]:
        print("EVENT", json.dumps(event))
        j = json.loads(r["body"])
        print("JOB", json.dumps(j))
        p = save_job(d, os.environ["TABLE_NAME"], order_of(r["body"]))
        print("RESULT", json.dumps({"id": j["id"], "processed": p, "duplicate": not p}))
