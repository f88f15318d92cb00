# why: boto3 has a serializer for DynamoDB's types, so nobody need write S and N by hand.

# %% order-of
def order_of(body):
    import json

    from boto3.dynamodb.types import TypeSerializer

    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError("not a JSON object")
    order = {"id": job.get("id"), "quantity": job.get("quantity")}
    if not isinstance(order["id"], str) or order["id"] == "":
        raise ValueError("id")
    if type(order["quantity"]) is not int or order["quantity"] not in range(1, 11):
        raise ValueError("quantity")
    order["total_cents"] = 250 * order["quantity"] + 100
    serialize = TypeSerializer().serialize
    return {name: serialize(value) for name, value in order.items()}

# %% save-job
def save_job(dynamodb, table, item):
    from boto3.dynamodb.types import TypeDeserializer

    def plain(typed):
        return {name: TypeDeserializer().deserialize(value) for name, value in typed.items()}

    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        stored, wanted = plain(error.response["Item"]), plain(item)
        if stored == wanted:
            return False
        raise ValueError(f"{stored} is stored, not {wanted}") from None
    return True
