# why: It tries a throttled write again, a few times, and lets the error out in the end.

# %% save-job
def save_job(dynamodb, table, item, tries=3):
    busy = {"ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"}
    for left in reversed(range(tries)):
        try:
            dynamodb.put_item(
                TableName=table,
                Item=item,
                ConditionExpression="attribute_not_exists(id)",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
            return True
        except dynamodb.exceptions.ConditionalCheckFailedException as error:
            if error.response["Item"] != item:
                raise ValueError("different item") from error
            return False
        except dynamodb.exceptions.ClientError as error:
            if not left or error.response["Error"]["Code"] not in busy:
                raise
