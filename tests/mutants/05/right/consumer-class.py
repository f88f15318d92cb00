# why: A class keeps the client and the table for one run.

# %% handler
class Consumer:
    def __init__(self, table):
        self.table = table
        self.dynamodb = boto3.client("dynamodb")

    def consume(self, record):
        job = json.loads(record["body"])
        self.tell("JOB", job)
        item = order_of(record["body"])
        stored = save_job(self.dynamodb, self.table, item)
        self.tell("RESULT", dict(id=job["id"], processed=stored, duplicate=not stored))

    @staticmethod
    def tell(word, value):
        print(word, json.dumps(value, ensure_ascii=False))


def handler(event, context):
    consumer = Consumer(os.environ["TABLE_NAME"])
    for record in event["Records"]:
        consumer.tell("EVENT", event)
        consumer.consume(record)
