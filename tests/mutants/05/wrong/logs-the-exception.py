# misconception: catch-all
# why: logger.exception writes the whole traceback into the log, and with that the error is dealt with.

# %% handler
import logging

logger = logging.getLogger(__name__)


def process(record, table):
    job = json.loads(record["body"])
    print(f"JOB {json.dumps(job)}")
    stored = save_job(boto3.client("dynamodb"), table, order_of(record["body"]))
    print(f"RESULT {json.dumps(dict(id=job['id'], processed=stored, duplicate=not stored))}")


def handler(event, context):
    for record in event["Records"]:
        print(f"EVENT {json.dumps(event)}")
        try:
            process(record, os.environ["TABLE_NAME"])
        except Exception:
            logger.exception("could not process %s", record["messageId"])
