# why: A data scientist: the ten possible quantities and their totals are a lookup table.

# %% order-of
def order_of(body):
    import json

    totals = {n: 250 * n + 100 for n in range(1, 11)}
    try:
        job = json.loads(body)
        name, n = job["id"], job["quantity"]
    except (KeyError, TypeError, IndexError) as problem:
        raise ValueError("trabajo incompleto") from problem
    if type(name) is not str or not name or type(n) is not int or n not in totals:
        raise ValueError("trabajo no válido")
    return {"id": {"S": name}, "quantity": {"N": str(n)}, "total_cents": {"N": str(totals[n])}}
