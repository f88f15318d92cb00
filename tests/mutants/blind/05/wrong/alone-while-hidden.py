# misconception: check-then-write|sole-consumer
# why: Somebody who reads first and feels safe, since the message is hidden from everybody else for 30 seconds.

# %% save-job
def save_job(dynamodb, table, item):
    # el mensaje está oculto: nadie más trabaja con este pedido
    stored = dynamodb.get_item(TableName=table, Key={"id": item["id"]}, ConsistentRead=True).get("Item")
    if stored is None:
        dynamodb.put_item(TableName=table, Item=item)
        return True
    if stored != item:
        raise ValueError("contradicción")
    return False
