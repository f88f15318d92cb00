# misconception: number-is-number
# why: The item is the job with its price; that a number must travel as a text under N was not known.

# %% order-of
def order_of(body):
    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError("not an object")
    name = job.get("id")
    quantity = job.get("quantity")
    if not isinstance(name, str) or not name:
        raise ValueError("bad id")
    if type(quantity) is not int or not 1 <= quantity <= 10:
        raise ValueError("bad quantity")
    return {"id": {"S": name}, "quantity": quantity, "total_cents": 250 * quantity + 100}
