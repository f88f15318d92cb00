# misconception: number-is-number
# why: A data scientist who took care that the quantity is an int, and so puts an int.

# %% order-of
def order_of(body):
    import json

    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError("no es un objeto")
    if not isinstance(job.get("id"), str) or job["id"] == "":
        raise ValueError("id")
    quantity = job.get("quantity")
    if type(quantity) is not int or quantity < 1 or quantity > 10:
        raise ValueError("quantity")
    return {
        "id": {"S": job["id"]},
        "quantity": {"N": quantity},
        "total_cents": {"N": 250 * quantity + 100},
    }
