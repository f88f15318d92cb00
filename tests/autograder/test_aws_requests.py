"""AWS requests of a candidate, over the pipe, to the cloud that runs in the examiner: which reach it, and what comes back."""

from __future__ import annotations

import boto3
import pytest
from moto import mock_aws

import bentocola
from bentocola.cloud.door import Request, Response
from bentocola.cloud.wires import in_process
from tests.autograder.aws_rooms import Failed, Room, examiner, room

__all__ = ["examiner", "room"]
pytestmark = pytest.mark.usefixtures("examiner")

KEYS = (
    'import os; os.environ.update(AWS_ACCESS_KEY_ID="k", AWS_SECRET_ACCESS_KEY="s", AWS_DEFAULT_REGION="us-east-1")\n'
)


@pytest.fixture(params=["bentocola", "mock_aws"])
def cloud(request: pytest.FixtureRequest, examiner: None, room: Room) -> str:
    """A cloud that the source's set-up cell started: the course's, or moto alone."""
    room.new()
    if request.param == "bentocola":
        bentocola.start("es")
    else:
        mock_aws().start()
    room.do(KEYS)
    return str(request.param)


@pytest.mark.usefixtures("cloud")
def test_what_the_candidate_makes_is_in_the_examiner(room: Room) -> None:
    """A client made before the cloud ran, one made after, a resource, a thread: all see one and the same cloud."""
    room.do(
        """
        import boto3, threading
        sqs = boto3.client("sqs")
        url = sqs.create_queue(QueueName="orders")["QueueUrl"]
        table = boto3.resource("dynamodb").create_table(
            TableName="orders", BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}])
        threads = [threading.Thread(target=table.put_item, kwargs={"Item": {"id": str(n)}}) for n in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        boto3.session.Session().client("sqs", region_name="us-east-1").send_message(QueueUrl=url, MessageBody="ñandú 注文")
        """
    )
    sqs = boto3.client("sqs")
    url = sqs.get_queue_url(QueueName="orders")["QueueUrl"]

    assert sqs.receive_message(QueueUrl=url)["Messages"][0]["Body"] == "ñandú 注文"
    assert boto3.resource("dynamodb").Table("orders").scan()["Count"] == 8


@pytest.mark.usefixtures("cloud")
def test_bytes_cross_as_they_are(room: Room) -> None:
    """Uploads with a checksum, of a file and in parts, and a body that is read bit by bit."""
    first, metadata, parts, length, expected = room.do(
        """
        import boto3, io, hashlib
        from boto3.s3.transfer import TransferConfig
        s3 = boto3.client("s3")
        s3.create_bucket(Bucket="bucket")
        data = bytes(range(256)) * 1000
        s3.put_object(Bucket="bucket", Key="a key/ñ+ %", Body=data, ChecksumAlgorithm="SHA256", Metadata={"who": "me"})
        s3.upload_fileobj(io.BytesIO(data * 50), "bucket", "parts", Config=TransferConfig(multipart_threshold=6 << 20))
        got = s3.get_object(Bucket="bucket", Key="a key/ñ+ %")
        first = got["Body"].read(10)
        again = s3.get_object(Bucket="bucket", Key="parts")["Body"].read()
        result = [list(first), got["Metadata"], hashlib.sha256(again).hexdigest(),
                  s3.head_object(Bucket="bucket", Key="parts")["ContentLength"], hashlib.sha256(data * 50).hexdigest()]
        """
    )
    assert first == list(range(10))
    assert metadata == {"who": "me"}
    assert (parts, length) == (expected, 256 * 1000 * 50)
    assert len(boto3.client("s3").get_object(Bucket="bucket", Key="a key/ñ+ %")["Body"].read()) == 256_000


@pytest.mark.usefixtures("cloud")
def test_an_error_is_the_service_s_own(room: Room) -> None:
    """A modelled exception, and the code of a ClientError."""
    said = room.do(
        """
        import boto3
        from botocore.exceptions import ClientError
        dynamodb, result = boto3.client("dynamodb"), []
        try:
            dynamodb.put_item(TableName="nothing", Item={"id": {"S": "1"}})
        except dynamodb.exceptions.ResourceNotFoundException as error:
            result.append(error.response["Error"]["Code"])
        try:
            boto3.client("s3").get_object(Bucket="nothing", Key="k")
        except ClientError as error:
            result.append(error.response["Error"]["Code"])
        """
    )
    assert said == ["ResourceNotFoundException", "NoSuchBucket"]


def test_a_presigned_address_is_refused_with_a_sentence(room: Room) -> None:
    """Who opens it without boto3 is told so, at once, in the edition's language."""
    room.new()
    bentocola.start("es")
    cell = KEYS + (
        "import boto3, bentocola, urllib.request, urllib3\ncloud = bentocola.start('es')\n"
        "url = boto3.client('s3').generate_presigned_url('get_object', Params={'Bucket': 'b', 'Key': 'k'})\n"
    )
    with pytest.raises(Failed) as refused:
        room.do(cell + "urllib.request.urlopen(url)")
    assert refused.value.name == "NothingLeavesError"
    assert "boto3" in refused.value.text
    with pytest.raises(Failed) as refused:
        room.do("urllib3.PoolManager(retries=False).request('GET', url)")
    assert refused.value.name == "NothingLeavesError"


@pytest.mark.parametrize(
    "head",
    [
        None,
        [],
        "aws",
        {},
        {"method": 1, "url": "https://sqs.us-east-1.amazonaws.com/", "headers": {}},
        {"method": "GET", "url": ["https://sqs.us-east-1.amazonaws.com/"], "headers": {}},
        {"method": "GET /x HTTP/1.1\r\n", "url": "https://sqs.us-east-1.amazonaws.com/", "headers": {}},
        {"method": "GET", "url": "file:" + "///etc/passwd", "headers": {}},
        {"method": "GET", "url": "ftp://amazonaws.com/", "headers": {}},
        {"method": "GET", "url": "https://[::1", "headers": {}},
        {"method": "GET", "url": "https://sqs.amazonaws.com:99999999/", "headers": {}},
        {"method": "GET", "url": "https://sqs.us-east-1.amazonaws.com/" + "x" * 300_000, "headers": {}},
        {"method": "GET", "url": "https://sqs.us-east-1.amazonaws.com/", "headers": {"a": "x" * 300_000}},
        {"method": "GET", "url": "https://sqs.us-east-1.amazonaws.com/", "headers": {"a\r\nb": "x"}},
        {"method": "GET", "url": "https://sqs.us-east-1.amazonaws.com/", "headers": {"a": "x\r\nb: y"}},
        {"method": "GET", "url": "https://sqs.us-east-1.amazonaws.com/", "headers": {"a": 1}},
        {"method": "GET", "url": "https://sqs.us-east-1.amazonaws.com/", "headers": ["a"]},
    ],
)
def test_what_is_no_request_is_answered(room: Room, cloud: str, head: object) -> None:
    """Whatever a head holds, an error of AWS's kind comes back, and the next request is answered as ever."""
    status, body = room.do(
        f"head, body = connected._peer.call('aws', {head!r}, b'abc'); result = [head[0], body.decode()]"
    )

    assert status == 400
    assert "InvalidRequest" in body
    assert "QueueUrl" in room.do('import boto3; result = boto3.client("sqs").create_queue(QueueName="after")')


@pytest.mark.parametrize(
    ("target", "body"),
    [
        ("x" * 9000, "abc"),
        ("AmazonSQS.ReceiveMessage", '{"QueueUrl": "http://[::1", "MaxNumberOfMessages": 1}'),
        ("AmazonSQS.ReceiveMessage", '{"QueueUrl": {"a": 1}, "WaitTimeSeconds": 20}'),
        ("AmazonSQS.ReceiveMessage", '[{"WaitTimeSeconds": 20}]'),
        ("AmazonSQS.ReceiveMessage", '{"QueueUrl": "x", "WaitTimeSeconds": 1e9}'),
    ],
)
@pytest.mark.usefixtures("cloud")
def test_a_request_that_means_nothing_is_answered(room: Room, target: str, body: str) -> None:
    """One that is whole, for something that is not there, or with a body that no service reads."""
    head = {"method": "POST", "url": "https://sqs.us-east-1.amazonaws.com/", "headers": {"X-Amz-Target": target}}
    assert 400 <= room.do(f"result = connected._peer.call('aws', {head!r}, {body.encode()!r})[0][0]") < 500


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://example.com",
        "http://localhost:4566",
        "http://169.254.169.254",
        "http://motoapi.amazonaws.com",
        "http://motoapi.amazonaws.com.",
        "http://MotoAPI.amazonaws.com.example.com",
        "http://motoapi.c2s.ic.gov",
    ],
)
def test_no_other_host_is_asked(room: Room, endpoint: str) -> None:
    """Under moto alone a client with an address of its own is refused: nothing is sent, and moto's switchboard is not reached."""
    room.new()
    mock_aws().start()
    boto3.client("sqs").create_queue(QueueName="kept")
    cell = f"import boto3; boto3.client('s3', endpoint_url={endpoint!r}).list_buckets()"
    with pytest.raises(Failed) as refused:
        room.do(KEYS + cell)
    assert "NothingLeaves" in refused.value.text
    head = {"method": "POST", "url": "http://motoapi.amazonaws.com/moto-api/reset", "headers": {}}
    assert room.do(f"result = connected._peer.call('aws', {head!r})[0][0]") == 400
    assert boto3.client("sqs").list_queues()["QueueUrls"]


def test_without_a_cloud_a_call_is_refused(room: Room) -> None:
    """Neither runs: a sentence, and nothing leaves."""
    room.new()
    with pytest.raises(Failed) as refused:
        room.do(KEYS + 'import boto3; boto3.client("sqs").list_queues()')
    assert "NoCloud" in refused.value.text


def test_two_tries_of_a_call_wait_on_the_course_s_clock(room: Room) -> None:
    """A throttled call is tried again by the SDK, and the time in between passes on the clock that stands still."""
    room.new()
    cloud = bentocola.start("es")
    boto3.client("sqs").create_queue(QueueName="q")
    before = cloud.clock.now()
    cloud.faults.throttle("sqs:GetQueueUrl", times=2)

    assert room.do(KEYS + 'import boto3; result = boto3.client("sqs").get_queue_url(QueueName="q")["QueueUrl"]')
    assert (cloud.clock.now() - before).total_seconds() > 0.5


def test_a_lost_answer_and_a_stopped_worker_cross(room: Room) -> None:
    """What a fault does to a call happens to the candidate's too."""
    room.new()
    cloud = bentocola.start("es")
    boto3.client("sqs").create_queue(QueueName="q")
    cloud.faults.stop_worker(after="sqs:ListQueues")
    with pytest.raises(Failed) as stopped:
        room.do(KEYS + 'import boto3; sqs = boto3.client("sqs"); sqs.list_queues()')
    assert stopped.value.name == "WorkerStopped"
    cloud.faults.lose_response("sqs:CreateQueue")
    assert "QueueUrl" in room.do('result = sqs.create_queue(QueueName="lost")')


@pytest.mark.parametrize("own", [True, False], ids=["asked for", "of the queue"])
def test_a_long_poll_holds_up_nobody(room: Room, own: bool) -> None:
    """Under moto alone, where time is real, one thread waits for a message that another is yet to send: it comes at once."""
    room.new(request_seconds=0.5)
    mock_aws().start()
    wait = "WaitTimeSeconds=20" if own else ""
    told = room.do(
        KEYS
        + f"""
import boto3, threading, time
sqs = boto3.client("sqs")
url = sqs.create_queue(QueueName="q", Attributes={{"ReceiveMessageWaitTimeSeconds": "20"}})["QueueUrl"]
asked, sent, send = [], threading.Event(), connected._send
def looks(request):
    asked.append(request)
    if len(asked) == 3:
        threading.Thread(target=lambda: [sqs.send_message(QueueUrl=url, MessageBody="x"), sent.set()]).start()
        sent.wait(10)
    return send(request)
connected._send = looks
received = sqs.receive_message(QueueUrl=url, {wait})["Messages"]
connected._send = send
result = [received[0]["Body"], sent.is_set(), len(asked)]
"""
    )
    assert told == ["x", True, 4]  # three looks, and the sending between the second and the third
    assert room.gate.hits == []


def test_a_long_poll_ends_when_its_time_is_over(room: Room) -> None:
    """It asks until then, and comes back with nothing. The candidate's time is a count here."""
    room.new()
    mock_aws().start()
    told = room.do(
        KEYS
        + """
import boto3, itertools, types
from autograder.aws import candidate
own, slept = candidate.time, []
count = itertools.count()
candidate.time = types.SimpleNamespace(monotonic=lambda: next(count), sleep=slept.append)
try:
    sqs = boto3.client("sqs")
    url = sqs.create_queue(QueueName="q")["QueueUrl"]
    received = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=20)
finally:
    candidate.time = own
result = ["Messages" in received, len(slept), max(slept)]
"""
    )
    assert told == [False, 19, 0.05]


def test_a_forked_process_gets_a_sentence(room: Room) -> None:
    """A fork cannot use the pipe: it is told so, and the candidate's own calls go on."""
    room.new()
    bentocola.start("es")
    said = room.do(
        KEYS
        + """
import boto3, os
sqs = boto3.client("sqs")
read, write = os.pipe()
child = os.fork()
if not child:
    try:
        sqs.list_queues()
    except BaseException as error:
        os.write(write, type(error).__name__.encode())
    os._exit(0)
os.waitpid(child, 0)
result = [os.read(read, 100).decode(), "ResponseMetadata" in sqs.list_queues()]
"""
    )
    assert said == ["ForkedError", True]


def test_witnesses_are_told_of_each_request(room: Room) -> None:
    """The wire of a process tells its witnesses what was asked and answered, and only while they are there."""
    bentocola.start("es")
    told: list[tuple[Request, Response]] = []

    def witness(request: Request, response: Response) -> None:
        told.append((request, response))

    sqs = boto3.client("sqs")
    in_process.witnesses.append(witness)
    try:
        sqs.list_queues()
    finally:
        in_process.witnesses.remove(witness)
    sqs.list_queues()

    assert [(request.header("X-Amz-Target"), response.status) for request, response in told] == [
        ("AmazonSQS.ListQueues", 200)
    ]
