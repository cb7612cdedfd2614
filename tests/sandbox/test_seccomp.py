"""The filter's decisions, by running its instructions as the kernel would, for both architectures."""

import struct

import pytest

from evalplus_run.sandbox.guest import seccomp

ALLOW, KILL = 0x7FFF0000, 0x80000000
PERMISSION, ACCESS, NO_SUCH_CALL, NOT_A_TERMINAL = 0x50001, 0x5000D, 0x50026, 0x50019
WRITE_ONLY, CREATE = 1, 0o100
CLONE_THREAD = 0x10000

# From `syscall_64.tbl` and the generic table, written down apart from the filter's own.
NUMBERS = {
    "x86_64": {
        "read": 0, "mmap": 9, "clone": 56, "fork": 57, "vfork": 58, "execve": 59, "kill": 62, "socket": 41,
        "openat": 257, "ptrace": 101, "clone3": 435, "ioctl": 16, "fcntl": 72, "prlimit64": 302, "socketpair": 53,
        "unlinkat": 263, "mount": 165, "unshare": 272, "bpf": 321, "io_uring_setup": 425, "memfd_create": 319,
        "setrlimit": 160, "execveat": 322, "process_vm_readv": 310, "pidfd_send_signal": 424, "tgkill": 234,
    },
    "aarch64": {
        "read": 63, "mmap": 222, "clone": 220, "execve": 221, "kill": 129, "socket": 198, "openat": 56,
        "ptrace": 117, "clone3": 435, "ioctl": 29, "fcntl": 25, "prlimit64": 261, "socketpair": 199, "unlinkat": 35,
        "mount": 40, "unshare": 97, "bpf": 280, "io_uring_setup": 425, "memfd_create": 279, "setrlimit": 164,
        "execveat": 281, "process_vm_readv": 270, "pidfd_send_signal": 424, "tgkill": 131,
    },
}  # fmt: skip
OUTWARD = (
    "fork", "vfork", "execve", "execveat", "kill", "tgkill", "pidfd_send_signal", "socket", "ptrace", "unlinkat",
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


def test_files_open_for_reading_only(machine):
    assert decide(machine, "openat", 0, 0, 0) == ALLOW
    assert decide(machine, "openat", 0, 0, WRITE_ONLY) == ACCESS
    assert decide(machine, "openat", 0, 0, CREATE) == ACCESS


def test_no_file_opens_where_there_is_no_landlock(machine):
    assert decide(machine, "openat", 0, 0, 0, opens=False) == ACCESS


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


@pytest.mark.parametrize("command", [8, 10, 15, 1024, 1026, 1031])
def test_no_descriptor_is_made_to_send_signals(machine, command):
    assert decide(machine, "fcntl", 0, command) == PERMISSION


@pytest.mark.parametrize("command", [0, 1, 2, 3, 4, 1030])
def test_descriptors_can_be_copied_and_their_flags_read(machine, command):
    assert decide(machine, "fcntl", 0, command) == ALLOW


def test_another_architectures_calls_end_the_process(machine):
    assert decide(machine, "read", arch=0x40000003) == KILL
    assert decide(machine, "read", number=0x40000001) == KILL
