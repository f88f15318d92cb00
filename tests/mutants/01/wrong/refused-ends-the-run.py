# misconception: refused-is-crash|event-once
# why: Somebody who believes that an order which is there already is a mistake that must stop the function.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    failures = []
    for record in event["Records"]:
        good = True
        items = []
        try:
            for key in order_keys(record["body"]):
                parts = key.split("/")
                stem = parts[-1].removesuffix(".json")
                if len(parts) != 3 or parts[0] != "FOLDER" or parts[-1] == stem:
                    good = False
                    continue
                try:
                    number = str(int(stem))
                except ValueError:
                    good = False
                    continue
                items.append({"customer": {"S": parts[1]}, "order_id": {"N": number}, "status": {"S": "received"}})
        except ValueError:
            good = False
        for item in items:
            try:
                stored = save_once(dynamodb, os.environ["TABLE_NAME"], item)
            except Exception:
                good = False
            else:
                if not stored:
                    raise RuntimeError(f"order {item['order_id']['N']} was saved before")
        if not good:
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
