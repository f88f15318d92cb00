"""Numbers of system calls by machine, and what a room hears when it makes one. Data only.

The numbers never change. A test compares them with libseccomp's where that is installed.
"""

from __future__ import annotations

from typing import Final

__all__ = ["ABSENT", "NUMBERS", "OWN_ONLY", "PRETENDED", "REFUSED", "named"]

REFUSED: Final = "refused"
"""Not permitted."""
ABSENT: Final = "absent"
"""As from a kernel that has no such call: callers do without. Some of them make memory that no file and no limit counts."""
OWN_ONLY: Final = "own only"
"""Under the teacher's uid, not permitted for another process: the first argument, a pid, has to be 0."""
PRETENDED: Final = "pretended"
"""Landlock lets them through on any file of one's own uid. Where that is the teacher's, they do nothing and say that they did."""
EXAMINED: Final = "examined"
"""It depends on the arguments: `seccomp` says how."""

_CALLS: dict[str, tuple[int | None, int | None, str]] = {
    # name: (x86_64, aarch64, what is heard)
    "acct": (163, 89, REFUSED),
    "add_key": (248, 217, REFUSED),
    "adjtimex": (159, 171, REFUSED),
    "bpf": (321, 280, REFUSED),
    "chmod": (90, None, PRETENDED),
    "chown": (92, None, PRETENDED),
    "chroot": (161, 51, REFUSED),
    "clock_adjtime": (305, 266, REFUSED),
    "clock_settime": (227, 112, REFUSED),
    "clone": (56, 220, EXAMINED),
    "clone3": (435, 435, ABSENT),
    "delete_module": (176, 106, REFUSED),
    "fanotify_init": (300, 262, REFUSED),
    "fchmod": (91, 52, PRETENDED),
    "fchmodat": (268, 53, PRETENDED),
    "fchmodat2": (452, 452, PRETENDED),
    "fchown": (93, 55, PRETENDED),
    "fchownat": (260, 54, PRETENDED),
    "file_setattr": (469, 469, PRETENDED),
    "finit_module": (313, 273, REFUSED),
    "fremovexattr": (199, 16, PRETENDED),
    "fsconfig": (431, 431, REFUSED),
    "fsetxattr": (190, 7, PRETENDED),
    "fsmount": (432, 432, REFUSED),
    "fsopen": (430, 430, REFUSED),
    "fspick": (433, 433, REFUSED),
    "futimesat": (261, None, PRETENDED),
    "init_module": (175, 105, REFUSED),
    "io_uring_enter": (426, 426, ABSENT),
    "io_uring_register": (427, 427, ABSENT),
    "io_uring_setup": (425, 425, ABSENT),
    "ioctl": (16, 29, EXAMINED),
    "ioperm": (173, None, REFUSED),
    "iopl": (172, None, REFUSED),
    "ioprio_set": (251, 30, REFUSED),
    "kcmp": (312, 272, REFUSED),
    "kexec_file_load": (320, 294, REFUSED),
    "kexec_load": (246, 104, REFUSED),
    "keyctl": (250, 219, REFUSED),
    "lchown": (94, None, PRETENDED),
    "lookup_dcookie": (212, 18, REFUSED),
    "lremovexattr": (198, 15, PRETENDED),
    "lsetxattr": (189, 6, PRETENDED),
    "memfd_create": (319, 279, ABSENT),
    "memfd_secret": (447, 447, ABSENT),
    "migrate_pages": (256, 238, REFUSED),
    "modify_ldt": (154, None, REFUSED),
    "mount": (165, 40, REFUSED),
    "mount_setattr": (442, 442, REFUSED),
    "move_mount": (429, 429, REFUSED),
    "move_pages": (279, 239, REFUSED),
    "mq_open": (240, 180, ABSENT),
    "msgctl": (71, 187, ABSENT),
    "msgget": (68, 186, ABSENT),
    "msgrcv": (70, 188, ABSENT),
    "msgsnd": (69, 189, ABSENT),
    "name_to_handle_at": (303, 264, REFUSED),
    "nfsservctl": (180, 42, REFUSED),
    "open_by_handle_at": (304, 265, REFUSED),
    "open_tree": (428, 428, REFUSED),
    "open_tree_attr": (467, 467, REFUSED),
    "perf_event_open": (298, 241, REFUSED),
    "personality": (135, 92, REFUSED),
    "pidfd_getfd": (438, 438, REFUSED),
    "pivot_root": (155, 41, REFUSED),
    "prlimit64": (302, 261, OWN_ONLY),
    "process_madvise": (440, 440, REFUSED),
    "process_mrelease": (448, 448, REFUSED),
    "process_vm_readv": (310, 270, REFUSED),
    "process_vm_writev": (311, 271, REFUSED),
    "ptrace": (101, 117, REFUSED),
    "quotactl": (179, 60, REFUSED),
    "quotactl_fd": (443, 443, REFUSED),
    "reboot": (169, 142, REFUSED),
    "removexattr": (197, 14, PRETENDED),
    "removexattrat": (466, 466, PRETENDED),
    "request_key": (249, 218, REFUSED),
    "sched_setaffinity": (203, 122, OWN_ONLY),
    "sched_setattr": (314, 274, OWN_ONLY),
    "sched_setparam": (142, 118, OWN_ONLY),
    "sched_setscheduler": (144, 119, OWN_ONLY),
    "semctl": (66, 191, ABSENT),
    "semget": (64, 190, ABSENT),
    "semop": (65, 193, ABSENT),
    "semtimedop": (220, 192, ABSENT),
    "setdomainname": (171, 162, REFUSED),
    "sethostname": (170, 161, REFUSED),
    "setns": (308, 268, REFUSED),
    "setpriority": (141, 140, REFUSED),
    "settimeofday": (164, 170, REFUSED),
    "setxattr": (188, 5, PRETENDED),
    "setxattrat": (463, 463, PRETENDED),
    "shmat": (30, 196, ABSENT),
    "shmctl": (31, 195, ABSENT),
    "shmget": (29, 194, ABSENT),
    "socket": (41, 198, EXAMINED),
    "socketpair": (53, 199, EXAMINED),
    "swapoff": (168, 225, REFUSED),
    "swapon": (167, 224, REFUSED),
    "syslog": (103, 116, REFUSED),
    "umount2": (166, 39, REFUSED),
    "unshare": (272, 97, REFUSED),
    "userfaultfd": (323, 282, REFUSED),
    "utime": (132, None, PRETENDED),
    "utimensat": (280, 88, PRETENDED),
    "utimes": (235, None, PRETENDED),
    "vhangup": (153, 58, REFUSED),
}

NUMBERS: dict[str, dict[str, int]] = {
    machine: {name: number for name, row in _CALLS.items() if isinstance(number := row[place], int)}
    for place, machine in enumerate(("x86_64", "aarch64"))
}
"""By machine, the number by name; a call that the machine does not have is not in it."""


def named(heard: str) -> tuple[str, ...]:
    """Return the names of the calls of one kind."""
    return tuple(name for name, row in _CALLS.items() if row[2] == heard)
