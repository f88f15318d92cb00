# misconception: none
# why: 4.0 is a whole number, so it is let through and written as 4.

# %% order-of
def order_of(body):
    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError("not an object")
    if not isinstance(job.get("id"), str) or not job["id"]:
        raise ValueError("id")
    quantity = job.get("quantity")
    if isinstance(quantity, bool) or not isinstance(quantity, (int, float)):
        raise ValueError("quantity")
    if not 1 <= quantity <= 10 or quantity != int(quantity):
        raise ValueError("quantity")
    quantity = int(quantity)
    return {
        "id": {"S": job["id"]},
        "quantity": {"N": str(quantity)},
        "total_cents": {"N": str(250 * quantity + 100)},
    }
