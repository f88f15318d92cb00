# why: A table of prices says which quantities there are, and what each costs.

# %% order-of
import json

TOTALS = {quantity: 250 * quantity + 100 for quantity in range(1, 11)}


def order_of(body):
    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError(type(job).__name__)
    order_id, quantity = map(job.get, ("id", "quantity"))
    # Of the keys of TOTALS, 1 is equal to True and to 1.0: the type tells them apart.
    if type(quantity) is not int or quantity not in TOTALS:
        raise ValueError(f"quantity {quantity!r}")
    if type(order_id) is not str or order_id == "":
        raise ValueError(f"id {order_id!r}")
    numbers = {"quantity": quantity, "total_cents": TOTALS[quantity]}
    return {"id": {"S": order_id}, **{name: {"N": str(value)} for name, value in numbers.items()}}
