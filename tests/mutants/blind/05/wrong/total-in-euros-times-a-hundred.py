# misconception: none
# why: A data scientist who calculates in euros and multiplies by 100.0 at the end, so the total travels as "1100.0".

# %% order-of
UNIT_PRICE = 2.50
SHIPPING = 1.00


def order_of(body):
    import json

    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError(f"expected an object, got {type(job).__name__}")
    order_id, quantity = job.get("id"), job.get("quantity")
    if not isinstance(order_id, str) or order_id == "":
        raise ValueError(f"bad id: {order_id!r}")
    if type(quantity) is not int or not 1 <= quantity <= 10:
        raise ValueError(f"bad quantity: {quantity!r}")
    total_cents = (UNIT_PRICE * quantity + SHIPPING) * 100
    return {
        "id": {"S": order_id},
        "quantity": {"N": str(quantity)},
        "total_cents": {"N": str(total_cents)},
    }
