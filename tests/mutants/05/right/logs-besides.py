# why: What failed is logged before it goes out, as one does in a real program: logging writes to stderr.

# %% save-job
import logging

log = logging.getLogger("orders")


def save_job(dynamodb, table, item):
    try:
        answer = dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
            ReturnConsumedCapacity="TOTAL",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        stored = error.response.get("Item")
        log.info("refused: stored %s, wanted %s", stored, item)
        if stored == item:
            return False
        raise ValueError("contradiction")
    except Exception:
        log.exception("not saved: %s", item)
        raise
    log.info("stored with %s", answer.get("ConsumedCapacity"))
    return True

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        try:
            print("EVENT", json.dumps(event))
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            stored = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        except Exception as error:
            log.warning("%s stays in the queue: %r", record["messageId"], error)
            raise
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
