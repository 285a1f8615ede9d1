# SPDX-License-Identifier: BSD-2-Clause
"""What earlier releases wrote, and today's tools and runtime: tests/fixtures/released/VERSION has
processed objects, a recording and a description of libsdt.so, which its make.sh made then. And what
a later release will write, with higher format numbers: refused, with what to do.
"""
import json
import re
import shutil

import pytest
from conftest import BUILD, ROOT
from elftools.elf.elffile import ELFFile

pytestmark = pytest.mark.plain
RELEASED = ROOT / "tests" / "fixtures" / "released"
VERSIONS = sorted((path.name for path in RELEASED.iterdir() if path.is_dir()),
                  key=lambda name: [int(part) for part in name.split(".")])
MACHINES = ["x86_64", "aarch64", "riscv64"]
MAIN = """#include <sdt/runtime.h>
#include <stdio.h>
int ferry_cross(int side, int cars, const char *captain);
static void look(const struct sdt_event *event, void *data)
{
    (void)data;
    printf("%s %d args\\n", sdt_name(event), sdt_nargs(event));
}
int main(void)
{
    int id = sdt_enable("ferry", look, NULL);
    ferry_cross(1, 7, "Ada");
    int off = sdt_disable(id);
    ferry_cross(1, 7, "Ada");
    printf("%d %s\\n", id > 0 && !off, id < 0 ? sdt_strerror(id) : "");
    return 0;
}
"""


@pytest.fixture(params=VERSIONS)
def kept(request):
    return RELEASED / request.param


def test_there_is_one_for_what_is_being_made():
    """Until it is released, what the tree's own version keeps is made again if a format changes."""
    version = re.search(r"project\(sdtlink VERSION ([\d.]+)",
                        (ROOT / "CMakeLists.txt").read_text())
    assert VERSIONS and VERSIONS[-1] == version[1]


# ---- earlier releases ----

@pytest.mark.parametrize("machine", MACHINES)
def test_objects_are_listed_and_verified(sdt, kept, machine):
    obj = kept / f"{machine}.o"
    sites = json.loads(sdt.sdtlink("list", "--json", obj).stdout)
    assert [(site["provider"], site["name"], site["function"]) for site in sites] == [
        ("ferry", "cross", "ferry_cross"), ("ferry", "full", "ferry_cross"),
        ("ferry", "full", "ferry_cross")]
    assert [(value["name"], value["type"]) for value in sites[0]["fields"]] == [
        ("side", "uint32"), ("cars", "int32"), ("captain", "string")]
    assert ": ok" in sdt.sdtlink("verify", obj).stdout


@pytest.mark.parametrize("runtime", ["static", "shared"])
@pytest.mark.nosan
def test_objects_run_with_the_runtime_of_today(sdt, kept, runtime):
    exe = sdt.link(sdt.compile(sdt.write("main.c", MAIN)), kept / "x86_64.o", runtime=runtime)
    assert sdt.run(exe) == "cross 3 args\nfull 1 args\n1 \n"
    assert ": ok" in sdt.sdtlink("verify", exe).stdout


def test_objects_are_not_processed_again(sdt, kept):
    result = sdt.sdtlink("-o", sdt.path("again.o"), kept / "x86_64.o")
    assert "it has been processed before" in result.stdout
    assert sdt.path("again.o").read_bytes() == (kept / "x86_64.o").read_bytes()


def test_recordings_are_read(sdt, kept):
    sdt.tool = BUILD / "sdt" / "sdt"
    lines = sdt.command(sdt.tool, "report", kept / "recording").stdout.splitlines()[1:]
    crossings = [(f"ferry:cross  side={i & 1} cars={i} captain=\"Ada\"",
                  f"ferry:full   arg0={i * 2.5:g}") for i in range(5)]
    assert [line.split("  ")[-2:] for line in lines if "cross" in line] == [
        one.split("  ") for one, _ in crossings]
    assert [line[line.index("ferry:"):] for line in lines] == [
        line for pair in crossings for line in pair]


# ---- later releases ----

NEWER = 0x7f


@pytest.fixture
def newer(sdt):
    """An object whose structure of registration has a later format."""
    data = bytearray((RELEASED / VERSIONS[-1] / "x86_64.o").read_bytes())
    [at] = [found.start() for found in re.finditer(b"SDTL", data)]
    data[at + 4] = NEWER
    sdt.path("newer.o").write_bytes(data)
    return sdt.path("newer.o")


@pytest.mark.parametrize("what", ["object", "program", "stripped"])
def test_a_later_format_is_not_listed(sdt, newer, what):
    """As if it were of this version: half a list, or a wrong one, would be taken for true."""
    file = newer
    if what != "object":
        file = sdt.link(sdt.compile(sdt.write("main.c", MAIN)), newer)
    if what == "stripped":
        sdt.command("strip", file)
    result = sdt.command(sdt.tool, "list", file, status=1)
    assert re.fullmatch(rf"sdtlink: error: {re.escape(str(file))}: its sites have format {NEWER}, "
                        r"and this version reads \d+: list it with the sdtlink that processed it"
                        "\n", result.stderr)
    assert result.stdout == ""
    if what == "program":
        assert re.search(rf"expected format \d+, found {NEWER}: verify it with the sdtlink",
                         sdt.command(sdt.tool, "verify", file, status=1).stdout)


def test_a_later_format_of_a_kernels_object_is_not_listed(sdt):
    """Whose records say it themselves, each in its flags."""
    obj = sdt.process(sdt.compile(RELEASED / "ferry.c", "-D__KERNEL__", "-fno-pic"),
                      "--freestanding")
    data = bytearray(obj.read_bytes())
    with open(obj, "rb") as file:
        section = ELFFile(file).get_section_by_name("sdt_sites")
        places = range(section["sh_offset"], section["sh_offset"] + section["sh_size"], 40)
    for at in places:
        data[at + 39] = NEWER
    assert len(places) == 3 and len(sdt.sdtlink("list", obj).stdout.splitlines()) == 4
    obj.write_bytes(data)
    assert f"its sites have format {NEWER}, " in sdt.command(sdt.tool, "list", obj, status=1).stderr


@pytest.mark.nosan
def test_a_program_of_a_later_format_runs_without_probes(sdt, newer):
    """Nothing is armed, and who asks is told."""
    exe = sdt.link(sdt.compile(sdt.write("main.c", MAIN)), newer)
    result = sdt.command(exe, env={"SDT_DEBUG": "1"})
    assert result.stdout.startswith("0 no probe matches")
    lines = [line for line in result.stderr.splitlines() if "format" in line]
    assert len(lines) == 1 and re.search(
        rf"the program has probes of format {NEWER}, and this libsdt reads \d+: use the libsdt of "
        "the sdtlink that linked it$", lines[0])
    assert sdt.command(exe).stderr == ""


def test_a_later_recording_is_refused(sdt):
    place = sdt.path("recording")
    shutil.copytree(RELEASED / VERSIONS[-1] / "recording", place)
    [metadata] = place.glob("*/metadata")
    text = metadata.read_bytes()
    assert text.count(b"/* sdt-recording 1 */") == 1
    metadata.write_bytes(text.replace(b"/* sdt-recording 1 */", b"/* sdt-recording 2 */"))
    said = sdt.command(BUILD / "sdt" / "sdt", "report", place, status=1).stderr
    assert "the recording has version '2'; this program reads version 1" in said


# ---- what libsdt.so offers ----

def compared(sdt, description):
    """abidiff's status and words: bits 4 and 8 are changes."""
    result = sdt.command("abidiff", "--no-added-syms", "--headers-dir2",
                         ROOT / "runtime/include/sdt", description, BUILD / "runtime/libsdt.so",
                         status=None)
    assert not result.returncode & 3, result.stderr
    return result.returncode, result.stdout


@pytest.mark.slow
@pytest.mark.nosan
def test_programs_of_earlier_releases_find_what_they_need_in_libsdt(sdt, kept):
    """libabigail sees no function that is gone or is called in another way."""
    status, said = compared(sdt, kept / "libsdt.abi")
    assert status == 0, said


@pytest.mark.slow
@pytest.mark.nosan
@pytest.mark.parametrize("old, new, said", [
    ("name='sdt_hits'", "name='sdt_was_there'", "1 Removed"),
    ("<return type-id='type-id-30'/>", "<return type-id='type-id-31'/>", "return type changed")])
def test_that_would_be_seen(sdt, old, new, said):
    text = (RELEASED / VERSIONS[-1] / "libsdt.abi").read_text()
    assert old in text
    sdt.write("libsdt.abi", text.replace(old, new))
    status, words = compared(sdt, sdt.path("libsdt.abi"))
    assert status & 4 and said in words
