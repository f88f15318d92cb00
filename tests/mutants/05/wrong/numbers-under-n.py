# misconception: number-is-number
# why: N stands for number, and 4 is one.

# %% order-of
def order_of(body):
    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError("not an object")
    if not isinstance(job.get("id"), str) or job["id"] == "":
        raise ValueError("bad id")
    quantity = job.get("quantity")
    if type(quantity) is not int or quantity < 1 or quantity > 10:
        raise ValueError("bad quantity")
    return {"id": {"S": job["id"]}, "quantity": {"N": quantity}, "total_cents": {"N": 250 * quantity + 100}}
