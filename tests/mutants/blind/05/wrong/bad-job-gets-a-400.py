# misconception: status-500
# why: Somebody who answers bad input with an error status, as a web service does, and takes that for a failure.

# %% order-of
def order_of(body):
    import json

    job = json.loads(body)

    def bad_request(reason):
        return {"statusCode": 400, "body": json.dumps({"error": reason})}

    if not isinstance(job, dict):
        return bad_request("not an object")
    if not isinstance(job.get("id"), str) or len(job["id"]) == 0:
        return bad_request("id")
    quantity = job.get("quantity")
    if type(quantity) is not int or not (1 <= quantity <= 10):
        return bad_request("quantity")

    return {
        "id": {"S": job["id"]},
        "quantity": {"N": str(quantity)},
        "total_cents": {"N": str(250 * quantity + 100)},
    }
