# misconception: none
# why: A careful person who decodes again in case somebody encoded it twice, and so spoils names with a plus sign.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(body)
    keys = []
    for record in message.get("Records", []):
        key = record["s3"]["object"]["key"]
        # hay productores que codifican dos veces: repito hasta que ya no cambie
        while unquote_plus(key) != key:
            key = unquote_plus(key)
        keys.append(key)
    return keys
