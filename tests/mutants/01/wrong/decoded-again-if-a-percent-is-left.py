# misconception: key-as-is
# why: Somebody who takes a percent sign in the decoded key for a sign that it is still encoded.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    def original(key):
        key = unquote_plus(key)
        if "%" in key:
            key = unquote_plus(key)
        return key

    return [original(record["s3"]["object"]["key"]) for record in json.loads(body).get("Records", [])]
