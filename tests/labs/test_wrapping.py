"""A command that a check gives is set over several lines, and stays the command that it is."""

from __future__ import annotations

import re
import shlex
import subprocess

import nbformat
import pytest

from bentocola.labs.idempotent_consumer.commands import PURGE, delete_command, put_command, send_command
from bentocola.labs.wrapping import WIDTH, wrapped
from bentocola.messages import LANGUAGES
from tests.repository import ROOT

QUEUE = 'aws sqs set-queue-attributes --queue-url "$QUEUE_URL" --attributes VisibilityTimeout=30'
COMMANDS = [
    QUEUE,
    PURGE,
    "python -m zipfile -c function.zip app.py",
    "aws lambda delete-event-source-mapping --uuid 01234567-0123-0123-0123-0123456789ab",
    send_command('{"id": "dedup-order", "quantity": true}'),
    send_command('{"id": "it\'s", "quantity":  5, "note": "\\\\ --no option, \\"quoted\\""}'),
    send_command("--roto"),
    send_command(""),
    send_command('{"id": "dedup-order",\n  "quantity": 4}'),
    delete_command("lab05-orders", "01234567-0123-0123-0123-0123456789ab"),
    put_command("lab05-reference", {"id": "reference", "note": "keep unchanged", "n": 3}),
    delete_command(f"{'a' * 50}-orders", "注文 1"),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_shell_reads_the_same_words(command: str) -> None:
    """What is pasted is what stood in one line, and bash takes it so."""
    set_out = wrapped(command)
    echo = "QUEUE_URL=here; printf '<%s>' {}"
    read = [
        subprocess.run(["bash", "-c", echo.format(one)], capture_output=True, check=True).stdout
        for one in (command, set_out)
    ]

    assert shlex.split(set_out.replace(" \\\n", " ")) == shlex.split(command)
    assert read[0] == read[1]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_is_longer_than_need_be(command: str) -> None:
    """Only a single word that no shell could break is."""
    for line in re.split(r"\n(?=  )", wrapped(command)):
        word = line.removesuffix(" \\").strip()
        assert len(line) <= WIDTH or len(shlex.split(word)) == 1


def test_commands_stay_apart() -> None:
    """Each begins at the left, and only a line that goes on ends in a backslash."""
    job = send_command('{"id": "dedup-order", "quantity": 4}')

    assert wrapped(f"{PURGE}\n{job}").splitlines() == [
        PURGE,
        'aws sqs send-message --queue-url "$QUEUE_URL" \\',
        "  --message-body \\",
        '  \'{"id": "dedup-order", "quantity": 4}\'',
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_are_set_as_in_the_notebook(language: str) -> None:
    """A student reads both side by side."""
    cells = nbformat.read(ROOT / "lessons" / language / "05-idempotent-consumer-lab.ipynb", as_version=4).cells
    blocks = [block for cell in cells for block in re.findall(r"```bash\n(.*?)\n```", cell.source, re.DOTALL)]
    plain = [block for block in blocks if "$(" not in block]

    assert len(plain) > 10
    assert [wrapped(re.sub(r" \\\n +", " ", block)) for block in plain] == plain
