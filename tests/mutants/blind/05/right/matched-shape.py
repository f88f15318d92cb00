# why: Somebody who has just read about `match`.

# %% order-of
def order_of(body):
    import json

    match json.loads(body):
        case {"id": str(name), "quantity": int(units)} if name and type(units) is int and 1 <= units <= 10:
            cents = 100 + 250 * units
            return {"total_cents": {"N": str(cents)}, "quantity": {"N": str(units)}, "id": {"S": name}}
        case other:
            raise ValueError(f"trabajo no válido: {other!r}")
