# misconception: number-is-number
# why: Somebody who made text of the quantity because it came in from JSON, and left the sum as what it is.

# %% order-of
def order_of(body):
    import json

    job = json.loads(body)
    if type(job) is not dict:
        raise ValueError(body)
    name, quantity = job.get("id"), job.get("quantity")
    if type(name) is not str or not name:
        raise ValueError(body)
    if type(quantity) is not int or not 1 <= quantity <= 10:
        raise ValueError(body)
    total = 250 * quantity + 100
    return {"id": {"S": name}, "quantity": {"N": f"{quantity}"}, "total_cents": {"N": total}}
