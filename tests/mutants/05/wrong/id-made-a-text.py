# misconception: none
# why: The key is of type S, so whatever the id is, str() makes it fit.

# %% order-of
def order_of(body):
    job = json.loads(body)
    if not isinstance(job, dict) or "id" not in job or "quantity" not in job:
        raise ValueError("a job has an id and a quantity")
    job_id = str(job["id"])
    if job_id == "":
        raise ValueError("the id is empty")
    quantity = job["quantity"]
    if isinstance(quantity, bool) or not isinstance(quantity, int) or not 0 < quantity < 11:
        raise ValueError("the quantity is not from 1 to 10")
    price = 250 * quantity + 100
    return {"id": {"S": job_id}, "quantity": {"N": str(quantity)}, "total_cents": {"N": str(price)}}
