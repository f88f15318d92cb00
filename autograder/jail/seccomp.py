"""Seccomp: which system calls this process, and all that it starts, may make. Changes this process only, for good.

The filter lets through what is not named, so that Python, numpy and shells run as ever; `syscalls` names what is refused.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from functools import cache

from . import kernel
from .syscalls import ABSENT, NUMBERS, OWN_ONLY, PRETENDED, REFUSED, named

__all__ = ["LET_THROUGH", "answer", "install", "load_number", "only_if", "program", "restrict"]

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000
"""On x86_64, numbers from here on are the same calls once more, in another calling convention."""
_PR_SET_SECCOMP, _FILTER = 22, 2
_ALLOW, _KILL_PROCESS, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_GREATER_OR_EQUAL, _IF_ANY_BIT = 0x15, 0x35, 0x45
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_ANY_NEW_NAMESPACE = 0x7E020080
_AF_UNIX, _DATAGRAM, _KIND_OF_SOCKET = 1, 2, 0xF
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C


def _step(code: int, value: int, when_true: int = 0, when_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, when_true, when_false, value)


def _argument(place: int) -> bytes:
    """Load the lower half of an argument: all of it that the kernel looks at for an int."""
    return _step(_LOAD, _ARGUMENTS + 8 * place)


def load_number() -> bytes:
    """Load the number of the system call."""
    return _step(_LOAD, _NUMBER)


def answer(number: int) -> bytes:
    """Answer with this errno; 0 is success, with nothing done."""
    return _step(_RETURN, _ERROR | number)


LET_THROUGH = _step(_RETURN, _ALLOW)


def only_if(number: int, *steps: bytes) -> bytes:
    """Do these steps, which have to end in an answer, for this system call only."""
    body = b"".join(steps)
    return _step(_IF_EQUAL, number, 0, len(body) // 8) + body


@cache
def program(machine: str, *, sockets: bool, shares_uid: bool) -> bytes:
    """Return the filter for `machine`. `sockets`: whether AF_UNIX sockets may be made, else pairs only.

    `shares_uid`: whether the room has the uid of somebody whose files it must not touch.
    """
    numbers = NUMBERS[machine]
    refused = errno.EPERM
    steps = [_step(_LOAD, _ARCH), _step(_IF_EQUAL, _AUDIT_ARCH[machine], 1, 0), _step(_RETURN, _KILL_PROCESS)]
    steps.append(load_number())
    if machine == "x86_64":
        steps += [_step(_IF_GREATER_OR_EQUAL, _X32, 0, 1), answer(refused)]
    answers = dict.fromkeys(named(REFUSED), refused) | dict.fromkeys(named(ABSENT), errno.ENOSYS)
    answers |= dict.fromkeys(named(PRETENDED), 0) if shares_uid else {}
    steps += [only_if(numbers[name], answer(error)) for name, error in answers.items() if name in numbers]
    for name in named(OWN_ONLY) if shares_uid else ():
        steps.append(only_if(numbers[name], _argument(0), _step(_IF_EQUAL, 0, 1, 0), answer(refused), LET_THROUGH))
    steps.append(
        only_if(
            numbers["clone"], _argument(0), _step(_IF_ANY_BIT, _ANY_NEW_NAMESPACE, 0, 1), answer(refused), LET_THROUGH
        )
    )
    # What is typed into a terminal from here would be read by the teacher's shell.
    steps.append(
        only_if(
            numbers["ioctl"],
            _argument(1),
            _step(_IF_EQUAL, _TIOCSTI, 1, 0),
            _step(_IF_EQUAL, _TIOCLINUX, 0, 1),
            answer(refused),
            LET_THROUGH,
        )
    )
    is_unix = (_argument(0), _step(_IF_EQUAL, _AF_UNIX, 1, 0), answer(errno.EACCES))
    steps.append(only_if(numbers["socket"], *is_unix, LET_THROUGH if sockets else answer(errno.EACCES)))
    # A datagram can be addressed to any path or abstract name, from one of a pair too.
    of_a_stream = (_argument(1), _step(_AND, _KIND_OF_SOCKET), _step(_IF_EQUAL, _DATAGRAM, 0, 1), answer(errno.EACCES))
    steps.append(only_if(numbers["socketpair"], *is_unix, *(() if sockets else of_a_stream), LET_THROUGH))
    steps.append(LET_THROUGH)
    return b"".join(steps)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def install(filter_: bytes) -> None:
    """Install a filter. Sets no_new_privs. Raises OSError."""
    memory = ctypes.create_string_buffer(filter_, len(filter_))
    head = _Program(len(filter_) // 8, ctypes.addressof(memory))
    kernel.no_new_privileges()
    kernel.prctl(_PR_SET_SECCOMP, _FILTER, ctypes.byref(head), what="seccomp")


def restrict(*, sockets: bool, shares_uid: bool) -> None:
    """Install the room's filter for this machine. Raises OSError."""
    install(program(kernel.machine(), sockets=sockets, shares_uid=shares_uid))
