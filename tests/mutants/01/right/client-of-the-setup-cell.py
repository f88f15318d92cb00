# why: The clients of the set-up cell serve here too, and each failed message is logged as one JSON line.

# %% handler
def item_of(key):
    prefix, customer, name = key.split("/")
    if prefix + "/" != "PREFIX" or not name.endswith(".json"):
        raise ValueError(key)
    return {"customer": {"S": customer}, "order_id": {"N": str(int(name[: -len(".json")]))}, "status": {"S": "received"}}


def problems_of(record, table):
    try:
        keys = order_keys(record["body"])
    except ValueError as error:
        return [str(error)]
    problems = []
    for key in keys:
        try:
            save_once(dynamodb, table, item_of(key))
        except Exception as error:
            problems.append(f"{key}: {error}")
    return problems


def handler(event, context):
    failures = []
    for record in event["Records"]:
        problems = problems_of(record, os.environ["TABLE_NAME"])
        if problems:
            print(json.dumps({"message": record["messageId"], "problems": problems}, ensure_ascii=False))
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
