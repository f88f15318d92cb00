# why: It asks forgiveness, not permission: what is missing raises by itself, and becomes a ValueError.

# %% order-of
def order_of(body):
    try:
        job = json.loads(body)
        order_id, quantity = job["id"], job["quantity"]
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError("id or quantity is missing") from error
    if not isinstance(order_id, str) or not isinstance(quantity, int) or isinstance(quantity, bool):
        raise ValueError("a field has another type")
    if not order_id or not 1 <= quantity <= 10:
        raise ValueError("a field has a value that is not allowed")
    return {
        "id": {"S": order_id},
        "quantity": {"N": str(quantity)},
        "total_cents": {"N": str(100 + quantity * 250)},
    }
