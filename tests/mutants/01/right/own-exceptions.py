# why: An exception of its own for a key that is no order's, and one place where a message fails.

# %% handler
class NotAnOrder(ValueError):
    pass


class SomeFailed(Exception):
    pass


def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        prefix, slash, rest = key.partition("/")
        customer, slash, name = rest.partition("/")
        number, dot, ending = name.rpartition(".")
        if prefix != "FOLDER" or "/" in name or ending != "json":
            raise NotAnOrder(key)
        try:
            number = int(number)
        except ValueError:
            raise NotAnOrder(key) from None
        return {"customer": {"S": customer}, "order_id": {"N": f"{number:d}"}, "status": {"S": "received"}}

    def save_all(body):
        failed = []
        for key in order_keys(body):
            try:
                save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
            except Exception as error:
                failed.append(f"{key}: {error!r}")
        if failed:
            raise SomeFailed(failed)

    failures = []
    for record in event["Records"]:
        try:
            save_all(record["body"])
        except (ValueError, SomeFailed) as error:
            print(record["messageId"], error)
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
