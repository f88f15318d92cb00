# why: It turns the plus signs into spaces first and decodes afterwards, as unquote_plus does.

# %% order-keys
import json
from urllib import parse


def order_keys(body):
    message = json.loads(body)
    if not isinstance(message, dict):
        return []
    result = []
    for record in message.get("Records") or []:
        raw = record["s3"]["object"]["key"]
        result.append(parse.unquote(raw.replace("+", " ")))
    return result
