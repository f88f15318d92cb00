# misconception: none
# why: Who knows what the other fields are good for: they are stored as texts with the order.

# %% order-of
def order_of(body):
    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError("no object")
    quantity = job.get("quantity")
    if not isinstance(job.get("id"), str) or not job["id"]:
        raise ValueError("no id")
    if type(quantity) is not int or not 1 <= quantity <= 10:
        raise ValueError("no quantity")
    item = {name: {"S": str(value)} for name, value in job.items()}
    item["quantity"] = {"N": str(quantity)}
    item["total_cents"] = {"N": str(250 * quantity + 100)}
    return item
