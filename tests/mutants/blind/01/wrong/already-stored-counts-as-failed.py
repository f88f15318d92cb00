# misconception: refused-is-crash
# why: Somebody who reads False from save_once as "it could not be saved".

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        parts = key.split("/")
        if len(parts) != 3 or parts[0] != "FOLDER" or not parts[2].endswith(".json"):
            raise ValueError("clave rara: " + key)
        number = int(parts[2][: -len(".json")])
        return {"customer": {"S": parts[1]}, "order_id": {"N": str(number)}, "status": {"S": "received"}}

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        ok = True
        for key in keys:
            try:
                saved = save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
                if not saved:
                    ok = False
            except Exception as error:
                print(repr(error))
                ok = False
        return ok

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
