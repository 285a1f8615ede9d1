# SPDX-License-Identifier: BSD-2-Clause
"""Who may include what: the directions that keep the parts apart (see CONTRIBUTING.md)."""
import re

import pytest

from conftest import ROOT

pytestmark = pytest.mark.nosan  # runs no tool

# Parts of the runtime that know nothing of each other; patch.c composes them. But an index is the
# registry's own, and a trap is a reader section, so trap.c uses sync.h.
LEAVES = ["registry/registry", "registry/index", "patch/text", "hit/sync", "patch/trap"]
EXCEPTIONS = [("runtime/registry/index.c", "registry.h"), ("runtime/patch/trap.c", "hit/sync.h")]


def includes(pattern):
    """(file relative to the root, header as written) of every include in the matching files."""
    files = sorted(ROOT.glob(pattern))
    assert files, f"no file matches {pattern}"
    return [(str(file.relative_to(ROOT)), header)
            for file in files
            for header in re.findall(r'^#include\s+[<"]([^>"]+)', file.read_text(), re.M)]


def test_libelf_is_behind_the_object_model():
    """`list` reads more kinds of file than the object model knows, through a reader of its own."""
    users = {file for file, header in includes("sdtlink/**/*.[ch]")
             if header in ("libelf.h", "gelf.h", "nlist.h")}
    assert users == {"sdtlink/elf/read.c", "sdtlink/elf/writer.c", "sdtlink/list/elf_file.c",
                     "sdtlink/dwarf/open.c"}


def test_libdw_is_behind_the_debug_information():
    users = {file for file, header in includes("sdtlink/**/*.[ch]") + includes("sdt/**/*.[ch]")
             if header.startswith(("elfutils/", "dwarf.h"))}
    assert users and all(file.startswith("sdtlink/dwarf/") for file in users)


def test_only_verify_knows_llvm():
    users = {file for file, header in includes("sdtlink/**/*.[ch]") if header.startswith("llvm-c/")}
    assert users and all(file.startswith("sdtlink/verify/") for file in users)


def test_verify_reads_with_its_own_eyes():
    """Two readers that must agree may share the format, not the code that reads it."""
    verify = ROOT / "sdtlink" / "verify"
    own = {str(file.relative_to(verify)) for file in verify.rglob("*.h")}
    for file, header in includes("sdtlink/verify/**/*.[ch]"):
        relative = (ROOT / file).parent.joinpath(header).resolve()
        if relative.exists():
            assert relative.is_relative_to(verify), f"{file} includes {header}"
            assert str(relative.relative_to(verify)) in own, f"{file} includes {header}"
        else:
            assert header.startswith("llvm-c/") or not (ROOT / "sdtlink" / header).exists(), file
            assert not (ROOT / header).exists(), f"{file} includes {header}"
            assert header == "shared/lower_bound.h" or not (ROOT / "runtime" / header).exists(), \
                f"{file} includes {header}"


TOOL = ROOT / "sdtlink"
ROOMS = ["sdtlink", "runtime", "sdt"]  # components that are divided into rooms


def included(file, folder):
    """The file of FOLDER that each include of FILE means, as the compiler finds it; or None."""
    for quote, header in re.findall(r'^#include (["<])([^">]+)', file.read_text(), re.M):
        places = [file.parent / header, folder / header][quote == "<":]
        yield header, next((path.resolve() for path in places if path.exists()), None)


def circles(folder):
    """Groups of files in FOLDER (a header and its source are one) that include each other."""
    places = [ROOT / place for place in (folder, "", "sdtlink", "runtime")]
    places += [machine.parent for machine in (ROOT / "runtime" / "arch").glob("*/machine")]
    sources = [file for file in (ROOT / folder).rglob("*.[ch]")]
    assert sources
    needs = {file.with_suffix(""): set() for file in sources}
    for file in sources:
        for place in places:
            for _, other in included(file, place):
                part = other.with_suffix("") if other else None
                if part in needs and part != file.with_suffix(""):
                    needs[file.with_suffix("")].add(part)
    assert any(needs.values())
    while True:  # what needs no other, or is needed by no other, is in no circle
        needed = set().union(*needs.values()) if needs else set()
        free = {part for part, others in needs.items()
                if not others & needs.keys() or part not in needed}
        if not free:
            return {str(part.relative_to(ROOT)) for part in needs}
        needs = {part: others for part, others in needs.items() if part not in free}


@pytest.mark.parametrize("folder", ["base", "sdtlink", "runtime", "sdt", "sdt-dtrace"])
def test_no_file_includes_itself_by_a_detour(folder):
    assert circles(folder) == set()


def room_of(file, folder):
    """`elf/`, or for a file at the top itself, as a source: `process.c`."""
    parts = file.relative_to(ROOT / folder).parts
    return parts[0] + "/" if len(parts) > 1 else file.stem + ".c"


def written_rooms(folder):
    """Room -> those that it includes, in the order of CONTRIBUTING.md."""
    page = (ROOT / "CONTRIBUTING.md").read_text()
    block = re.search(rf"^    \w+ +{folder}/\n.*?(?=^    \w|^$)", page, re.M | re.S)[0]
    rows = re.findall(r"^ +(\w+(?:/|\.c)) +-> (.+)$", block, re.M)
    assert len(rows) == len(dict(rows)) >= 10
    return {room: set(others.split()) for room, others in rows}


def sources_of(folder):
    """Without the runtimes of machines that have no probes and of kernels, which are programs of
    their own, as are what a user includes and what a machine has."""
    apart = [ROOT / "runtime" / name for name in ("none", "freestanding", "include", "arch")]
    return [file for file in sorted((ROOT / folder).rglob("*.[ch]"))
            if not any(file.is_relative_to(place) for place in apart)]


@pytest.mark.parametrize("folder", ROOMS)
def test_the_rooms_are_as_written(folder):
    """CONTRIBUTING.md lists them: no arrow up, none missing, none that is not there."""
    written, found = written_rooms(folder), {}
    sources = set(sources_of(folder))
    for file in sources:
        for _, other in included(file, ROOT / folder):
            if other in sources and room_of(other, folder) != room_of(file, folder):
                found.setdefault(room_of(file, folder), set()).add(room_of(other, folder))
    assert found == written
    order = list(written)
    for room, others in written.items():
        above = {other for other in others if other in order[:order.index(room)]}
        assert not above, f"{room} is below {above}"


@pytest.mark.parametrize("folder", ROOMS)
def test_an_include_says_the_room(folder):
    """`"file.h"` is in the own room, `"room/file.h"` in another; never a way through `..`."""
    top = ROOT / folder
    for file in sources_of(folder):
        if not file.is_relative_to(TOOL / "verify") and not file.is_relative_to(TOOL / "check"):
            assert not re.search(r'^#include "\.\./', file.read_text(), re.M), file
        for header, other in included(file, top):
            if other and other.is_relative_to(top) and "/" not in header:
                assert other.parent in (file.parent, top), f"{file} includes {header}"
                assert not ((top / header).exists() and (file.parent / header).exists()
                            and file.parent != top), f"{file} includes {header}: which?"


def test_a_room_has_one_name():
    """`"base/memory.h"` is one file, whoever includes it. Only the seam has two parts, one in the
    tool and one in the runtime."""
    names = [room.name for folder in ROOMS for room in (ROOT / folder).iterdir() if room.is_dir()]
    assert len(names) > 30 and sorted(names) == sorted([*{*names}, "arch"])
    assert "base" not in names


def test_base_stands_alone():
    """It is for every program: of the rest of the repository it takes pure functions."""
    folders = [ROOT, TOOL, ROOT / "sdt", ROOT / "runtime", ROOT / "runtime" / "include"]
    for file, header in includes("base/*.[ch]"):
        assert (ROOT / "base" / header).exists() or header.startswith("shared/") \
            or not any((folder / header).exists() for folder in folders), f"{file}: {header}"


def test_the_parts_of_the_launcher_are_listed():
    """The map in launch.h has one row for each source of the folder, and none for another."""
    launch = TOOL / "launch"
    rows = re.findall(r"^ \*   (\w+\.c) +\S", (launch / "launch.h").read_text(), re.M)
    files = {file.with_suffix(".c").name for file in launch.glob("*.[ch]")}
    assert files and sorted(rows) == sorted(files)


def test_tool_and_runtime_share_little():
    """The format, the arch, and pure functions. arch/tool_arch.h is the tool's own."""
    shared = {f"shared/{file.name}" for file in (ROOT / "runtime" / "shared").glob("*.h")}
    allowed = {"sdt/format.h", "arch/arch.h", "arch/operand.h", "arch/tool_arch.h",
               "arch/machines.h", *shared}
    for file, header in includes("sdtlink/**/*.[ch]"):
        if header.startswith(("sdt/", "arch/")) or (ROOT / "runtime" / header).exists() \
                and not (TOOL / header).exists():
            assert header in allowed, f"{file} includes {header}"
    for file, header in includes("runtime/**/*.[ch]"):
        assert "/" not in header or not (TOOL / header).exists() \
            or (ROOT / "runtime" / header).exists(), f"{file} includes {header}"
        assert not header.startswith("base/"), f"{file} includes {header}"
    for file, header in includes("runtime/shared/*.[ch]"):
        assert "/" not in header or not (ROOT / "runtime" / header).exists(), \
            f"{file} includes {header}"


def test_an_architecture_of_the_tool_sees_bytes_and_no_object():
    """What is below the seam is pure; and only what is there knows the functions of one."""
    machines = [folder.name for folder in (ROOT / "sdtlink" / "arch").iterdir() if folder.is_dir()]
    pure = {"machines.h", "arch/tool_arch.h", "arch/arch.h", "arch/operand.h", "sdt/format.h",
            "elf.h", "stdbool.h", "stddef.h", "stdint.h", "string.h"}
    pure |= {header for name in machines for header in (f"{name}.h", f"{name}/{name}.h")}
    for file, header in includes("sdtlink/arch/**/*.[ch]"):
        assert header in pure, f"{file} includes {header}"
    for file, header in includes("sdtlink/**/*.[ch]"):
        assert not any(name in header for name in machines) or \
            file.startswith(("sdtlink/arch/", "sdtlink/verify/")), file
        assert header != "arch/arch.h" or file.startswith(("sdtlink/arch/", "sdtlink/verify/")) \
            or file == "sdtlink/probes/names.h", f"{file} includes {header}"


def test_dtrace_takes_little_from_the_tool():
    headers = {header for _, header in includes("sdt-dtrace/*.[chy]")}
    assert not [header for header in headers if "/" in header and (TOOL / header).exists()]
    assert {header for header in headers if (ROOT / header).exists()} == {
        "base/diag.h", "base/escape.h", "base/escape_append.h", "base/memory.h", "base/output.h",
        "base/slice.h", "base/words.h"}


def test_sdt_takes_what_needs_no_libelf():
    theirs = {header for _, header in includes("sdt/**/*.[ch]")
              if "/" in header and (TOOL / header).exists()}
    assert theirs == {"dwarf/enums.h", "dwarf/members.h"}
    of_runtime = {header.partition("/")[0] for _, header in includes("sdt/**/*.[ch]")
                  if (ROOT / "runtime" / header).exists() and not (TOOL / header).exists()}
    assert of_runtime == {"exchange", "ring", "shared", "unwind"}


def test_arch_is_pure():
    """Site forms and operands are compiled on every host, for the tool's cross processing."""
    allowed = {"arch/form.h", "arch/operand.h", "arch/operand_text.h", "forms.h", "sdt/format.h",
               "stdbool.h", "stddef.h", "stdint.h", "string.h"}
    machines = [folder.parent.name for folder in (ROOT / "runtime" / "arch").glob("*/machine")]
    machines.remove("i386")  # whose forms and syntax are those of x86_64
    assert len(machines) == 3
    for name in machines:
        for file in ("forms.h", "forms.c", "syntax.c"):
            assert {header for _, header in includes(f"runtime/arch/{name}/{file}")} <= allowed
    assert {header for _, header in includes("runtime/arch/arch.h")} <= \
        allowed | {f"arch/{name}/forms.h" for name in machines}


def test_a_machine_knows_nothing_of_what_is_above_it():
    """Of the runtime's structures it has numbers, which layout.c asserts beside the structures."""
    arch = ROOT / "runtime" / "arch"
    sources = [*arch.rglob("*.[ch]"), *arch.rglob("*.S"), *arch.rglob("*.inc")]
    assert len(sources) > 50
    for file in sources:
        own = {path.name for path in file.parent.iterdir()}
        for header in re.findall(r'^#include ["<]([^">]+)', file.read_text(), re.M):
            assert header.startswith(("arch/", "machine/")) or header in own | {"sdt/format.h"} \
                or not (ROOT / "runtime" / header).exists(), f"{file} includes {header}"


def test_the_runtime_reaches_its_machine_by_neutral_names():
    """What stands in a machine's folder is reached by <arch/machine.h>, <arch/operand.h>, and the
    <machine/...> headers, which every machine has; machine.h says what they are."""
    contract = ROOT / "runtime" / "arch" / "machine.h"
    listed = re.findall(r"^ \*     <(machine/\w+\.h)>", contract.read_text(), re.M)
    folders = [folder.parent for folder in contract.parent.glob("*/machine")]
    assert listed and folders
    for folder in folders:
        assert sorted(listed) == sorted(f"machine/{file.name}"
                                        for file in (folder / "machine").iterdir())
    allowed = {"arch/arch.h", "arch/machine.h", "arch/operand.h", *listed}
    for file, header in includes("runtime/**/*.[ch]"):
        if not file.startswith("runtime/arch/") and header.startswith(("arch/", "machine/")):
            assert header in allowed, f"{file} includes {header}"
        assert file.startswith("runtime/arch/") or \
            not any(folder.name in header for folder in folders), f"{file}: {header}"


@pytest.mark.parametrize("leaf", LEAVES)
def test_leaves_of_the_runtime_do_not_know_each_other(leaf):
    others = {name for other in LEAVES if other != leaf
              for name in (f"{other}.h", f"{other.rpartition('/')[2]}.h")}
    for file, header in includes(f"runtime/{leaf}.[ch]"):
        assert header not in others or (file, header) in EXCEPTIONS, f"{file} includes {header}"


def test_what_reads_stock_binaries_is_pure():
    own = {"notes.h", "operands.h", "sections.h", "arch/operand.h", "shared/note.h",
           "shared/note_args.h"}
    stock = ROOT / "runtime" / "stock"
    for name in ("notes", "operands", "sections"):
        for file, header in includes(f"runtime/stock/{name}.[ch]"):
            assert header in own or not ((ROOT / "runtime" / header).exists()
                                         or (stock / header).exists()), f"{file}: {header}"
