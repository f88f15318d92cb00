# misconception: key-as-is
# why: Somebody who believes that only letters outside ASCII are encoded, so a key without a percent sign is left alone.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    def clean(key):
        # Si no hay %, no hay nada que descodificar.
        return unquote_plus(key) if "%" in key else key

    return [clean(record["s3"]["object"]["key"]) for record in json.loads(body).get("Records", [])]
