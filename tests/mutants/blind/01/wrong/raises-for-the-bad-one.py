# misconception: only-bad-returns
# why: Somebody who lets the exception out and expects that message, and no other, to come back.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        prefix, customer, name = key.split("/")
        number, dot, ending = name.rpartition(".")
        if prefix != "FOLDER" or ending != "json":
            raise ValueError(key)
        return {"customer": {"S": customer}, "order_id": {"N": str(int(number))}, "status": {"S": "received"}}

    for record in event["Records"]:
        problem = None
        # Si este mensaje está mal, la excepción lo deja en la cola; los demás ya están.
        for key in order_keys(record["body"]):
            try:
                save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
            except Exception as error:
                problem = error
        if problem is not None:
            raise problem
    return {"batchItemFailures": []}
