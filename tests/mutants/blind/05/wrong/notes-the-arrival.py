# misconception: once
# why: Somebody who adds the time of arrival for later analysis, as if a job arrived at one time only.

# %% order-of
def order_of(body):
    import json
    from datetime import datetime, timezone

    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError(body)
    if not isinstance(job.get("id"), str) or not job["id"]:
        raise ValueError(body)
    quantity = job.get("quantity")
    if type(quantity) is not int or quantity not in range(1, 11):
        raise ValueError(body)
    return {
        "id": {"S": job["id"]},
        "quantity": {"N": str(quantity)},
        "total_cents": {"N": str(250 * quantity + 100)},
        "received_at": {"S": datetime.now(timezone.utc).isoformat()},
    }
