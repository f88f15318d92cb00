# why: A functional programmer; a JSON text that is no object announces nothing either.

# %% order-keys
def order_keys(body):
    import json
    from functools import reduce
    from urllib.parse import unquote_plus

    def path(*steps):
        return lambda thing: reduce(lambda found, step: found[step], steps, thing)

    message = json.loads(body)
    records = message.get("Records", []) if isinstance(message, dict) else []
    return list(map(unquote_plus, map(path("s3", "object", "key"), records)))
