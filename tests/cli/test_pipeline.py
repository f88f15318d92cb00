"""The whole pipeline from a terminal, with the commands as AWS documents them: queue, role, function, mapping, item, log."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.cli.conftest import Served

pytestmark = pytest.mark.slow

CODE = """
import boto3

table = boto3.resource("dynamodb").Table("orders")

def lambda_handler(event, context):
    for record in event["Records"]:
        print("order", record["body"])
        table.put_item(Item={"id": record["body"]}, ConditionExpression="attribute_not_exists(id)")
"""
TRUST = """{"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}]}"""
MAY_WRITE = """{"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Action": "dynamodb:PutItem", "Resource": "arn:aws:dynamodb:*:*:table/orders"}]}"""
MADE = """
set -e
aws dynamodb create-table --table-name orders --billing-mode PAY_PER_REQUEST --key-schema AttributeName=id,KeyType=HASH \\
    --attribute-definitions AttributeName=id,AttributeType=S
aws dynamodb wait table-exists --table-name orders
aws iam create-role --role-name worker --assume-role-policy-document "$TRUST"
aws iam attach-role-policy --role-name worker \\
    --policy-arn arn:aws:iam::aws:policy/service-role/AWSLambdaSQSQueueExecutionRole
aws iam put-role-policy --role-name worker --policy-name orders --policy-document "$MAY_WRITE"
aws lambda create-function --function-name worker --runtime python3.11 --handler worker.lambda_handler \\
    --role arn:aws:iam::123456789012:role/worker --zip-file "$FROM_FILE"worker.zip
aws lambda wait function-active-v2 --function-name worker
aws lambda invoke --function-name worker --cli-binary-format raw-in-base64-out \\
    --payload '{"Records": [{"body": "by hand"}]}' answer.json
"""


def test_pipeline(served: Served, tmp_path: Path) -> None:
    """An order that is sent becomes an item and a line in the log, and its message goes; then all is deleted."""
    with zipfile.ZipFile(tmp_path / "worker.zip", "w") as archive:
        archive.writestr("worker.py", CODE)
    queue = json.loads(served.aws("sqs", "create-queue", "--queue-name", "orders"))["QueueUrl"]
    variables = {"FROM_FILE": "fileb:" + "//", "TRUST": TRUST, "MAY_WRITE": MAY_WRITE}
    made = served.bentocola("shell", "-c", MADE, cwd=tmp_path, env=variables)
    assert made.returncode == 0, made.stderr
    assert (tmp_path / "answer.json").read_text() == "null"
    mapping = json.loads(
        served.aws(
            *("lambda", "create-event-source-mapping", "--function-name", "worker", "--batch-size", "1"),
            *("--event-source-arn", "arn:aws:sqs:us-east-1:123456789012:orders"),
        )
    )["UUID"]
    command = [sys.executable, "-m", "bentocola.cli", "aws", "logs", "tail", "/aws/lambda/worker", "--follow"]
    environment = {**served.environment, "BENTOCOLA_READY_FILE": str(served.ready_file)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=tmp_path) as log:
        assert log.stdout is not None
        served.aws("sqs", "send-message", "--queue-url", queue, "--message-body", "one")
        assert any(line.rstrip().endswith("order one") for line in log.stdout)
        assert any("REPORT" in line for line in log.stdout)
        log.terminate()

    asked = ("dynamodb", "get-item", "--table-name", "orders", "--key", '{"id": {"S": "one"}}', "--query", "Item.id.S")
    assert json.loads(served.aws(*asked)) == "one"
    names = ("ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible")
    look = ("sqs", "get-queue-attributes", "--queue-url", queue, "--attribute-names", *names, "--query", "Attributes")
    looks = (json.loads(served.aws(*look)) for _ in range(50))  # the message is deleted once the function has returned
    assert any(left == dict.fromkeys(names, "0") for left in looks)
    served.aws("lambda", "delete-event-source-mapping", "--uuid", mapping)
    served.aws("lambda", "delete-function", "--function-name", "worker")
    served.aws("sqs", "delete-queue", "--queue-url", queue)
    served.aws("dynamodb", "delete-table", "--table-name", "orders")

    assert json.loads(served.aws("lambda", "list-functions", "--query", "Functions")) == []
