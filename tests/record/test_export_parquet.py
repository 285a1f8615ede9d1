# SPDX-License-Identifier: BSD-2-Clause
"""`sdt export --parquet`: what a reader of our own, written from the format's description, finds in
the files; and DuckDB and hyparquet, where node finds them."""
import json
import os
import random
import resource
import signal
import subprocess

import parquet
import pytest

from conftest import ROOT
from patience import until
from recordings import TYPES, Trace
from test_export_sqlite import START, two_recordings
from test_record_full import in_own_mounts
from test_sdt_report import TOOL, VALUES, rec, run  # noqa: F401  (a fixture)


def export(sdt, *args, status=0):
    return run(sdt, "export", "--parquet=out", *(args or ("rec",)), status=status)


def files(sdt):
    out = sdt.path("out")
    return sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())


def read(sdt, probe, host="machine"):
    return parquet.File(sdt.path("out") / f"host={host}" / f"{probe}.parquet")


def every_type(rec):
    trace = Trace(rec)
    kinds = sorted(TYPES)
    kind = trace.define("web", "all", *(f"a_{name}:{name}" for name in kinds))
    for n in range(4):
        trace.stream(2).event(10 + n, kind, *(VALUES[name][n] for name in kinds), tid=5000 + n)
    trace.write()
    return kinds


def test_every_type_value_for_value(sdt, rec):
    kinds = every_type(rec)
    export(sdt)
    assert files(sdt) == ["host=machine/web.all.parquet"]
    file = read(sdt, "web.all")
    assert file.probe == "web:all" and len(file.rows) == 4
    for n, row in enumerate(file.rows):
        assert {key: row[key] for key in list(row)[:10]} == {
            "event": n, "time": START + 10 + n, "recording": "rec", "host": "machine",
            "process": "web", "pid": 4711, "tid": 5000 + n, "cpu": 2, "function": "serve",
            "place": "web.c:12"}
        for name in kinds:
            assert row[f"a_{name}"] == VALUES[name][n], name
    for i, bits in enumerate((8, 16, 32, 64)):
        physical = parquet.INT64 if bits == 64 else parquet.INT32
        assert file.types[f"a_int{bits}"] == (physical, parquet.SIGNED[i])
        assert file.types[f"a_uint{bits}"] == (physical, parquet.UNSIGNED[i])
    assert [file.types[f"a_{name}"] for name in ("bool", "float", "double", "string", "bytes")] == [
        (parquet.BOOLEAN, None), (parquet.FLOAT, None), (parquet.DOUBLE, None),
        (parquet.BYTES, parquet.UTF8), (parquet.BYTES, None)]


def many_values(rec):
    """Of each encoding, in lengths that end anywhere in a block; returns what was written."""
    trace = Trace(rec)
    some = random.Random(35)
    fields = {"same": "int32", "few": "uint64", "rising": "int64", "any": "int64",
              "narrow": "int32", "real": "double", "yes": "bool", "path": "string", "id": "string"}
    rows = []
    for size in (1, 7, 8, 9, 31, 33, 129, 1000):
        kind = trace.define("web", f"n{size}", *(f"{name}:{form}" for name, form in
                                                 fields.items()))
        short = trace.define("web", f"n{size}", "same:int32")
        for n in range(size):
            row = (7, some.choice((1, 2**63, 2**64 - 1)), 10**15 + n * 3 + some.randrange(3),
                   some.randrange(-2**63, 2**63), some.randrange(-2**31, 2**31), some.random(),
                   some.randrange(2), some.choice(("/a", "/b", "")), f"request {n} of {size}")
            trace.stream().event(len(rows), kind, *row)
            rows.append((size, *row))
            if some.randrange(9) == 0:
                trace.stream().event(len(rows), short, 8)
                rows.append((size, 8, *[None] * 8))
    trace.write()
    return list(fields), rows


def test_every_encoding(sdt, rec):
    names, rows = many_values(rec)
    export(sdt)
    for size in sorted({row[0] for row in rows}):
        file = read(sdt, f"web.n{size}")
        assert [tuple(row[name] for name in names) for row in file.rows] == [
            row[1:] for row in rows if row[0] == size]
        [encodings] = file.encodings
    assert [encodings[name] for name in ("host", "same", "few", "rising", "path", "time")] == [
        parquet.DICTIONARY] * 3 + [parquet.DELTA, parquet.DICTIONARY, parquet.DELTA]
    assert [encodings[name] for name in ("any", "real", "yes", "id")] == [
        parquet.DELTA] + [parquet.PLAIN] * 3


def test_a_row_group_has_an_end(sdt, rec):
    """And the next one begins with the next row."""
    trace = Trace(rec)
    kind, count = trace.define("web", "tick"), (1 << 17) + 5
    body = kind.encode(1, (), 4711, 4711)
    trace.stream().events = [(n, body) for n in range(count)]
    trace.write()
    export(sdt)
    file = read(sdt, "web.tick")
    assert file.groups == [1 << 17, 5]
    assert [row["event"] for row in file.rows] == list(range(count))


def test_several_recordings_are_partitions(sdt):
    two_recordings(sdt)
    export(sdt, "one", "two")
    assert files(sdt) == [f"host={host}/web.get-{end}.parquet" for host in ("one", "two")
                          for end in ("begin", "end")]
    [[one], [two]] = (read(sdt, "web.get-begin", host).rows for host in ("one", "two"))
    assert list(one) == list(two)
    assert (one["size"], one["path"], one["code"]) == (5, None, "404")
    assert (two["size"], two["path"], two["code"]) == (-2**40, "/x", "gone")
    [end] = read(sdt, "web.get-end", "two").rows
    assert (end["begin"], end["duration"]) == (two["event"], 7)


def test_names_of_files(sdt, rec):
    """What a file system, or a reader of partitions, takes for something else."""
    trace = Trace(rec, host="a/b=c d")
    for provider, name in (("_x", "a.b"), ("p/q", ".."), ("a.b", "c"), ("long", "n" * 300)):
        trace.stream().event(1, trace.define(provider, name))
    trace.write()
    nameless = Trace(sdt.path("rec2"), host="")
    nameless.stream().event(1, nameless.define("web", "tick"))
    nameless.write()
    export(sdt, "rec", "rec2")
    host = "host=a%2fb%3dc%20d"
    names = [name for name in files(sdt) if "long" not in name]
    assert names == ["host=__HIVE_DEFAULT_PARTITION__/web.tick.parquet",
                     f"{host}/%5fx.a%2eb.parquet", f"{host}/a%2eb.c.parquet",
                     f"{host}/p%2fq.%2e%2e.parquet"]
    [name] = [name for name in files(sdt) if "long" in name]
    assert parquet.File(sdt.path("out") / name).probe == f"long:{'n' * 300}"


def test_an_empty_directory_is_replaced_and_others_are_not(sdt, rec):
    every_type(rec)
    sdt.path("out").mkdir()
    export(sdt, "rec/")
    before = (sdt.path("out") / "host=machine" / "web.all.parquet").read_bytes()
    assert "cannot write out: it exists and is not empty" in export(sdt, status=1).stderr
    assert (sdt.path("out") / "host=machine" / "web.all.parquet").read_bytes() == before
    assert "cannot write rec/web-4711/cpu2: it exists and is not a directory" in run(
        sdt, "export", "--parquet=rec/web-4711/cpu2", "rec", status=1).stderr
    assert "cannot create a directory beside no/out: No such file" in run(
        sdt, "export", "--parquet=no/out", "rec", status=1).stderr
    assert sorted(os.listdir(sdt.path("."))) == ["out", "rec"]


def texts(rec, count):
    trace, some = Trace(rec), random.Random(1)
    kind = trace.define("web", "text", "text:string")
    for n in range(count):
        trace.stream().event(n, kind, some.randbytes(500).hex())
    trace.write()


def test_a_full_disk_leaves_nothing(sdt, rec):
    texts(rec, 1000)
    sdt.path("small").mkdir()
    result = in_own_mounts(sdt, "mount -t tmpfs -o size=64k none small; "
                           f"{TOOL} export --parquet=small/out rec || ls -a small")
    assert "cannot write small/out: No space left on device" in result.stderr
    assert result.stdout.split() == [".", ".."]
    limit = resource.prlimit(0, resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limit[1]))
        assert "cannot write out: File too large" in export(sdt, status=1).stderr
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert sorted(os.listdir(sdt.path("."))) == ["rec", "small"]


@pytest.mark.parametrize("is_ignored", [False, True])
def test_interrupted_it_leaves_nothing(sdt, rec, is_ignored):
    """It ends with the signal, as a shell expects; or goes on, if that is ignored, as by nohup."""
    texts(rec, 20000)
    child = subprocess.Popen(
        [TOOL, "export", "--parquet=out", "rec"], cwd=sdt.path("."), preexec_fn=lambda: (
            signal.signal(signal.SIGINT, signal.SIG_IGN if is_ignored else signal.SIG_DFL)))
    until(lambda: len(os.listdir(sdt.path("."))) > 1 or child.poll() is not None)
    child.send_signal(signal.SIGINT)
    status = child.wait()
    left = os.listdir(sdt.path("."))
    is_stopped = (status, left) == (-signal.SIGINT, ["rec"]) and not is_ignored
    assert is_stopped or (status, sorted(left)) == (0, ["out", "rec"])


# ---- foreign readers ----

def node(sdt, script, *packages):
    """What SCRIPT prints as JSON. Packages are sought where NODE_PATH says."""
    look = "".join(f"require.resolve({package!r});" for package in packages)
    sdt.write("look.js", look)
    sdt.write("script.cjs", script)
    if sdt.command("node", "look.js", status=None).returncode != 0:
        pytest.skip(f"node finds no {' or '.join(packages)} in NODE_PATH")
    return json.loads(sdt.command("node", "script.cjs").stdout)


DUCKDB = """
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const rows = [];
    for (const query of %s)
        rows.push((await connection.runAndReadAll(query)).getRowsJson());
    console.log(JSON.stringify(rows));
})();
"""


def test_duckdb_reads_it(sdt, rec):
    names, rows = many_values(rec)
    two_recordings(sdt)
    export(sdt, "rec", "one", "two")
    listed = ", ".join(f'"{name}"' for name in names)
    everything = [f"SELECT {listed} FROM 'out/*/web.n{size}.parquet' ORDER BY event"
                  for size in (1, 7, 8, 9, 31, 33, 129, 1000)]
    by_host = ("SELECT b.host, b.size, e.duration FROM read_parquet('out/*/web.get-begin.parquet', "
               "hive_partitioning = true) AS b JOIN 'out/*/web.get-end.parquet' AS e "
               "ON e.host = b.host AND e.begin = b.event ORDER BY b.host")
    *found, hosts = node(sdt, DUCKDB % json.dumps([*everything, by_host]), "@duckdb/node-api")

    def shown(row):
        """Integers of 64 bits are texts in their JSON."""
        return [None if value is None else str(value) if name in ("few", "rising", "any") else
                bool(value) if name == "yes" else value
                for name, value in zip(names, row, strict=True)]
    assert [row for table in found for row in table] == [shown(row[1:]) for row in rows]
    assert hosts == [["one", "5", "7"], ["two", str(-2**40), "7"]]


HYPARQUET = """
(async () => {
    const { asyncBufferFromFile, parquetReadObjects } = await import(%s);
    const { compressors } = await import(%s);
    const shown = (key, value) => typeof value === 'bigint' ? String(value) : value;
    const file = await asyncBufferFromFile(%s);
    console.log(JSON.stringify(await parquetReadObjects({ file, compressors }), shown));
})();
"""


def test_hyparquet_reads_it(sdt, rec):
    names, rows = many_values(rec)
    export(sdt)
    packages = ("hyparquet", "hyparquet-compressors")
    found = node(sdt, """
        const { pathToFileURL } = require('url');
        const where = name => pathToFileURL(require.resolve(name)).href;
        """ + HYPARQUET % (f"where('{packages[0]}')", f"where('{packages[1]}')",
                           "'out/host=machine/web.n1000.parquet'"), *packages)
    for row, written in zip(found, [row[1:] for row in rows if row[0] == 1000], strict=True):
        for name, value in zip(names, written, strict=True):
            assert row[name] == (value if name not in ("few", "rising", "any") or value is None
                                 else str(value)), name
