# misconception: order
# why: Somebody who trusts the queue's order: if a lower number of a customer comes after a higher one, it can only be a repetition.

# %% handler
ultimo = {}  # cliente -> número más alto guardado


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

        cliente, _, numero = job["id"].rpartition("-")
        numero = int(numero) if numero.isdecimal() else None
        if numero is not None and numero < ultimo.get(cliente, 0):
            # los pedidos llegan en orden, este ya pasó
            is_new = False
        else:
            is_new = save_job(dynamodb, os.environ["TABLE_NAME"], item)
            if numero is not None:
                ultimo[cliente] = numero
        print("RESULT", json.dumps({"id": job["id"], "processed": is_new, "duplicate": not is_new}))
