# misconception: catch-all
# why: Somebody who believes that boto3 goes on trying a throttled write after it gave the error back.

# %% handler
def handler(event, context):
    import os

    import boto3
    from botocore.exceptions import ClientError

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        prefix, customer, name = key.split("/")
        number, dot, ending = name.rpartition(".")
        if prefix != "FOLDER" or ending != "json":
            raise ValueError(key)
        return {"customer": {"S": customer}, "order_id": {"N": str(int(number))}, "status": {"S": "received"}}

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        good = True
        for key in keys:
            try:
                save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
            except ClientError as error:
                code = error.response["Error"]["Code"]
                if "Throttl" in code or "Throughput" in code or "LimitExceeded" in code:
                    print("boto3 tries again:", key)
                    continue
                good = False
            except Exception:
                good = False
        return good

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
