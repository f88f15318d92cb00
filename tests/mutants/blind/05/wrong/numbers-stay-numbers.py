# misconception: number-is-number
# why: Somebody who thinks that N stands for a number and so gives it one.

# %% order-of
def order_of(body):
    import json

    job = json.loads(body)
    if type(job) is not dict:
        raise ValueError("no es un objeto")
    id_ = job.get("id")
    if type(id_) is not str or id_ == "":
        raise ValueError("id")
    cantidad = job.get("quantity")
    if type(cantidad) is not int or cantidad < 1 or cantidad > 10:
        raise ValueError("quantity")
    return {"id": {"S": id_}, "quantity": {"N": cantidad}, "total_cents": {"N": 250 * cantidad + 100}}
