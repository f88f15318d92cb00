# misconception: none
# why: Brackets in the wrong place: each unit pays for its own delivery.

# %% order-of
UNIT = 250
DELIVERY = 100


def order_of(body):
    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError(body)
    key, quantity = job.get("id"), job.get("quantity")
    if not (isinstance(key, str) and key):
        raise ValueError(key)
    if type(quantity) is not int or quantity < 1 or quantity > 10:
        raise ValueError(quantity)
    total = quantity * (UNIT + DELIVERY)
    return {"id": {"S": key}, "quantity": {"N": str(quantity)}, "total_cents": {"N": str(total)}}
