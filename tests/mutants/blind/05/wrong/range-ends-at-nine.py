# misconception: none
# why: Somebody who writes range(1, 10) for "from 1 to 10".

# %% order-of
def order_of(body):
    import json

    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError(job)
    if not isinstance(job.get("id"), str) or not job["id"]:
        raise ValueError(job)
    q = job.get("quantity")
    if type(q) is not int or q not in range(1, 10):
        raise ValueError(job)
    return {"id": {"S": job["id"]}, "quantity": {"N": str(q)}, "total_cents": {"N": str(250 * q + 100)}}
