"""Runs in the pages' own Python: does what a page does first, and compiles each module that this took.

Each goes into `/compiled.zip` by its path in site-packages, or below `stdlib/` for a module of Python's own library.
"""

import py_compile
import sys
import zipfile
from pathlib import Path

SITE = "/site/"
sys.path.insert(0, SITE)

# What lessons and assignments do, in a few lines.
from bentocola_page.shell import Shell  # type: ignore[import-not-found]  # noqa: E402

FIRST = """
import json, os
import boto3
import bentocola
from bentocola.checks import check, tryout
from bentocola.quiz import reply
from bentocola.selfcheck import selfcheck
from bentocola.shop import Shop
from bentocola.views import Stepper
cloud = bentocola.start("es")
selfcheck(cloud)
boto3.client("iam"), boto3.client("lambda"), boto3.client("logs")
Stepper.story(cloud, "twice")
cloud.view()
shop = Shop(cloud)
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
with check(cloud, "save_once", 1) as test:
    test.survives(save_once, "save-once-repeat")
test.result
"""
said: list[str] = []
assert Shell("es", said.append).run("first", FIRST), said[-1]

written = set()
with zipfile.ZipFile("/compiled.zip", "w", zipfile.ZIP_STORED) as archive:
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None) or ""
        read = getattr(getattr(module.__spec__, "loader", None), "get_data", None)  # a frozen module has none
        library, is_in_it, own = file.partition("python314.zip/")
        path = f"stdlib/{own}" if is_in_it else file.removeprefix(SITE) if file.startswith(SITE) else ""
        if not path.endswith(".py") or path in written or read is None:
            continue
        Path("/source.py").write_bytes(read(file))
        # Unchecked: the source does not travel with it. https://peps.python.org/pep-0552/
        py_compile.compile(
            "/source.py",
            "/code.pyc",
            file,
            doraise=True,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
        archive.write("/code.pyc", f"{path}c")
        written.add(path)
