# misconception: test-event
# why: Somebody who is sure that S3 always sends Records and thinks that "nothing to announce" is an empty list.

# %% order-keys
import json
from urllib.parse import unquote_plus


def order_keys(body: str) -> list[str]:
    """Claves de los objetos que anuncia un mensaje de S3."""
    records = json.loads(body)["Records"]
    if not records:
        return []
    return [unquote_plus(r["s3"]["object"]["key"]) for r in records]
