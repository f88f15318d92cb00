# why: Errors with names of their own say what was wrong; each is a ValueError.

# %% order-of
class BadJob(ValueError):
    pass


def order_of(body):
    try:
        job = json.loads(body)
    except json.JSONDecodeError as error:
        raise BadJob("the body is no JSON") from error
    if not isinstance(job, dict):
        raise BadJob("the job is no object")
    problems = []
    if not (isinstance(job.get("id"), str) and job["id"]):
        problems.append("id")
    if not (type(job.get("quantity")) is int and 1 <= job["quantity"] <= 10):
        problems.append("quantity")
    if problems:
        raise BadJob(", ".join(problems))
    return {
        "id": {"S": job["id"]},
        "quantity": {"N": str(job["quantity"])},
        "total_cents": {"N": str(250 * job["quantity"] + 100)},
    }

# %% save-job
class Contradiction(ValueError):
    def __init__(self, stored, wanted):
        super().__init__(f"stored {stored}, wanted {wanted}")


def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        if error.response["Item"] != item:
            raise Contradiction(error.response["Item"], item)
    else:
        return True
    return False
