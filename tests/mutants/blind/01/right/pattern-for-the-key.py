# why: Somebody who says with one pattern what a key looks like, and lets `int` judge the number.

# %% handler
def handler(event, context):
    import os
    import re

    import boto3

    dynamodb = boto3.client("dynamodb")
    shape = re.compile(r"FOLDER/([^/]*)/([^/]*)\.json", re.DOTALL)

    def item_of(key):
        match = shape.fullmatch(key)
        if match is None:
            raise ValueError(key)
        customer, number = match.groups()
        return {"customer": {"S": customer}, "order_id": {"N": str(int(number))}, "status": {"S": "received"}}

    def save_all(body):
        try:
            keys = order_keys(body)
        except Exception as error:
            print(repr(error))
            return False
        good = True
        for key in keys:
            try:
                save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
            except Exception as error:
                print(repr(error))
                good = False
        return good

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
