# misconception: none
# why: Who gives no quantity wants one.

# %% order-of
def order_of(body):
    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError("the job must be an object")
    order, quantity = job.get("id", ""), job.get("quantity", 1)
    if type(order) is not str or order == "":
        raise ValueError("the job has no id")
    if type(quantity) is not int or quantity not in range(1, 11):
        raise ValueError(f"{quantity!r} is no quantity")
    return {
        "id": {"S": order},
        "quantity": {"N": str(quantity)},
        "total_cents": {"N": str(250 * quantity + 100)},
    }
