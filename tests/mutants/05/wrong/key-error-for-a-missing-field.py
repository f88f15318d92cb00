# misconception: none
# why: job["id"] raises by itself when there is no id: a KeyError, or a TypeError for a list.

# %% order-of
def order_of(body):
    job = json.loads(body)
    order_id = job["id"]
    quantity = job["quantity"]
    if not isinstance(order_id, str) or not order_id:
        raise ValueError("id")
    if isinstance(quantity, bool) or not isinstance(quantity, int) or not 1 <= quantity <= 10:
        raise ValueError("quantity")
    return {
        "id": {"S": order_id},
        "quantity": {"N": str(quantity)},
        "total_cents": {"N": str(250 * quantity + 100)},
    }
