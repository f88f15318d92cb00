# why: A beginner from a bootcamp, one question a line.

# %% order-of
def order_of(body):
    import json

    job = json.loads(body)
    if not isinstance(job, dict):
        raise ValueError("no es un objeto")
    if "id" not in job or "quantity" not in job:
        raise ValueError("falta algo")
    if not isinstance(job["id"], str):
        raise ValueError("id no es un texto")
    if job["id"] == "":
        raise ValueError("id vacío")
    # ojo: True también es un int
    if isinstance(job["quantity"], bool):
        raise ValueError("quantity es un bool")
    if not isinstance(job["quantity"], int):
        raise ValueError("quantity no es un entero")
    if job["quantity"] < 1 or job["quantity"] > 10:
        raise ValueError("quantity fuera de rango")
    total = 250 * job["quantity"] + 100
    item = {}
    item["id"] = {"S": job["id"]}
    item["quantity"] = {"N": str(job["quantity"])}
    item["total_cents"] = {"N": str(total)}
    return item
