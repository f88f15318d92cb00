# misconception: none
# why: True and 4 are both ints for isinstance, and nobody thought of a job that says true.

# %% order-of
def order_of(body):
    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError("the job is no object")
    order_id = job.get("id")
    quantity = job.get("quantity")
    if not isinstance(order_id, str) or order_id == "":
        raise ValueError("id must be a text")
    if not isinstance(quantity, int) or not 1 <= quantity <= 10:
        raise ValueError("quantity must be an integer from 1 to 10")
    total = 250 * quantity + 100
    return {"id": {"S": order_id}, "quantity": {"N": str(int(quantity))}, "total_cents": {"N": str(total)}}
