# misconception: none
# why: range(1, 10) reads like "from 1 to 10".

# %% order-of
import json


def order_of(body):
    job = json.loads(body)
    if type(job) is not dict:
        raise ValueError(f"no object: {body}")
    name, quantity = job.get("id"), job.get("quantity")
    if type(name) is not str or not name:
        raise ValueError(f"bad id: {name!r}")
    if type(quantity) is not int or quantity not in range(1, 10):
        raise ValueError(f"bad quantity: {quantity!r}")
    return {
        "id": {"S": name},
        "quantity": {"N": f"{quantity}"},
        "total_cents": {"N": f"{250 * quantity + 100}"},
    }
