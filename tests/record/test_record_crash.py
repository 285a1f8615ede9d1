# SPDX-License-Identifier: BSD-2-Clause
"""Recordings that end badly: SIGKILL at any moment of recording and of writing the files. `sdt
report` reads what is left in memory, and `sdt recover` makes the files whole."""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import time

import pytest

import recorded

MANY = int(os.environ.get("SDT_KILLS", "500"))  # of the slow test


@pytest.fixture
def many(sdt):
    return recorded.build(sdt, "record_many.c", "-pthread")


def start(sdt, exe, *args, **wishes):
    """The program, as soon as it records; its trace."""
    process = subprocess.Popen([exe, *map(str, args)], cwd=sdt.dir, stdout=subprocess.DEVNULL,
                               env={**os.environ, **recorded.wish(sdt, **wishes)})
    limit = time.monotonic() + 60
    trace = sdt.path(wishes.get("directory", "rec")) / f"{exe.name}-{process.pid}"
    while not (trace / "metadata").exists() or b"rec:tick" not in (trace / "metadata").read_bytes():
        assert process.poll() is None and time.monotonic() < limit
        time.sleep(0.0005)
    return process, trace


def check(sdt, directory, threads, whole=None, by_others=True):
    """All is readable; each thread's ticks are a prefix without gaps, if nothing was lost, and the
    WHOLE of them if there is such a number. BY_OTHERS: babeltrace2 reads the same events."""
    words = recorded.words(sdt, directory)
    assert not by_others or recorded.count(sdt, directory) == len(words)
    lost = recorded.lost(sdt, directory)
    found = recorded.ticks(words)
    for numbers in found.values():
        assert all(a < b for a, b in zip(numbers, numbers[1:])), "twice, or out of order"
        assert lost or numbers == list(range(len(numbers)))
        assert not whole or lost or len(numbers) == whole
    if whole:
        assert len(words) + lost == threads * recorded.hits_of(whole)
        assert len(found) == threads
    return len(words)


def contents(directory):
    """What is in the recording, and in the memory that belongs to it."""
    return {path: path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


def reported(sdt, directory):
    """What `sdt report` shows of a recording that was not recovered: the events but for their
    times, since the clock is measured each time, and how many were lost. It changes nothing."""
    before = contents(sdt.path(directory))
    assert any(path.name == ".rings" for path in before)
    shown = recorded.tool(sdt, "report", "--json", directory)
    said = re.findall(r"without writing its last (\d+) events?: read from memory", shown.stderr)
    lost = re.search(r"(\d+) events? discarded, 0 packets lost", shown.stderr)
    assert contents(sdt.path(directory)) == before
    return without_times(shown.stdout), sum(map(int, said)), int(lost[1]) if lost else 0


def without_times(text):
    events = [json.loads(line) for line in text.splitlines()]
    assert all(a["time"] <= b["time"] for a, b in zip(events, events[1:]))
    return [{**event, "time": 0} for event in events]


def killed_while_recording(sdt, exe, seed):
    """Each tenth is looked at by others as well, which takes most of the time."""
    is_tenth = seed % 10 == 0
    chance = random.Random(seed)
    directory = f"rec{seed}"
    pace = chance.choice([0, 300, 1000])
    process, trace = start(sdt, exe, "threads", 0, 3, pace, directory=directory,
                           options=f"ring=4M,packet={chance.choice(['4K', '16K', '64K'])}")
    time.sleep(chance.uniform(0, 0.0005 if pace == 0 else 0.005))
    process.kill()
    process.wait()
    rings = pathlib.Path(os.readlink(trace / ".rings"))
    assert rings in recorded.rings(process.pid)
    shown, in_memory, missing = reported(sdt, directory) if is_tenth else ([], 0, 0)
    said = recorded.tool(sdt, "recover", directory).stdout
    n = check(sdt, directory, 3, by_others=is_tenth)
    assert said == f"{directory}: {n} event{'s' * (n != 1)} recovered, " \
        f"{recorded.lost(sdt, directory)} lost\n"
    assert not (trace / ".rings").is_symlink() and not rings.exists()
    if is_tenth:
        assert (in_memory, missing) == (n, recorded.lost(sdt, directory)) and len(shown) == n
        assert shown == without_times(recorded.tool(sdt, "report", "--json", directory).stdout)
        before = {path: path.read_bytes() for path in trace.iterdir()}
        again = recorded.tool(sdt, "recover", directory).stdout
        assert again == f"{directory}: nothing to recover\n"
        assert before == {path: path.read_bytes() for path in trace.iterdir()}
    shutil.rmtree(sdt.path(directory))
    return n


@pytest.mark.nosan  # many programs; the tests below do what it does a few times
def test_killed_while_recording(sdt, many):
    assert sum(killed_while_recording(sdt, many, seed) for seed in range(40)) > 400


@pytest.mark.slow
def test_killed_while_recording_many_times(sdt, many):
    for seed in range(40, 200 + MANY):
        killed_while_recording(sdt, many, seed)


def killed_while_writing(sdt, exe, seed, options="ring=8M"):
    """The program has ended, and its rings are being written to files when it is killed. A third
    is also read before it is recovered."""
    chance = random.Random(seed)
    directory = f"rec{seed}"
    process, trace = start(sdt, exe, "threads", 20000, 2, directory=directory,
                           options=f"{options},packet={chance.choice(['4K', '16K'])}")
    while process.poll() is None and not list(trace.glob("cpu*")):
        pass
    time.sleep(chance.uniform(0, 0.002))
    process.kill()
    process.wait()
    has_rings = seed % 3 == 0 and (trace / ".rings").exists()
    shown, _, missing = reported(sdt, directory) if has_rings else (None, 0, 0)
    recorded.tool(sdt, "recover", directory)
    if has_rings:
        assert missing == recorded.lost(sdt, directory)
        assert shown == without_times(recorded.tool(sdt, "report", "--json", directory).stdout)
    check(sdt, directory, 2, None if options != "ring=8M" else 20000)
    shutil.rmtree(sdt.path(directory))


@pytest.mark.plain
def test_killed_while_writing_files(sdt, many):
    for seed in range(6):
        killed_while_writing(sdt, many, seed)


@pytest.mark.plain
def test_killed_while_a_thread_writes_files(sdt, many):
    for seed in range(6):
        killed_while_writing(sdt, many, seed, "ring=4M,thread")


@pytest.mark.slow
def test_killed_while_writing_files_many_times(sdt, many):
    for seed in range(100, 300):
        killed_while_writing(sdt, many, seed)
        killed_while_writing(sdt, many, seed + 1000, "ring=4M,thread")


def test_killed_between_two_stores(sdt, many):
    """A packet is in the stream, and the ring knows its number, but not yet where the next begins:
    its events are shown and recovered once."""
    sdt.command(many, "kill", 3000, 9, status=-9, env=recorded.wish(sdt, options="packet=4K"))
    [trace] = recorded.traces(sdt)
    rings = pathlib.Path(os.readlink(trace / ".rings"))
    memory = bytearray(rings.read_bytes())
    recorded.tool(sdt, "recover", "rec")
    stride = (len(memory) - 4096) // struct.unpack_from("<I", memory, 12)[0]
    for path in trace.glob("cpu*"):
        written = path.stat().st_size // 4096  # packets that are whole
        os.truncate(path, written * 4096)
        if not written:
            continue
        ring = 4096 + int(path.name[3:]) * stride
        struct.pack_into("<QQ", memory, ring + 64, (written - 1) * 4096, written)  # tail, sequence
        struct.pack_into("<QQ", memory, ring + 88, written, written * 4096)
    (trace / ".rings").write_bytes(memory)
    events, in_memory, _ = reported(sdt, "rec")
    assert [event["args"]["i"] for event in events if event["name"] == "tick"] == [*range(3000)]
    assert 0 < in_memory < 3375 == len(events)
    recorded.tool(sdt, "recover", "rec")
    assert check(sdt, "rec", 1, 3000) == 3375


def test_a_program_that_still_records(sdt, many):
    """Its rings are left alone, also when it was stopped."""
    with subprocess.Popen([many, "exit", "16", ",9"], cwd=sdt.dir, stdout=subprocess.PIPE,
                          env={**os.environ, **recorded.wish(sdt)}) as process:
        assert process.stdout.read(10) == b"here\ndone\n"
        for number in (signal.SIGCONT, signal.SIGSTOP):
            process.send_signal(number)
            shown = recorded.tool(sdt, "report", "--json", "rec")
            assert "the program still records: its last events are left out" in shown.stderr
            assert not shown.stdout
        process.kill()
    assert reported(sdt, "rec")[1] == 18
    recorded.tool(sdt, "recover", "rec")


# ---- Before there is anything to recover. ----

# Kill the process before its KILL-th call of those that make the files of a recording.
FATAL = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <signal.h>
    #include <stdarg.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <sys/types.h>
    #include <unistd.h>
    static int is_counting, calls;
    static void count(void)
    {
        const char *fatal = getenv("KILL");
        if (is_counting && fatal && ++calls == atoi(fatal))
            raise(SIGKILL);
    }
    #define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))
    int mkdir(const char *path, mode_t mode)
    {
        is_counting = 1;
        count();
        return NEXT(mkdir)(path, mode);
    }
    int mkdirat(int dir, const char *path, mode_t mode)
    {
        is_counting = 1;
        count();
        return NEXT(mkdirat)(dir, path, mode);
    }
    int openat(int dir, const char *path, int flags, ...)
    {
        va_list more;
        va_start(more, flags);
        int mode = flags & O_CREAT ? va_arg(more, int) : 0;
        va_end(more);
        count();
        return NEXT(openat)(dir, path, flags, mode);
    }
    ssize_t write(int fd, const void *data, size_t size)
    {
        count();
        return NEXT(write)(fd, data, size);
    }
    int renameat(int a, const char *from, int b, const char *to)
    {
        count();
        return NEXT(renameat)(a, from, b, to);
    }
    int symlinkat(const char *to, int dir, const char *path)
    {
        count();
        return NEXT(symlinkat)(to, dir, path);
    }
    int linkat(int a, const char *from, int b, const char *to, int flags)
    {
        count();
        return NEXT(linkat)(a, from, b, to, flags);
    }
"""


@pytest.mark.nosan  # a library that is loaded before the sanitizer's
def test_killed_before_each_call_that_begins_a_recording(sdt, many):
    """What has not begun has no events, and what others recorded there can be read by everybody."""
    fatal = sdt.path("fatal.so")
    sdt.command("gcc", "-shared", "-fPIC", "-o", fatal, sdt.write("fatal.c", FATAL), "-ldl")
    sdt.command(many, "threads", 10, 1, env=recorded.wish(sdt, directory="first"))
    found, n = set(), 0
    while 22 not in found or process.returncode:
        n += 1
        directory = shutil.copytree(sdt.path("first"), sdt.path(f"rec{n}")).name
        with subprocess.Popen([many, "threads", "10", "1"], cwd=sdt.dir, env={
                **os.environ, **recorded.wish(sdt, directory=directory),
                "LD_PRELOAD": str(fatal), "KILL": str(n)}) as process:
            pass
        assert process.returncode in (0, -9)
        assert recorded.count(sdt, directory) in (11, 22)
        events = recorded.tool(sdt, "report", "--json", directory).stdout.count("\n")
        recorded.tool(sdt, "recover", directory)
        assert events == 11 or recorded.count(sdt, directory) == 22
        assert not recorded.rings(process.pid)
        found.add(events)
    assert found == {11, 22} and n > 8


@pytest.mark.plain
def test_a_description_that_was_cut_off(sdt, many):
    """At any byte, of a probe that was not hit yet: what was hit can be read by everybody."""
    sdt.command(many, "kill", 16, 9, status=-9,
                env=recorded.wish(sdt, options="ring=16K,packet=4K"))
    [trace] = recorded.traces(sdt)
    whole, memory = (trace / "metadata").read_bytes(), (trace / ".rings").read_bytes()
    pathlib.Path(os.readlink(trace / ".rings")).unlink()
    last = whole.rindex(b"/* sdt-event ")
    assert recorded.tool(sdt, "report", "rec").stderr.count("memory, which is gone") == 1
    for size in range(len(whole) - 1, last, -max(1, (len(whole) - last) // 30)):
        for path in trace.iterdir():
            path.unlink()
        (trace / "metadata").write_bytes(whole[:size])
        (trace / ".rings").write_bytes(memory)
        assert recorded.tool(sdt, "report", "--json", "rec").stdout.count("\n") == 18
        said = recorded.tool(sdt, "recover", "rec").stdout
        left = (trace / "metadata").read_bytes()
        assert len(left) <= size and left.endswith((b"};\n", b"};\n\n"))
        assert (f"metadata: cut off at byte {len(left)}: " in said) == (len(left) != size)
        assert recorded.count(sdt) == 18
