# misconception: none
# why: An empty text is a text too, and the type was all that was looked at.

# %% order-of
def order_of(body):
    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError("not a JSON object")
    match job.get("id"), job.get("quantity"):
        case str() as order_id, int() as quantity if quantity is not True and 1 <= quantity <= 10:
            return {
                "id": {"S": order_id},
                "quantity": {"N": str(quantity)},
                "total_cents": {"N": str(250 * quantity + 100)},
            }
        case _:
            raise ValueError("not a job")
