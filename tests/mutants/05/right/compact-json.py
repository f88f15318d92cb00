# why: Compact JSON makes short log lines, and names stay readable in it.

# %% handler
from functools import partial

compact = partial(json.dumps, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", compact(event))
        print("JOB", compact(json.loads(record["body"])))
        item = order_of(record["body"])
        is_new = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        print("RESULT", compact({"id": item["id"]["S"], "processed": is_new, "duplicate": not is_new}), flush=True)
