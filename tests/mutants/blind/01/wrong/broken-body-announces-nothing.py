# misconception: catch-all|none
# why: Somebody who learned that parsing outside input must never throw, and returns an empty list on any error.

# %% order-keys
import json
import logging
from urllib.parse import unquote_plus

logger = logging.getLogger(__name__)


def order_keys(body):
    try:
        message = json.loads(body)
        return [unquote_plus(record["s3"]["object"]["key"]) for record in message.get("Records", [])]
    except Exception:
        logger.warning("unreadable message, skipped: %r", body)
        return []
