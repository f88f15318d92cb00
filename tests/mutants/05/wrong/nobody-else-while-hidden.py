# misconception: sole-consumer|check-then-write
# why: While the message is hidden only this run works on the job, so a look before the write is enough.

# %% save-job
def save_job(dynamodb, table, item):
    def stored():
        return dynamodb.get_item(TableName=table, Key={"id": item["id"]}, ConsistentRead=True).get("Item")

    # The message is hidden from all others for 30 s: nobody else writes this order now.
    before = stored()
    if before and before != item:
        raise ValueError(f"{before} is not {item}")
    if not before:
        dynamodb.put_item(TableName=table, Item=item)
    return not before
