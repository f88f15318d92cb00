# misconception: none
# why: Somebody who asked with `isinstance` and forgot that a bool passes.

# %% order-of
def order_of(body):
    import json

    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError("se esperaba un objeto JSON")
    if not isinstance(job.get("id"), str) or len(job["id"]) == 0:
        raise ValueError("id no válido")
    if not isinstance(job.get("quantity"), int):
        raise ValueError("quantity no es un entero")
    if not 1 <= job["quantity"] <= 10:
        raise ValueError("quantity fuera de rango")
    quantity = int(job["quantity"])
    return {
        "id": {"S": job["id"]},
        "quantity": {"N": str(quantity)},
        "total_cents": {"N": str(250 * quantity + 100)},
    }
