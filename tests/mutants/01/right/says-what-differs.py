# why: The refusal brings the stored item along, and a line in the log says whether it is the same order.

# %% save-once
import logging

log = logging.getLogger(__name__)


def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(customer)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as refusal:
        stored = refusal.response.get("Item")
        if stored == item:
            log.info("a repeat: %s", item)
        else:
            log.warning("stored: %s, not saved: %s", stored, item)
        return False
    log.info("saved: %s", item)
    return True
