"""How long a student waits: `bentocola.start()` and the first call to S3, SQS and DynamoDB, against plain moto and boto3.

In a fresh process, imports included; and in one that has imported what a notebook's kernel has.
"""

from __future__ import annotations

from bench.measure import Case, measure, print_ratios, print_title, versions

_CALLS = """
boto3.client("s3"{region}).create_bucket(Bucket="orders")
boto3.client("sqs"{region}).create_queue(QueueName="orders")
boto3.client("dynamodb"{region}).create_table(
    TableName="orders",
    AttributeDefinitions=[{{"AttributeName": "customer", "AttributeType": "S"}}],
    KeySchema=[{{"AttributeName": "customer", "KeyType": "HASH"}}],
    BillingMode="PAY_PER_REQUEST",
)
"""
_PLAIN = "import boto3\nfrom moto import mock_aws\nmock_aws().start()" + _CALLS.format(
    region=', region_name="us-east-1"'
)
_OURS = 'import bentocola\nbentocola.start("es")\nimport boto3' + _CALLS.format(region="")
_KERNEL = "import ipykernel.ipkernel, ipykernel.kernelapp, ipykernel.zmqshell"


def main(repetitions: int = 15) -> None:
    """Measure and print."""
    print_title("start", "the first call to S3, SQS and DynamoDB, everything before it included", repetitions)
    fresh = [Case("plain", _PLAIN), Case("bentocola", _OURS)]
    kernel = [Case("plain", _PLAIN, before=_KERNEL), Case("bentocola", _OURS, before=_KERNEL)]
    times = measure([*fresh, *kernel], repetitions)
    print_ratios("in a fresh process", fresh, [found.timed for found in times[:2]])
    print_ratios("the same with Python's own start and end", fresh, [found.process for found in times[:2]])
    print_ratios("after the imports of a notebook's kernel", kernel, [found.timed for found in times[2:]])
    print(f"\n{versions()}")


if __name__ == "__main__":
    main()
