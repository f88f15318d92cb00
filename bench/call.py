"""How long one call takes once everything is warm: our door, with its recorder, against plain moto's own way."""

from __future__ import annotations

from bench.measure import Case, measure, print_ratios, print_title, versions

_CALLS = 100
_SET_UP = """
s3, sqs, dynamodb = (boto3.client(name, region_name="us-east-1") for name in ("s3", "sqs", "dynamodb"))
s3.create_bucket(Bucket="orders")
queue = sqs.create_queue(QueueName="orders")["QueueUrl"]
dynamodb.create_table(
    TableName="orders",
    AttributeDefinitions=[{"AttributeName": "customer", "AttributeType": "S"}],
    KeySchema=[{"AttributeName": "customer", "KeyType": "HASH"}],
    BillingMode="PAY_PER_REQUEST",
)
def round(number):
    s3.put_object(Bucket="orders", Key=f"{number}.json", Body=b"{}")
    sqs.send_message(QueueUrl=queue, MessageBody="{}")
    dynamodb.put_item(TableName="orders", Item={"customer": {"S": str(number)}})
round(0)
"""
_TIMED = f"for number in range({_CALLS}): round(number)"
_PLAIN = "import boto3\nfrom moto import mock_aws\nmock_aws().start()" + _SET_UP
_OURS = 'import bentocola\nbentocola.start("es")\nimport boto3' + _SET_UP


def main(repetitions: int = 15) -> None:
    """Measure and print."""
    print_title("call", "one put_object, send_message and put_item, the mean of many", repetitions)
    cases = [Case("plain", _TIMED, before=_PLAIN), Case("bentocola", _TIMED, before=_OURS)]
    times = measure(cases, repetitions)
    print_ratios("three calls", cases, [[seconds / _CALLS for seconds in found.timed] for found in times])
    print(f"\n{versions()}")


if __name__ == "__main__":
    main()
