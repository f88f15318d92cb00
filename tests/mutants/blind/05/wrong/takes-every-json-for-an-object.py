# misconception: none
# why: Somebody who checks each field with care but never thought that the JSON could be a list or a number.

# %% order-of
def order_of(body):
    import json

    job = json.loads(body)
    pedido = job.get("id")
    if not pedido or not isinstance(pedido, str):
        raise ValueError("falta el id")
    n = job.get("quantity")
    if isinstance(n, bool) or not isinstance(n, int):
        raise ValueError("quantity no es un entero")
    if n < 1 or n > 10:
        raise ValueError("quantity fuera de rango")
    return {
        "id": {"S": pedido},
        "quantity": {"N": str(n)},
        "total_cents": {"N": str(250 * n + 100)},
    }
