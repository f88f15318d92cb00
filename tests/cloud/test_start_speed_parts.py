"""What makes a start quick changes nothing else: every module, description and session is as it would be without it.

What is imported first decides here, so most of these tests run their code in a Python of their own. How quick it is, no test
says: `python -m bench start` measures it.
"""

from __future__ import annotations

import gc
import importlib
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from typing import Any

import boto3
import botocore.loaders
import botocore.session
import moto.core.loaders
import moto.core.utils
import pytest
from botocore.exceptions import DataNotFoundError, UnknownServiceError
from moto.core.base_backend import AccountSpecificBackend

from bentocola.cloud import imports, models, sessions
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.door import ACCOUNT

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow  # most of them in a Python of their own


def run(code: str, **environment: str) -> str:
    """Run the code in a new Python that knows no AWS settings and whose sockets refuse, and return what it printed."""
    before = """
        import socket
        def refuse(*arguments, **named):
            raise AssertionError(f"Something reached for the network: {arguments}")
        socket.socket.connect = socket.getaddrinfo = refuse
    """
    clean = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(before) + textwrap.dedent(code)],
        env={**clean, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


QUICK = """
import sys
from bentocola.cloud import imports
with imports.quick():
    import boto3, moto, moto.core, moto.iam.models, moto.s3.models, moto.sqs.models
"""


# What waits


def test_a_start_leaves_out_what_can_wait() -> None:
    """In a fresh process, `bentocola.start` imports none of it."""
    code = """
        import sys
        import bentocola
        bentocola.start("es")
        from bentocola.cloud import imports
        print([wait.module for wait in imports._CAN_WAIT if wait.module in sys.modules])
    """
    assert run(code).splitlines()[-1] == "[]"


@pytest.mark.parametrize("wait", imports._CAN_WAIT, ids=lambda wait: str(wait.module))
def test_what_a_stand_in_says_is_what_the_module_says(wait: imports._Wait) -> None:
    """Each constant has the real one's value, and what is passed on is what its holder would have."""
    module = importlib.import_module(wait.module)
    for name, value in wait.constants.items():
        assert getattr(module, name) == value or name == "aws_managed_policies_data"
    for holder, names in wait.passed_on.items():
        for name in names:
            assert getattr(importlib.import_module(holder), name) is getattr(module, name)


def test_the_account_is_motos() -> None:
    """The account that a stand-in gives as moto's own is the one that the door calls its own."""
    assert moto.core.DEFAULT_ACCOUNT_ID == ACCOUNT


def test_what_can_wait_waits() -> None:
    """After the imports of a start, none of it is there: neither the modules nor their stand-ins."""
    code = f"{QUICK}print([wait.module for wait in imports._CAN_WAIT if wait.module in sys.modules])"
    assert run(code).strip() == "[]"


def test_what_waits_is_there_when_it_is_asked_for() -> None:
    """By each way in which somebody may ask for it."""
    run(
        f"""{QUICK}
from moto import mock_aws
assert mock_aws is sys.modules["moto.core.decorator"].mock_aws is moto.mock_aws
import werkzeug, werkzeug.serving
assert werkzeug.run_simple is werkzeug.serving.run_simple
from moto.core import patch_client
assert patch_client is sys.modules["moto.core.models"].patch_client
from s3transfer.compat import BaseManager
from multiprocessing.managers import BaseManager as real
assert BaseManager is real
import s3transfer.processpool
import requests, requests.structures, moto.core.authorization, moto.s3.utils
assert requests.structures.CaseInsensitiveDict(A=1)["a"] == 1
assert moto.core.authorization.requests.post is requests.post
assert moto.s3.utils.CaseInsensitiveDict(A=1)["a"] == 1
import cryptography.x509
assert moto.iam.models.x509.load_pem_x509_certificate is cryptography.x509.load_pem_x509_certificate
assert moto.core.versions.is_responses_0_17_x
"""
    )


def test_motos_iam_gets_its_policies_when_it_is_told_to_read_them() -> None:
    """https://docs.getmoto.org/en/latest/docs/services/iam.html"""
    run(
        f"""{QUICK}
from moto import mock_aws
for told, found in ((False, 0), (True, 3)):
    with mock_aws(config={{"iam": {{"load_aws_managed_policies": told}}}}):
        listed = boto3.client("iam", region_name="us-east-1").list_policies(Scope="AWS", MaxItems=3)
        assert len(listed["Policies"]) == found
"""
    )


def test_what_importing_moto_brings_along_is_there_too() -> None:
    """`import moto` gives moto the modules that its mocks import as attributes; an unknown one is an error in Python's words."""
    run(f"{QUICK}assert moto.backends.get_backend and moto.backend_index.backend_url_patterns")
    run(f"{QUICK}assert moto.core.models.botocore_stubber")
    run(f"{QUICK}from moto import *\nassert mock_aws")
    code = "try:\n    moto.nothing\nexcept AttributeError as error:\n    print(error)"
    assert run(f"{QUICK}{code}") == run(f"import moto\n{code}") == "module 'moto' has no attribute 'nothing'\n"


def test_a_module_that_waits_can_be_asked_for_while_it_waits() -> None:
    """Somebody, in another thread perhaps, imports it while others leave it out: their function works, and so does a class."""
    run(
        """
import sys
from bentocola.cloud import imports
with imports.quick():
    import requests
    from moto.core.decorator import mock_aws
    from multiprocessing.managers import BaseManager
    class Manager(BaseManager):
        pass
    assert requests.Session and requests.structures.CaseInsensitiveDict
    import moto.s3.models
with mock_aws():
    import boto3
    assert boto3.client("s3", region_name="us-east-1").list_buckets()["Buckets"] == []
import multiprocessing.managers
assert Manager.__mro__[1] is multiprocessing.managers.BaseManager
assert sys.modules["requests"].structures is sys.modules["requests.structures"]
"""
    )


@pytest.mark.parametrize(
    "first",
    [
        "",
        "import boto3",
        "import moto",
        "from moto import mock_aws",
        "import requests",
        "import cryptography.x509",
        "import s3transfer.manager",
        "import boto3; boto3.client('s3')",
        "import bentocola.cloud.cloud",
    ],
)
def test_whatever_is_imported_first_a_start_works(first: str) -> None:
    """And so does `mock_aws` after it, for a client that was made before."""
    run(
        f"""
{first}
from bentocola.cloud import imports
with imports.quick():
    from bentocola.cloud.cloud import start
    cloud = start("es")
import boto3
s3 = boto3.client("s3")
s3.create_bucket(Bucket="orders")
assert [bucket["Name"] for bucket in s3.list_buckets()["Buckets"]] == ["orders"]
cloud.stop()
from moto import mock_aws
@mock_aws
def mocked():
    assert s3.list_buckets()["Buckets"] == []
    assert boto3.client("sns", region_name="us-east-1").list_topics()["Topics"] == []
mocked()
""",
        AWS_DEFAULT_REGION="us-east-1",
        AWS_EC2_METADATA_DISABLED="true",
    )


def test_another_moto_is_imported_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this module knows of moto may not be true of another one."""
    monkeypatch.setattr(imports, "TESTED_MOTO", "4.0.0")
    with imports.quick():
        assert not any(isinstance(module, imports._StandIn) for module in list(sys.modules.values()))
    run(
        """
from bentocola.cloud import imports
imports.TESTED_MOTO = "4.0.0"
with imports.quick():
    import moto
import sys
assert "__getattr__" not in vars(moto) and "moto.core.models" in sys.modules
"""
    )


def test_a_package_that_finds_things_in_its_own_way_keeps_it() -> None:
    """Its name gets the real one at once."""
    run(
        """
import sys
from bentocola.cloud import imports
with imports.quick():
    import werkzeug
    werkzeug.__getattr__ = own = lambda name: name.upper()
assert werkzeug.run_simple is sys.modules["werkzeug.serving"].run_simple
assert werkzeug.__getattr__ is own and werkzeug.anything == "ANYTHING"
"""
    )


def test_a_failing_import_leaves_no_stand_in_behind() -> None:
    """The next one finds everything as it was."""
    run(
        """
import gc, sys
from bentocola.cloud import imports
try:
    with imports.quick():
        raise ImportError("no")
except ImportError:
    pass
assert not any(isinstance(module, imports._StandIn) for module in sys.modules.values())
assert gc.isenabled()
from moto import mock_aws
assert mock_aws is sys.modules["moto.core.decorator"].mock_aws
"""
    )


# The collector


@pytest.fixture
def collector() -> Iterator[None]:
    """The collector as this process has it, put back afterwards."""
    enabled = gc.isenabled()
    yield
    gc.unfreeze()
    (gc.enable if enabled else gc.disable)()


@pytest.mark.usefixtures("collector")
@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_rests_and_goes_on_as_before(enabled: bool) -> None:
    """Somebody who has switched it off finds it off."""
    (gc.enable if enabled else gc.disable)()
    with imports.quick():
        assert not gc.isenabled()
    assert gc.isenabled() is enabled
    assert gc.get_freeze_count() == 0


@pytest.mark.usefixtures("collector")
def test_what_somebody_froze_stays_frozen() -> None:
    """A process that is about to fork keeps its objects out of the collector's reach."""
    gc.freeze()
    frozen = gc.get_freeze_count()
    with imports.quick():
        pass
    assert gc.get_freeze_count() == frozen


# The descriptions of the services


@pytest.mark.parametrize(
    ("service", "kind"),
    [
        ("s3", "service-2"),  # has extras
        ("s3", "paginators-1"),  # has extras
        ("s3", "endpoint-rule-set-1"),
        ("s3", "waiters-2"),
        ("sqs", "service-2"),
        ("dynamodb", "service-2"),
        ("ec2", "service-2"),
        ("cloudfront", "service-2"),  # has several versions
    ],
)
def test_a_description_is_botocores(service: str, kind: str) -> None:
    """The same content in the same order, with what the extras add."""
    ordinary = botocore.loaders.Loader().load_service_model(service, kind)
    quick = models.loader().load_service_model(service, kind)
    assert quick == ordinary
    assert list(quick) == list(ordinary)


def test_an_older_version_of_a_service_is_found() -> None:
    """As a client's `api_version` asks for it."""
    found = models.loader().load_service_model("dynamodb", "endpoint-rule-set-1", api_version="2011-12-05")
    assert found == botocore.loaders.Loader().load_service_model("dynamodb", "endpoint-rule-set-1", "2011-12-05")


def test_an_unknown_service_is_refused_in_botocores_words() -> None:
    """With the list of those that there are."""
    refusals = []
    for loader in (botocore.loaders.Loader(), models.loader()):
        with pytest.raises(UnknownServiceError) as refusal:
            loader.load_service_model("nothing", "service-2")
        refusals.append(str(refusal.value))
    assert refusals[0] == refusals[1]
    with pytest.raises(DataNotFoundError):
        models.loader().load_data("nothing")


def test_motos_extras_are_in_motos_descriptions_alone(cloud: Cloud) -> None:
    """moto adds to descriptions that it reads; those who read the same file do not see that, before or after."""
    before = deepcopy(models.loader().load_service_model("s3control", "service-2"))
    quick = moto.core.utils.create_loader().load_service_model("s3control", "service-2")
    ordinary = moto.core.loaders.create_loader().load_service_model("s3control", "service-2")
    assert quick == ordinary
    assert quick != before
    assert models.loader().load_service_model("s3control", "service-2") == before


@pytest.mark.parametrize("service", ["s3", "sqs", "dynamodb"])
def test_what_one_reader_does_to_a_description_no_other_sees(cloud: Cloud, service: str) -> None:
    """botocore takes the bucket out of the addresses of S3's operations when it calls one, and moto needs it there."""
    if service == "s3":
        boto3.client("s3").create_bucket(Bucket="orders")
    boto3.client(service).meta.service_model._service_description["operations"].clear()
    ordinary = botocore.loaders.Loader().load_service_model(service, "service-2")
    assert models.loader().load_service_model(service, "service-2") == ordinary
    ordinary = moto.core.loaders.create_loader().load_service_model(service, "service-2")
    assert moto.core.utils.create_loader().load_service_model(service, "service-2") == ordinary


def test_a_list_of_services_is_whole_while_one_is_looked_for() -> None:
    """In another thread, which shares the loader."""
    loader = models.loader()
    loader._looking_for.service = "s3"
    assert loader.list_available_services("service-2") == ["s3"]
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(loader.list_available_services, "service-2").result()
    assert found == botocore.loaders.Loader().list_available_services("service-2")


def test_a_description_of_ones_own_is_found_and_read_anew(tmp_path: Path) -> None:
    """botocore looks into ~/.aws/models too. What is there may change."""
    folder = tmp_path / ".aws" / "models" / "mine" / "2026-01-01"
    folder.mkdir(parents=True)
    run(
        f"""
from pathlib import Path
from bentocola.cloud import models
for text in ("one", "two"):
    (Path({str(folder)!r}) / "service-2.json").write_text('{{"metadata": "' + text + '"}}')
    assert models.loader().load_service_model("mine", "service-2") == {{"metadata": text}}
""",
        HOME=str(tmp_path),
        USERPROFILE=str(tmp_path),
    )


# The session


def test_the_default_session_knows_what_any_session_knows(cloud: Cloud) -> None:
    """Services, resources, regions."""
    ordinary, ours = boto3.Session(), boto3.DEFAULT_SESSION
    assert ours is not None
    assert ours.get_available_services() == ordinary.get_available_services()
    assert ours.get_available_resources() == ordinary.get_available_resources()
    assert ours.get_available_partitions() == ordinary.get_available_partitions()
    assert ours.get_available_regions("sqs") == ordinary.get_available_regions("sqs")
    assert ours._session.user_agent() == ordinary._session.user_agent()


def test_moto_knows_the_same_regions(cloud: Cloud) -> None:
    """It asks our session for them."""
    ordinary = boto3.Session()
    expected = [
        region
        for partition in ordinary.get_available_partitions()
        for region in ordinary.get_available_regions("sqs", partition_name=partition)
    ]
    assert AccountSpecificBackend.get_session() is boto3.DEFAULT_SESSION
    assert AccountSpecificBackend._generate_regions.__wrapped__(None, "sqs") == expected  # type: ignore[arg-type]


def test_a_later_start_goes_no_deeper_than_the_second() -> None:
    """Whoever starts the cloud all day: nothing is put around what an earlier start put around something."""
    told = run(
        """
        import contextlib, io, sys
        import bentocola, boto3

        def depth():
            with contextlib.redirect_stdout(io.StringIO()):
                bentocola.start("es")
            client, deepest = boto3.client("sqs"), 0
            def look(frame, event, argument):
                nonlocal deepest
                deepest = max(deepest, sum(1 for _ in iter_frames(frame)))
            sys.setprofile(look)
            client.create_queue(QueueName="orders")
            sys.setprofile(None)
            return deepest

        def iter_frames(frame):
            while frame:
                yield frame
                frame = frame.f_back

        from botocore.handlers import BUILTIN_HANDLERS
        depth()
        second, handlers = depth(), len(BUILTIN_HANDLERS)
        for _ in range(20):
            last = depth()
        print(last - second, len(BUILTIN_HANDLERS) - handlers)
        """
    )

    assert told == "0 0\n"


def test_what_earlier_starts_left_is_given_up() -> None:
    """However often a notebook starts the cloud: what a few starts left waits to be collected, and no more."""
    told = run(
        """
        import contextlib, gc, io
        import bentocola, boto3

        def living(starts):
            for _ in range(starts):
                with contextlib.redirect_stdout(io.StringIO()):
                    bentocola.start("es")
                boto3.client("dynamodb")
            return len(gc.get_objects())

        first = living(1)
        print(living(40) / first)
        """
    )

    assert float(told) < 3


def test_a_stop_leaves_boto3_and_moto_as_they_were() -> None:
    """Also when there was no session before."""
    mine: Any = object()
    for former in (None, mine):
        boto3.DEFAULT_SESSION = former
        found = moto.core.utils.create_loader, vars(AccountSpecificBackend)["get_session"]
        default = sessions.Default()
        assert boto3.DEFAULT_SESSION not in (None, former)
        default.restore()
        assert boto3.DEFAULT_SESSION is former
        assert (moto.core.utils.create_loader, vars(AccountSpecificBackend)["get_session"]) == found


def test_another_moto_keeps_its_own_loader_and_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it may have become."""
    monkeypatch.setattr(moto, "__version__", "99.0.0")
    found = moto.core.utils.create_loader, vars(AccountSpecificBackend)["get_session"]
    lent = models.LentToMoto(boto3.Session())
    assert (moto.core.utils.create_loader, vars(AccountSpecificBackend)["get_session"]) == found
    lent.restore()
    assert (moto.core.utils.create_loader, vars(AccountSpecificBackend)["get_session"]) == found


def test_plain_boto3_works_with_all_that_it_has(tmp_path: Path) -> None:
    """Resources, pagination, waiters, transfers in parts, help, sessions of one's own: after the quick imports of a start."""
    run(
        f"""
from bentocola.cloud import imports
with imports.quick():
    from bentocola.cloud.cloud import start
    cloud = start("es")
import boto3
from pathlib import Path
from boto3.s3.transfer import TransferConfig

bucket = boto3.resource("s3").create_bucket(Bucket="orders")
boto3.client("s3").get_waiter("bucket_exists").wait(Bucket="orders")
source, target = Path({str(tmp_path)!r}) / "source", Path({str(tmp_path)!r}) / "target"
source.write_bytes(b"x" * (6 << 20))
bucket.upload_file(str(source), "big", Config=TransferConfig(multipart_threshold=5 << 20, multipart_chunksize=5 << 20))
boto3.client("s3").download_file("orders", "big", str(target))
assert target.read_bytes() == source.read_bytes()
pages = boto3.client("s3").get_paginator("list_objects_v2").paginate(Bucket="orders")
assert [found["Key"] for page in pages for found in page["Contents"]] == ["big"]

table = boto3.resource("dynamodb").create_table(
    TableName="orders",
    AttributeDefinitions=[{{"AttributeName": "customer", "AttributeType": "S"}}],
    KeySchema=[{{"AttributeName": "customer", "KeyType": "HASH"}}],
    BillingMode="PAY_PER_REQUEST",
)
table.wait_until_exists()
table.put_item(Item={{"customer": "lucia", "total": 3}})
assert table.scan()["Items"] == [{{"customer": "lucia", "total": 3}}]

queue = boto3.Session(region_name="eu-west-1").resource("sqs").create_queue(QueueName="orders")
queue.send_message(MessageBody="hola")
assert [message.body for message in queue.receive_messages()] == ["hola"]

assert "create_bucket" in str(boto3.client("s3").create_bucket.__doc__)
for service in ("ec2", "lambda", "sts", "cloudformation"):
    boto3.client(service)
for service in ("ec2", "iam", "sns"):
    boto3.resource(service)
assert boto3.client("dynamodb", api_version="2012-08-10")
"""
    )
