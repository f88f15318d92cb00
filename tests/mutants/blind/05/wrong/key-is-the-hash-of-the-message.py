# misconception: message-id-key
# why: An engineer who identifies the message, not the job: the digest of the body seems a safer key than the producer's id.

# %% order-of
import hashlib
import json


def order_of(body):
    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError("the job must be a JSON object")

    job_id = job.get("id")
    if not (isinstance(job_id, str) and job_id):
        raise ValueError("the job needs a non-empty id")

    quantity = job.get("quantity")
    if isinstance(quantity, bool) or not isinstance(quantity, int) or not 1 <= quantity <= 10:
        raise ValueError("quantity must be a whole number from 1 to 10")

    fingerprint = hashlib.sha256(body.encode("utf-8")).hexdigest()
    return {
        "id": {"S": fingerprint},
        "quantity": {"N": str(quantity)},
        "total_cents": {"N": str(250 * quantity + 100)},
    }
