# misconception: catch-all
# why: Three tries must do; after the loop there is a return False, because something has to be returned.

# %% save-job
def save_job(dynamodb, table, item):
    for attempt in range(3):
        try:
            dynamodb.put_item(
                TableName=table,
                Item=item,
                ConditionExpression="attribute_not_exists(id)",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
            return True
        except dynamodb.exceptions.ConditionalCheckFailedException as error:
            if error.response["Item"] == item:
                return False
            raise ValueError("another order")
        except Exception as error:
            print("attempt", attempt + 1, "failed:", error)
    return False
