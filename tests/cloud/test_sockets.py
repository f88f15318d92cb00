"""No connection at all: neither this process nor a function's makes one, whatever a person has set and code asks for.

Python tells of each socket, look-up and connection (https://docs.python.org/3/library/audit_events.html); a process of its own
listens to that from its first line on, with a home whose settings and proxies lead elsewhere.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

ELSEWHERE = "http://198.51.100.7:9000"  # an address that the RFC 5737 keeps for examples

CALLS = f"""
    import contextlib
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError

    PROXIES = dict.fromkeys(("http", "https"), "{ELSEWHERE}")
    LOOKS = {{
        "s3": "list_buckets", "sqs": "list_queues", "dynamodb": "list_tables", "lambda": "list_functions",
        "logs": "describe_log_groups", "iam": "list_roles", "sts": "get_caller_identity", "ec2": "describe_instances",
    }}

    def call_everything():
        answered = 0
        for options in ({{}}, {{"endpoint_url": "{ELSEWHERE}"}}, {{"config": Config(proxies=PROXIES)}}):
            for region in ("us-east-1", "eu-west-3", "cn-north-1"):
                for service, operation in LOOKS.items():
                    try:
                        getattr(boto3.client(service, region_name=region, **options), operation)()
                    except (BotoCoreError, ClientError) as error:
                        assert "connect" not in str(error).lower(), error
                    answered += 1
        for refused in (
            lambda: boto3.Session(profile_name="school").client("s3").list_buckets(),
            lambda: boto3.client("s3").upload_file(boto3.__file__, "tienda", "codigo.py"),
        ):
            with contextlib.suppress(BotoCoreError, ClientError, boto3.exceptions.S3UploadFailedError):
                refused()
        return answered
"""

LISTEN = """
    import sys
    seen = []

    def listen(event, arguments):
        if event.startswith(("socket.", "http.client.", "urllib.")) and event != "socket.gethostname":
            seen.append([event, repr(arguments)])

    sys.addaudithook(listen)
"""

FUNCTION = f"""{LISTEN}{CALLS}
    import os

    def handler(event, context):
        answered = call_everything()
        folder = "/proc/self/fd"
        held = [os.readlink(f"{{folder}}/{{n}}") for n in os.listdir(folder) if os.path.lexists(f"{{folder}}/{{n}}")] if (
            os.path.isdir(folder)
        ) else []
        sockets = [name for name in held if name.startswith("socket:")]
        own = [name for name in os.environ if "proxy" in name.lower() or "ENDPOINT" in name or name == "AWS_PROFILE"]
        return {{"answered": answered, "seen": seen, "sockets": sockets, "own": own}}
"""

PROGRAM = f"""{LISTEN}
    import bentocola, io, json, zipfile
    cloud = bentocola.start("es", live=sys.argv[1] == "live")
    {CALLS.strip()}

    answered = call_everything()
    trust = {{"Effect": "Allow", "Principal": {{"Service": "lambda.amazonaws.com"}}, "Action": "sts:AssumeRole"}}
    document = json.dumps({{"Version": "2012-10-17", "Statement": [trust]}})
    role = boto3.client("iam").create_role(RoleName="worker", AssumeRolePolicyDocument=document)["Role"]["Arn"]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("app.py", sys.stdin.read())
    functions = boto3.client("lambda")
    functions.create_function(
        FunctionName="worker", Runtime="python3.11", Role=role, Handler="app.handler",
        Code={{"ZipFile": packed.getvalue()}}, Timeout=60,
    )
    function = json.loads(functions.invoke(FunctionName="worker")["Payload"].read())
    cloud.stop()
    print(json.dumps({{"answered": answered, "seen": seen, "function": function}}))
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A home with a profile, endpoints and keys that look real, and proxies: all of it leads elsewhere."""
    folder = tmp_path / ".aws"
    folder.mkdir()
    keys = "aws_access_key_id = AKIAREALREALREALREAL\naws_secret_access_key = real-secret\n"
    (folder / "credentials").write_text(f"[default]\n{keys}\n[school]\n{keys}")
    (folder / "config").write_text(
        f"[default]\nregion = eu-west-3\nendpoint_url = {ELSEWHERE}\n"
        f"[profile school]\nregion = ap-northeast-1\nservices = own\n[services own]\ns3 =\n  endpoint_url = {ELSEWHERE}\n"
    )
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), ELSEWHERE)
    own = {
        "AWS_PROFILE": "school",
        "AWS_ENDPOINT_URL": ELSEWHERE,
        "AWS_ENDPOINT_URL_SQS": ELSEWHERE,
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.2/credentials",
        "HOME": str(tmp_path),
        "USERPROFILE": str(tmp_path),
    }
    return {**os.environ, **proxies, **own}


@pytest.mark.parametrize("kind", ["still", "live"])
def test_nobody_connects(environment: dict[str, str], tmp_path: Path, kind: str) -> None:
    """Every service, region, endpoint and proxy, a profile and a transfer, here and in a function: no connection, no look-up."""
    done = subprocess.run(
        [sys.executable, "-c", dedent(PROGRAM), kind],
        input=dedent(FUNCTION),
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        check=False,
    )

    assert done.returncode == 0, done.stderr

    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    function = said["function"]

    assert "errorMessage" not in function, function
    assert (said["answered"], function["answered"]) == (72, 72)
    assert [one for one in said["seen"] if not is_harmless(*one)] == []
    assert (function["seen"], function["sockets"], function["own"]) == ([], [], [])


def is_harmless(event: str, arguments: str) -> bool:
    """urllib3 looks, when it is imported, whether the machine has IPv6: a socket that is bound to this machine and closed."""
    return event == "socket.__new__" or (event == "socket.bind" and arguments.endswith("('::1', 0))"))
