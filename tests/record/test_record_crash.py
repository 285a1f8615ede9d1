# SPDX-License-Identifier: BSD-2-Clause
"""Recordings that end badly: SIGKILL at any moment of recording and of writing the files. `sdt
recover` makes whole what is left."""
import os
import pathlib
import random
import shutil
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
    said = recorded.tool(sdt, "recover", directory).stdout
    n = check(sdt, directory, 3, by_others=is_tenth)
    assert said == f"{directory}: {n} event{'s' * (n != 1)} recovered, " \
        f"{recorded.lost(sdt, directory)} lost\n"
    assert not (trace / ".rings").is_symlink() and not rings.exists()
    if is_tenth:
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
    """The program has ended, and its rings are being written to files when it is killed."""
    chance = random.Random(seed)
    directory = f"rec{seed}"
    process, trace = start(sdt, exe, "threads", 20000, 2, directory=directory,
                           options=f"{options},packet={chance.choice(['4K', '16K'])}")
    while process.poll() is None and not list(trace.glob("cpu*")):
        pass
    time.sleep(chance.uniform(0, 0.002))
    process.kill()
    process.wait()
    recorded.tool(sdt, "recover", directory)
    check(sdt, directory, 2, None if options != "ring=8M" else 20000)
    shutil.rmtree(sdt.path(directory))


def test_killed_while_writing_files(sdt, many):
    for seed in range(6):
        killed_while_writing(sdt, many, seed)


def test_killed_while_a_thread_writes_files(sdt, many):
    for seed in range(6):
        killed_while_writing(sdt, many, seed, "ring=4M,thread")


@pytest.mark.slow
def test_killed_while_writing_files_many_times(sdt, many):
    for seed in range(100, 300):
        killed_while_writing(sdt, many, seed)
        killed_while_writing(sdt, many, seed + 1000, "ring=4M,thread")
