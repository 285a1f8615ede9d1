# SPDX-License-Identifier: BSD-2-Clause
"""Every form of `sdt export`, and the page, when something is wrong: a full disk, a recording of
another version, and nobody who reads; what was there stays, and nothing is left beside it."""
import os

import pytest

from recordings import Trace
from test_record_full import in_own_mounts
from test_sdt_report import TOOL, rec, run  # noqa: F401  (a fixture)

FORMS = ["export --chrome", "export --otlp", "export --parquet", "export --perfetto",
         "export --sqlite", "report --html"]


@pytest.fixture(params=FORMS, ids=lambda form: form.rsplit("--", 1)[1])
def form(request):
    if "sqlite" in request.param and b"built without libsqlite3" in TOOL.read_bytes():
        pytest.skip("this sdt was built without libsqlite3")
    return request.param


def words_of(form, path):
    return f"{form}={path}".split()


def write(directory, count, **kwargs):
    trace = Trace(directory, **kwargs)
    begin = trace.define("web", "get__begin", "text:string")
    end = trace.define("web", "get__end")
    for n in range(count):  # no compression makes these few
        trace.stream().event(2 * n, begin, os.urandom(150).hex()).event(2 * n + 1, end)
    trace.write()


def test_a_full_disk(sdt, rec, form):
    """The file of before is there, if the form may replace it."""
    write(rec, 3000)
    sdt.path("small").mkdir()
    before = "" if "parquet" in form else "echo before > small/out; "
    script = (f"mount -t tmpfs -o size=128k none small; {before}"
              f"{TOOL} {form}=small/out rec && echo done; ls -A small; cat small/out || :")
    result = in_own_mounts(sdt, script)
    assert "error: cannot write small/out: " in result.stderr
    assert "o space left on device" in result.stderr or "disk is full" in result.stderr
    assert result.stdout.split() == (["out", "before"] if before else [])


def test_another_version(sdt, rec, form):
    """Is named, also if it is the last one of several; nothing is written."""
    write(rec, 10)
    write(sdt.path("new"), 10, version=2, host="other")
    for args in (("new",), ("rec", "new")):
        result = run(sdt, *words_of(form, "out"), *args, status=1)
        assert "new/web-4711/metadata: the recording has version '2'" in result.stderr
        assert sorted(os.listdir(sdt.path("."))) == ["new", "rec"]


def test_a_place_that_does_not_exist(sdt, rec, form):
    write(rec, 1)
    result = run(sdt, *words_of(form, "none/out"), "rec", status=1)
    assert "none/out: No such file or directory" in result.stderr
    assert os.listdir(sdt.path(".")) == ["rec"]


def test_odd_names(sdt, rec, form):
    """Quotes, line feeds and what is not UTF-8, in every name and text: written, and silent."""
    odd = 'a"b\'c\n</script>\\;%'
    trace = Trace(rec, program=odd.replace("/", ""), host=odd)
    begin = trace.define(odd, f"{odd}_begin", f"{odd}:string", function=odd, place=odd)
    end = trace.define(odd, f"{odd}_end", f"{odd}:bytes", function=odd, place=odd)
    trace.path = rec / "odd"
    trace.stream().event(1, begin, b"\xff\xfe\"'\n").event(2, end, b"\0\xff")
    trace.write()
    result = run(sdt, *words_of(form, "out"), "rec")
    assert not result.stderr and sdt.path("out").exists()
