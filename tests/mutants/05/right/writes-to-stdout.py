# why: print adds nothing that sys.stdout.write cannot do.

# %% handler
import sys


def line(word, value):
    sys.stdout.write(f"{word} {json.dumps(value)}\n")


def handler(event, context):
    table, dynamodb = os.environ["TABLE_NAME"], boto3.client("dynamodb")
    for record in event["Records"]:
        line("EVENT", event)
        job = json.loads(record["body"])
        line("JOB", job)
        line("RESULT", result_of(job, save_job(dynamodb, table, order_of(record["body"]))))


def result_of(job, stored):
    return {"id": job["id"], "processed": stored, "duplicate": not stored}
