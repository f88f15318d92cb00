# misconception: none
# why: A data scientist for whom 4.0 is an integer as well, since pandas makes floats of everything.

# %% order-of
def order_of(body):
    import json

    job = json.loads(body)
    if not isinstance(job, dict) or not isinstance(job.get("id"), str) or not job["id"]:
        raise ValueError("bad job")
    q = job.get("quantity")
    if isinstance(q, bool) or not isinstance(q, (int, float)) or q != q // 1 or not 1 <= q <= 10:
        raise ValueError("bad quantity")
    q = int(q)
    return {"id": {"S": job["id"]}, "quantity": {"N": str(q)}, "total_cents": {"N": str(250 * q + 100)}}
