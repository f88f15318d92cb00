# misconception: message-id-key|once
# why: Somebody who found the receive count in the event: a message received before has been worked on before.

# %% handler
def handler(event, context):
    import json
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        count = int(record.get("attributes", {}).get("ApproximateReceiveCount", "1"))
        if count > 1:
            # segunda recepción: ya se trató en la primera
            saved = False
        else:
            saved = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        print("RESULT", json.dumps({"id": item["id"]["S"], "processed": saved, "duplicate": not saved}))
