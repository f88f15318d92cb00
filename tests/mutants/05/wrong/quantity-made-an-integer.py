# misconception: none
# why: int(...) refuses what is no number, so it seemed to be the check: it makes 4 of "4" and of 4.7 too.

# %% order-of
def order_of(body):
    job = json.loads(body)
    try:
        key = job["id"]
        quantity = int(job["quantity"])
    except (KeyError, TypeError):
        raise ValueError("id or quantity is missing")
    if not isinstance(key, str) or not key:
        raise ValueError("id")
    if quantity < 1 or quantity > 10:
        raise ValueError("quantity")
    total = quantity * 250 + 100
    return {"id": {"S": key}, "quantity": {"N": str(quantity)}, "total_cents": {"N": str(total)}}
