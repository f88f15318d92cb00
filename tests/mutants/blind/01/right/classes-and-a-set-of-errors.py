# why: Somebody who overengineers: a dataclass for the order and a list of the errors of each message.

# %% handler
def handler(event, context):
    import logging
    import os
    from dataclasses import dataclass

    import boto3

    log = logging.getLogger("pedidos")

    @dataclass(frozen=True)
    class Order:
        customer: str
        number: int

        @classmethod
        def from_key(cls, key):
            if not key.startswith("PREFIX"):
                raise ValueError(f"prefijo: {key}")
            parts = key.split("/")
            if len(parts) != 3:
                raise ValueError(f"partes: {key}")
            number, dot, extension = parts[2].partition(".json")
            if not dot or extension:
                raise ValueError(f"nombre: {key}")
            return cls(parts[1], int(number))

        def item(self):
            return {
                "customer": {"S": self.customer},
                "order_id": {"N": str(self.number)},
                "status": {"S": "received"},
            }

    client = boto3.client("dynamodb")

    def errors_of(body):
        errors = []
        try:
            keys = order_keys(body)
        except Exception as error:
            return [error]
        for key in keys:
            try:
                if not save_once(client, os.environ["TABLE_NAME"], Order.from_key(key).item()):
                    log.info("ya estaba: %s", key)
            except Exception as error:
                errors.append(error)
        return errors

    failed = [record["messageId"] for record in event["Records"] if errors_of(record["body"])]
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in failed]}
