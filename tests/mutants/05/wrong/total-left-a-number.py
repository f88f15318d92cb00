# misconception: number-is-number
# why: The quantity came from a text and was made one again; the total was computed, so it is a number.

# %% order-of
def order_of(body):
    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError("not an object")
    key = job.get("id")
    amount = job.get("quantity")
    if not isinstance(key, str) or len(key) == 0:
        raise ValueError("bad id")
    if isinstance(amount, bool) or not isinstance(amount, int) or not 1 <= amount <= 10:
        raise ValueError("bad quantity")
    item = {"id": {"S": key}, "quantity": {"N": str(amount)}}
    item["total_cents"] = {"N": 250 * amount + 100}
    return item
