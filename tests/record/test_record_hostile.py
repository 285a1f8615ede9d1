# SPDX-License-Identifier: BSD-2-Clause
"""Recordings that were forged: rings that lie, FIFOs and links in place of files. What
reads or repairs them ends, soon, and writes to nothing but the recording."""
import os
import pathlib
import random
import struct

import pytest

import recorded

pytestmark = pytest.mark.sanitized  # damaged recordings

PACKET, RING = 4096, 16384
STRIDE = 4096 + RING
EDGES = [0, 1, 8, 79, 80, 608, 4095, 4096, RING, 1 << 31, (1 << 32) - 1, 1 << 44, 1 << 62,
         (1 << 63) - 1, 1 << 63, (1 << 64) - 8, (1 << 64) - 1]


@pytest.fixture
def killed(sdt):
    """A function that makes a recording of a program that was killed; its trace."""
    many = recorded.build(sdt, "record_many.c", "-pthread")

    def kill(directory="rec", options=""):
        sdt.command(many, "kill", 3000, 9, status=-9, env=recorded.wish(
            sdt, directory=directory, options=f"ring=16K,packet=4K{options}"))
        return recorded.traces(sdt, directory)[0]
    return kill


@pytest.fixture
def bytes_of_rings(sdt, killed):
    """A recording whose rings are in its directory, and what is in them."""
    trace = killed(options=",flight")
    path = pathlib.Path(os.readlink(trace / ".rings"))
    data = path.read_bytes()
    path.unlink()
    (trace / ".rings").unlink()
    metadata = (trace / "metadata").read_bytes()

    def recover(change, status=0):
        for file in trace.iterdir():
            file.unlink()
        (trace / "metadata").write_bytes(metadata)
        (trace / ".rings").write_bytes(change(bytearray(data)))
        before = {file: file.read_bytes() for file in trace.iterdir()}
        shown = recorded.tool(sdt, "report", "--summary", "rec", status=None)
        assert shown.returncode in (0, 1), shown
        assert before == {file: file.read_bytes() for file in trace.iterdir()}
        result = recorded.tool(sdt, "recover", "rec", status=status)
        assert result.returncode in (0, 1), result
        assert sum(file.stat().st_size for file in trace.iterdir()) < 3 * len(data)
        return result
    return recover


def put(where, value):
    def change(data):
        for at in range(4096 + where, len(data), STRIDE):
            struct.pack_into("<Q", data, at, value)
        return data
    return change


@pytest.mark.parametrize("where", [0, 64, 72], ids=["head", "tail", "sequence"])
@pytest.mark.parametrize("flight", [0, 1])
def test_positions_that_are_out_of_range(bytes_of_rings, where, flight):
    for value in EDGES:
        def change(data, value=value):
            struct.pack_into("<I", data, 24, flight)
            return put(where, value)(data)
        result = bytes_of_rings(change, status=None)
        assert result.returncode == (1 if where == 0 and value > 1 << 62 else 0), (value, result)


@pytest.mark.parametrize("field", [4, 8, 12, 16, 20], ids=["packet", "cpus", "version", "b", "c"])
def test_numbers_of_the_file_that_are_absurd(bytes_of_rings, field):
    for value in EDGES:
        if value < 1 << 32:
            def change(data, value=value):
                if struct.unpack_from("<I", data, field)[0] != value:
                    struct.pack_into("<I", data, field + 4 if field == 4 else field, value)
                return data
            bytes_of_rings(change, status=None)


@pytest.mark.parametrize("field", [48, 56, 64, 72], ids=["cycles", "epoch", "frequency", "mono"])
def test_clocks_that_cannot_be(bytes_of_rings, field):
    for value in [0, 1, 1 << 44, 1 << 63, (1 << 64) - 1]:
        def change(data, value=value):
            struct.pack_into("<Q", data, field, value)
            return data
        bytes_of_rings(change, status=None)


def test_rings_of_random_words(bytes_of_rings):
    """All that events and packets say is wrong, somewhere."""
    chance = random.Random(1)
    for _ in range(60):
        def change(data):
            for _ in range(chance.choice([1, 3, 30])):
                at = chance.randrange(4096, len(data), 8)
                struct.pack_into("<Q", data, at, chance.choice([chance.getrandbits(64),
                                                                chance.choice(EDGES)]))
            return data
        bytes_of_rings(change, status=None)


@pytest.mark.parametrize("name", ["metadata", "cpu0", ".rings", "../.sdt-recording"])
def test_a_fifo_in_place_of_a_file(sdt, killed, name):
    trace = killed()
    file, rings = trace / name, os.readlink(trace / ".rings")
    for path in [file] if name != "cpu0" else [trace / f"cpu{i}" for i in range(os.cpu_count())]:
        path.unlink(missing_ok=True)
        os.mkfifo(path)
    status = 0 if name == "../.sdt-recording" else 1
    recorded.tool(sdt, "recover", "rec", status=status)
    recorded.tool(sdt, "report", "rec", status=None)
    pathlib.Path(rings).unlink(missing_ok=True)


@pytest.mark.parametrize("name", ["metadata", "cpu0", ".rings"])
def test_a_link_in_place_of_a_file(sdt, killed, name):
    trace = killed()
    rings = os.readlink(trace / ".rings")
    other = sdt.write("other", "precious")
    for path in [trace / name] if name != "cpu0" \
            else [trace / f"cpu{i}" for i in range(os.cpu_count())]:
        path.unlink(missing_ok=True)
        path.symlink_to(other)
    recorded.tool(sdt, "recover", "rec", status=1)
    assert other.read_text() == "precious"
    pathlib.Path(rings).unlink(missing_ok=True)


def test_a_trace_that_is_a_link_is_not_ours(sdt, killed):
    trace = killed()
    before = sorted(path.name for path in trace.iterdir())
    sdt.path("other").mkdir()
    sdt.path("other/.sdt-recording").touch()
    sdt.path("other/trace").symlink_to(trace)
    assert recorded.tool(sdt, "recover", "other").stdout == "other: nothing to recover\n"
    assert before == sorted(path.name for path in trace.iterdir())
    recorded.tool(sdt, "recover", "rec")
