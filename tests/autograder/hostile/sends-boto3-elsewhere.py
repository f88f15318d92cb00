# line: sockets
# does: Points boto3 to a listener of its own, by the environment and by an argument.
# gets: all

# %% own before sol3
import os

import boto3

os.environ["AWS_ENDPOINT_URL"] = "http://127.0.0.1:CANARY_PORT"
for make in (
    lambda: boto3.client("sqs").list_queues(),
    lambda: boto3.client("sqs", endpoint_url="http://127.0.0.1:CANARY_PORT").list_queues(),
):
    try:
        make()
    except Exception as error:
        print(type(error).__name__)
del os.environ["AWS_ENDPOINT_URL"]
