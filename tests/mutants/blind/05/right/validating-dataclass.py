# why: A Java developer: the object cannot exist unless it is valid.

# %% order-of
def order_of(body):
    import json
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class Job:
        id: str
        quantity: int

        def __post_init__(self):
            if not (type(self.id) is str and len(self.id) > 0):
                raise ValueError("id")
            if not (type(self.quantity) is int and 0 < self.quantity < 11):
                raise ValueError("quantity")

        @property
        def total_cents(self):
            return 250 * self.quantity + 100

        def to_item(self):
            return {
                "id": {"S": self.id},
                "quantity": {"N": "%d" % self.quantity},
                "total_cents": {"N": "%d" % self.total_cents},
            }

    fields = json.loads(body)
    if not isinstance(fields, dict):
        raise ValueError("not an object")
    return Job(fields.get("id"), fields.get("quantity")).to_item()
