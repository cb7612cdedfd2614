"""The filter's decisions, by running its instructions as the kernel would, for both architectures."""

import struct

import pytest

from evalplus_run.sandbox.guest import seccomp

ALLOW, KILL = 0x7FFF0000, 0x80000000
PERMISSION, ACCESS, NO_SUCH_CALL, NOT_A_TERMINAL = 0x50001, 0x5000D, 0x50026, 0x50019
INVALID, SAID_TO_BE_DONE, NOT_SUPPORTED = 0x50016, 0x50000, 0x5005F
WRITE_ONLY, CREATE, TRUNCATE, WITHOUT_NAME = 1, 0o100, 0o1000, 0o20000000
ZYGOTE = 1
"""Its process id in namespaces."""
CLONE_THREAD = 0x10F00

# From `syscall_64.tbl` and the generic table, written down apart from the filter's own.
NUMBERS = {
    "x86_64": {
        "read": 0, "mmap": 9, "clone": 56, "fork": 57, "vfork": 58, "execve": 59, "kill": 62, "socket": 41,
        "openat": 257, "ptrace": 101, "clone3": 435, "ioctl": 16, "fcntl": 72, "prlimit64": 302, "socketpair": 53,
        "unlinkat": 263, "mount": 165, "unshare": 272, "bpf": 321, "io_uring_setup": 425, "memfd_create": 319,
        "setrlimit": 160, "execveat": 322, "process_vm_readv": 310, "pidfd_send_signal": 424, "tgkill": 234,
        "mkdirat": 258, "renameat2": 316, "ftruncate": 77, "chmod": 90, "fchmodat": 268, "fsync": 74, "madvise": 28,
        "linkat": 265, "symlinkat": 266, "mknodat": 259, "truncate": 76, "fallocate": 285, "chown": 92,
        "setxattr": 188, "sendto": 44, "msync": 26, "statx": 332, "clock_gettime": 228, "clock_nanosleep": 230,
    },
    "aarch64": {
        "read": 63, "mmap": 222, "clone": 220, "execve": 221, "kill": 129, "socket": 198, "openat": 56,
        "ptrace": 117, "clone3": 435, "ioctl": 29, "fcntl": 25, "prlimit64": 261, "socketpair": 199, "unlinkat": 35,
        "mount": 40, "unshare": 97, "bpf": 280, "io_uring_setup": 425, "memfd_create": 279, "setrlimit": 164,
        "execveat": 281, "process_vm_readv": 270, "pidfd_send_signal": 424, "tgkill": 131,
        "mkdirat": 34, "renameat2": 276, "ftruncate": 46, "fchmodat": 53, "fsync": 82, "madvise": 233,
        "linkat": 37, "symlinkat": 36, "mknodat": 33, "truncate": 45, "fallocate": 47, "setxattr": 5,
        "sendto": 206, "msync": 227, "statx": 291, "clock_gettime": 113, "clock_nanosleep": 115,
    },
}  # fmt: skip
OUTWARD = (
    "fork", "vfork", "execve", "execveat", "kill", "tgkill", "pidfd_send_signal", "socket", "ptrace",
    "linkat", "symlinkat", "mknodat", "truncate", "chown",
    "mount", "unshare", "bpf", "io_uring_setup", "memfd_create", "setrlimit", "process_vm_readv",
)  # fmt: skip


def decide(machine, name, *arguments, opens=True, number=None, arch=None):
    """What the filter answers; the instructions are interpreted as `net/core/filter.c` would."""
    number = NUMBERS[machine][name] if number is None else number
    arch = seccomp.AUDIT_ARCH[machine] if arch is None else arch
    data = struct.pack("<IIQ6Q", number, arch, 0, *arguments, *[0] * (6 - len(arguments)))
    program = [*struct.iter_unpack("<HBBI", seccomp.build(machine, opens=opens))]
    accumulator, at = 0, 0
    while True:
        code, if_true, if_false, value = program[at]
        at += 1
        if code == 0x20:
            accumulator = struct.unpack_from("<I", data, value)[0]
        elif code == 0x06:
            return value
        elif code == 0x54:
            accumulator &= value
        else:
            holds = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}[code]
            at += if_true if holds else if_false


@pytest.fixture(params=["x86_64", "aarch64"])
def machine(request):
    return request.param


@pytest.mark.parametrize("name", OUTWARD)
def test_what_reaches_outwards_is_refused(machine, name):
    if name in NUMBERS[machine]:
        assert decide(machine, name) == PERMISSION


@pytest.mark.parametrize("name", ["read", "mmap"])
def test_what_only_touches_the_program_itself_is_allowed(machine, name):
    assert decide(machine, name) == ALLOW


def test_where_a_file_may_be_written_is_left_to_landlock_but_none_is_emptied_by_reading(machine):
    assert decide(machine, "openat", 0, 0, 0) == ALLOW
    assert decide(machine, "openat", 0, 0, WRITE_ONLY | CREATE | TRUNCATE) == ALLOW
    assert decide(machine, "openat", 0, 0, TRUNCATE) == ACCESS


@pytest.mark.parametrize("name", ["renameat2", "unlinkat", "ftruncate"])
def test_files_are_changed_only_where_they_can_be_opened(machine, name):
    assert decide(machine, name) == ALLOW
    assert decide(machine, name, opens=False) == PERMISSION


def test_no_file_opens_where_there_is_no_landlock(machine):
    assert decide(machine, "openat", 0, 0, 0, opens=False) == ACCESS


def test_no_file_without_a_name_is_made(machine):
    assert decide(machine, "openat", 0, 0, WITHOUT_NAME | WRITE_ONLY) == NOT_SUPPORTED


def test_what_mount_a_file_is_on_is_not_told(machine):
    assert decide(machine, "statx") == NO_SUCH_CALL


@pytest.mark.parametrize("name", ["clock_gettime", "clock_nanosleep"])
def test_a_program_reads_its_own_clocks_and_no_other_process_s(machine, name):
    processes, threads = (((~ZYGOTE << 3) | kind) & 0xFFFFFFFF for kind in (2, 6))
    for clock in (0, 1, 2, 3, threads):
        assert decide(machine, name, clock) == ALLOW
    assert decide(machine, name, processes) == INVALID


@pytest.mark.parametrize("name", ["chmod", "fchmodat", "fsync", "msync"])
def test_what_copying_a_file_asks_for_is_said_to_be_done(machine, name):
    if name in NUMBERS[machine]:
        assert decide(machine, name) == SAID_TO_BE_DONE


def test_attributes_of_files_are_said_to_be_unknown(machine):
    assert decide(machine, "setxattr") == NOT_SUPPORTED


def test_room_in_a_file_is_said_not_to_be_reservable(machine):
    assert decide(machine, "fallocate") == NOT_SUPPORTED


@pytest.mark.parametrize("missing", [0x100, 0x200, 0x400, 0x800, 0x10000])
def test_a_thread_shares_everything(machine, missing):
    assert decide(machine, "clone", 0x3D0F00) == ALLOW
    assert decide(machine, "clone", 0x3D0F00 & ~missing) == PERMISSION


def test_descriptors_are_closed_and_not_multiplied(machine):
    assert decide(machine, None, 3, 9, 0, number=436) == ALLOW
    assert decide(machine, None, 3, 9, 2, number=436) == INVALID


def test_what_is_sent_has_no_address(machine):
    assert decide(machine, "sendto", 3, 0, 1, 0, 0, 0) == ALLOW
    assert decide(machine, "sendto", 3, 0, 1, 0, 0x7F0000000000, 16) == PERMISSION
    assert decide(machine, "sendto", 3, 0, 1, 0, 0x1000, 16) == PERMISSION


@pytest.mark.parametrize("space", [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000, 0x80])
def test_no_thread_starts_in_another_namespace(machine, space):
    assert decide(machine, "clone", CLONE_THREAD | space) == PERMISSION


@pytest.mark.parametrize(("name", "of_signal"), [("kill", 1), ("tgkill", 2)])
def test_signals_go_to_the_program_itself_and_no_other(machine, name, of_signal):
    def sent(process, number):
        arguments = [process, 0, 0]
        arguments[of_signal] = number
        return decide(machine, name, *arguments)

    assert sent(seccomp._OWN_PROCESS, 6) == ALLOW
    assert sent(seccomp._OWN_PROCESS, 9) == PERMISSION
    assert sent(1, 6) == PERMISSION
    assert sent(0, 6) == PERMISSION


def test_memory_is_advised_on_only_for_the_program_itself(machine):
    assert decide(machine, "madvise", 0, 0, 14) == ALLOW
    assert decide(machine, "madvise", 0, 0, 4) == INVALID
    for spoils, shares in ((100, 12), (101, 17)):
        assert decide(machine, "madvise", 0, 0, spoils) == decide(machine, "madvise", 0, 0, shares) == INVALID


def test_threads_start_and_processes_do_not(machine):
    assert decide(machine, "clone", CLONE_THREAD) == ALLOW
    assert decide(machine, "clone", 17) == PERMISSION
    assert decide(machine, "clone3") == NO_SUCH_CALL


def test_limits_can_be_read_and_not_set(machine):
    assert decide(machine, "prlimit64", 0, 0, 0) == ALLOW
    assert decide(machine, "prlimit64", 0, 0, 0x7F00000000) == PERMISSION
    assert decide(machine, "prlimit64", 0, 0, 0x10) == PERMISSION


def test_only_local_socket_pairs_are_made(machine):
    assert decide(machine, "socketpair", 1) == ALLOW
    assert decide(machine, "socketpair", 2) == PERMISSION


def test_terminals_cannot_be_written_to_by_ioctl(machine):
    assert decide(machine, "ioctl", 0, 0x5412) == NOT_A_TERMINAL
    assert decide(machine, "ioctl", 0, 0x5421) == ALLOW


@pytest.mark.parametrize("command", [5, 8, 10, 15, 36, 1024, 1026, 1031])
def test_no_descriptor_is_made_to_send_signals_or_tells_who_holds_a_lock(machine, command):
    assert decide(machine, "fcntl", 0, command) == PERMISSION


@pytest.mark.parametrize("command", [0, 1, 2, 3, 4, 1030])
def test_descriptors_can_be_copied_and_their_flags_read(machine, command):
    assert decide(machine, "fcntl", 0, command) == ALLOW


@pytest.mark.parametrize("command", [6, 7, 37, 38])
def test_a_lock_is_said_to_be_had_and_never_taken(machine, command):
    assert decide(machine, "fcntl", 0, command) == SAID_TO_BE_DONE


def test_another_architectures_calls_end_the_process(machine):
    assert decide(machine, "read", arch=0x40000003) == KILL
    assert decide(machine, "read", number=0x40000001) == KILL
