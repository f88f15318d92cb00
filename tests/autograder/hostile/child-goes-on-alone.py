# line: calls from forked children
# does: A forked child comes back from the function as if it were its parent.
# gets: all
# needs: posix

# %% sol3
def handler(event, context=None):
    import os

    from botocore.exceptions import ClientError

    child = os.fork()
    if child == 0:
        return {"stored": 99}
    os.waitpid(child, 0)
    stored = 0
    for record in event["Records"]:
        try:
            TABLE.put_item(
                Item=json.loads(record["body"]),
                ConditionExpression="attribute_not_exists(#k)",
                ExpressionAttributeNames={"#k": "key"},
            )
            stored += 1
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
    return {"stored": stored}
