# SPDX-License-Identifier: BSD-2-Clause
"""Recordings without room: rings that are full, flight recorders, memory and disks that are full,
directories that cannot be made."""
import os
import struct

import pytest

import attached
import recorded


@pytest.fixture
def many(sdt):
    return recorded.build(sdt, "record_many.c", "-pthread")


@recorded.with_and_without_rseq
def test_what_is_lost_is_counted(sdt, many, rseq):
    """Exactly, by everybody who reads it."""
    sdt.command(many, "threads", 20000, 3,
                env={**recorded.wish(sdt, options="ring=64K,packet=4K"), **rseq})
    events, discarded, packets = recorded.read(sdt)
    hits = 3 * recorded.hits_of(20000)
    assert len(events) + discarded == hits and packets == 0 and 1000 < len(events) < hits
    assert len(recorded.words(sdt)) == len(events) and recorded.lost(sdt) == discarded
    summary = recorded.tool(sdt, "report", "--summary", "rec").stdout.splitlines()
    rows = [line.split() for line in summary if "/cpu" in line]
    assert sum(int(row[2]) for row in rows) == len(events)
    assert sum(int(row[3]) for row in rows) == discarded
    result = recorded.tool(sdt, "report", "--json", "rec")
    assert len(result.stdout.splitlines()) == len(events) and f"{discarded} events" in result.stderr


@pytest.mark.parametrize("end", ["exit", "kill"])
def test_a_flight_recorder_keeps_the_newest(sdt, many, end):
    cpu = min(os.sched_getaffinity(0))
    sdt.command("taskset", "-c", cpu, many, end, 50000, 9 if end == "kill" else 0,
                env=recorded.wish(sdt, options="flight,ring=64K,packet=4K"), status=None)
    if end == "kill":
        recorded.tool(sdt, "recover", "rec")
    words = recorded.words(sdt)
    [numbers] = recorded.ticks(words).values()
    assert numbers == list(range(50000 - len(numbers), 50000))
    assert 48 << 10 < sum(16 + len(word.payload) + 7 & ~7 for word in words) <= 64 << 10
    assert recorded.count(sdt) == len(words) and recorded.lost(sdt) == 0


def test_the_oldest_packet_whose_place_was_being_taken(sdt, many):
    """As a thread leaves it that is interrupted while it opens a packet and goes on on another CPU,
    where it wants a snapshot: the new header, in front of the old events."""
    size, count = 4096, 16
    cpu = min(os.sched_getaffinity(0))
    sdt.command("taskset", "-c", cpu, many, "kill", 50000, 9, status=None,
                env=recorded.wish(sdt, options="flight,ring=64K,packet=4K"))
    [trace] = recorded.traces(sdt)
    with open(trace / ".rings", "r+b") as file:
        data = bytearray(file.read())
        struct.pack_into("<I", data, 104, 1)  # wanted
        ring = 4096 + cpu * (4096 + size * count)
        [head] = struct.unpack_from("<Q", data, ring)
        assert head % size > 80 and head > 2 * size * count
        struct.pack_into("<Q", data, ring, head // size * size)
        file.seek(0)
        file.write(data)
    recorded.tool(sdt, "recover", "rec")
    [stream] = recorded.streams(sdt, gaps=True)
    assert len(stream) == count - 1 and stream[0].sequence == head // size - count + 1
    [numbers] = recorded.ticks(recorded.words(sdt)).values()
    assert len(numbers) > 1000 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_a_flight_recorder_that_is_not_full_has_all(sdt, many):
    sdt.command(many, "threads", 300, 2, env=recorded.wish(sdt, options="flight,ring=256K"))
    assert len(recorded.words(sdt)) == recorded.count(sdt) == 2 * recorded.hits_of(300)


def wrong(sdt, many, directory, options=""):
    """What the program says that cannot record, and then runs as if it need not."""
    result = sdt.command(many, "exit", 10, 7, status=7,
                         env={**recorded.wish(sdt, options=options), "SDT_RECORD": str(directory)})
    [line] = result.stderr.splitlines()
    assert line.startswith("libsdt ") and ": nothing is recorded: " in line
    return line.split(": nothing is recorded: ", 1)[1]


def test_directories_that_cannot_be_made(sdt, many):
    file = sdt.write("file", "")
    full = sdt.path("full")
    full.mkdir()
    (full / "mine").write_text("")
    assert wrong(sdt, many, file) == f"{file}: Not a directory"
    assert wrong(sdt, many, file / "rec") == f"{file}/rec: Not a directory"
    assert wrong(sdt, many, "no/where") == "no/where: No such file or directory"
    assert wrong(sdt, many, full) == \
        f"{full}: it exists and is not a recording: name another directory"
    assert os.listdir(full) == ["mine"]
    assert wrong(sdt, many, "") == "SDT_RECORD is not set: the directory to record into"


@pytest.mark.parametrize("options", [
    "ring=", "ring=1", "ring=12K", "ring=3M", "ring=2048M", "packet=2K", "ring=16K,packet=16K",
    "text=1025", "text=99999999999999999999", "rin=1M", "flight=1", "ring=1M,,x", "ring=1G1",
    "ring=-16384", "packet=32M,ring=64M"])
def test_options_that_are_wrong(sdt, many, options):
    assert "SDT_RECORD_OPTIONS is not [flight]" in wrong(sdt, many, sdt.path("rec"), options)
    assert not list(sdt.dir.glob("rec/*/metadata"))


def in_own_mounts(sdt, script, **kwargs):
    """SCRIPT, of a shell, where it may mount what no other process sees."""
    if sdt.command("unshare", "-m", "true", status=None).returncode:
        pytest.skip("mounts of one's own are not permitted")
    return sdt.command("unshare", "-m", "sh", "-ec", script, **kwargs)


def test_no_room_in_memory(sdt, many):
    """The rings are in the directory then."""
    in_own_mounts(sdt, f"mount -t tmpfs -o size=64k none /dev/shm; {many} kill 1000 9 || :; "
                  "ls -l /dev/shm rec/*/.rings > listing", env=recorded.wish(sdt))
    [trace] = recorded.traces(sdt)
    assert (trace / ".rings").is_file() and not (trace / ".rings").is_symlink()
    recorded.tool(sdt, "recover", "rec")
    assert len(recorded.words(sdt)) == recorded.count(sdt) == recorded.hits_of(1000)
    assert not (trace / ".rings").exists()
    assert "sdt-" not in sdt.path("listing").read_text()


def test_no_room_at_all(sdt, many):
    sdt.path("small").mkdir()
    result = in_own_mounts(
        sdt, "mount -t tmpfs -o size=64k none /dev/shm; mount -t tmpfs -o size=64k none small; "
        f"{many} exit 1000 0; ls /dev/shm; find small", env=recorded.wish(
            sdt, directory="small/rec"))
    assert "nothing is recorded" in result.stderr and "no room for the rings" in result.stderr
    assert result.stdout.split() == ["here", "small", "small/rec", "small/rec/.sdt-recording"]


FULL_DISK = """
mount -t tmpfs -o size=256k none small
{run} || echo status $? >&2
ls -a small/rec/*
mount -o remount,size=64m small
{sdt} recover small/rec
cp -r small/rec rec
"""


def test_a_full_disk(sdt, many):
    """What cannot be written stays in memory until there is room."""
    sdt.path("small").mkdir()
    result = in_own_mounts(sdt, FULL_DISK.format(run=f"{many} threads 10000 2", sdt=recorded.SDT),
                           env=recorded.wish(sdt, directory="small/rec", options="packet=4K"))
    assert ".rings" in result.stdout and "status" not in result.stderr
    [line] = result.stderr.splitlines()
    assert line.endswith("No space left on device; what is not written stays in memory: make room, "
                         f"then run 'sdt recover {sdt.path('small/rec')}'")
    assert len(recorded.words(sdt)) == recorded.count(sdt) == 2 * recorded.hits_of(10000)


def test_a_full_disk_and_sdt_record(sdt, many):
    sdt.path("small").mkdir()
    run = f"{recorded.SDT} record -o small/rec -- {many} threads 10000 2"
    result = in_own_mounts(sdt, FULL_DISK.format(run=run, sdt=recorded.SDT))
    assert ".rings" in result.stdout
    assert "No space left on device; what is not written stays in memory: make room, then run " \
        "'sdt recover small/rec'\n" in result.stderr
    assert len(recorded.words(sdt)) == recorded.count(sdt) == 2 * recorded.hits_of(10000)


def test_a_full_disk_and_a_snapshot(sdt):
    """What is not written is no snapshot, and stays in memory."""
    exe = attached.build(sdt, "live_slow.c", "slow")
    sdt.path("small").mkdir()
    run = f"{recorded.SDT} record -o small/rec --ring=1M --when 'slow:done /i == 30000/' " \
        f"-e 'slow:*' -- {exe} 30100"
    result = in_own_mounts(sdt, FULL_DISK.format(run=run, sdt=recorded.SDT))
    assert ".rings" in result.stdout and ", 0 snapshots\n" in result.stderr
    assert "No space left on device; what is not written stays in memory" in result.stderr
    found = {word.payload for word in recorded.words(sdt)}
    assert len(found) > 10000
