# misconception: none
# why: A beginner who thinks that the brackets complain by themselves; they do, but with a `KeyError`.

# %% order-of
def order_of(body):
    import json

    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError("job")
    job_id = job["id"]
    quantity = job["quantity"]
    if not isinstance(job_id, str) or job_id == "":
        raise ValueError("id")
    if isinstance(quantity, bool) or not isinstance(quantity, int):
        raise ValueError("quantity")
    if quantity < 1 or quantity > 10:
        raise ValueError("quantity")
    total = quantity * 250 + 100
    return {"id": {"S": job_id}, "quantity": {"N": str(quantity)}, "total_cents": {"N": str(total)}}
