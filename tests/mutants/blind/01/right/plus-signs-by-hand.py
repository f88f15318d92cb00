# why: Somebody who found on Stack Overflow how to do without `unquote_plus`: pluses first, then percent signs.

# %% order-keys
def order_keys(body):
    from json import loads
    from urllib.parse import unquote

    event = loads(body)
    return [unquote(r["s3"]["object"]["key"].replace("+", " ")) for r in event.get("Records") or ()]
