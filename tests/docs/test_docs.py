# SPDX-License-Identifier: BSD-2-Clause
"""The documentation is true: tables against the header, dumps and sessions against the tools.

docs/format.md describes <sdt/format.h>; here the compiler is asked (through the DWARF that it
writes) what the structures really look like. A ```console block is a session: its commands run in a
directory of their own, and what they print must be what the page prints. Blocks marked ```c FILE
are files of that session.
"""
import collections
import configparser
import os
import re
import subprocess

import pytest
import patience
from conftest import BUILD, INCLUDE, ROOT
from elftools.elf.elffile import ELFFile
from installed import prefix  # noqa: F401  (a fixture)

FORMAT = (ROOT / "docs" / "format.md").read_text()


def section(page, heading):
    """The text under a heading, up to the next heading."""
    match = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#+ |\Z)", page, re.M | re.S)
    assert match, f"no heading {heading!r}"
    return match.group(1)


def table(text):
    """The rows of the first table in TEXT, as lists of cells, without its two head lines."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]
    assert len(rows) > 2, "no table"
    return rows[2:]


@pytest.fixture
def header(sdt):
    """The DWARF entries of everything that <sdt/format.h> declares, by name, and its macros."""
    source = sdt.write(
        "format.c",
        "#include <sdt/format.h>\n"
        "struct sdt_site site; struct sdt_probe probe; struct sdt_dso dso;\n"
        "enum sdt_kind kind; enum sdt_site_flag flag;\n"
        "enum sdt_args_form form; enum sdt_arg_type type;\n",
    )
    obj = sdt.compile(source)
    with obj.open("rb") as stream:
        unit = next(ELFFile(stream).get_dwarf_info().iter_CUs())
        dies = {
            die.attributes["DW_AT_name"].value.decode(): die
            for die in unit.get_top_DIE().iter_children()
            if die.tag in ("DW_TAG_structure_type", "DW_TAG_enumeration_type")
        }
        yield dies, macros(sdt, source)


def macros(sdt, source):
    """Name → value of the header's own object-like macros that are numbers or strings."""
    text = sdt.command("gcc", "-E", "-dM", "-I", INCLUDE, source).stdout
    found = re.findall(r'^#define (SDT_[A-Z_0-9]+) (".*"|\w+)$', text, re.M)
    return {name: value.strip('"').rstrip("u") for name, value in found}


def type_size(die):
    """The size of a member's type, arrays included; of a flexible array 0."""
    kind = die.get_DIE_from_attribute("DW_AT_type")
    if kind.tag == "DW_TAG_array_type":
        [bound] = kind.iter_children()
        last = bound.attributes.get("DW_AT_upper_bound")
        return (last.value + 1) * type_size(kind) if last else 0
    size = kind.attributes.get("DW_AT_byte_size")
    return size.value if size else type_size(kind)


def assert_structure(page, die, name):
    """The table under `struct NAME` of PAGE has the members of DIE: offset, size and name."""
    actual = [
        [
            str(member.attributes["DW_AT_data_member_location"].value),
            str(type_size(member)),
            member.attributes["DW_AT_name"].value.decode(),
        ]
        for member in die.iter_children()
    ]
    actual.append([str(die.attributes["DW_AT_byte_size"].value), "", ""])
    assert [row[:3] for row in table(section(page, f"struct {name}"))] == actual


@pytest.mark.parametrize("name", ["sdt_site", "sdt_probe", "sdt_dso"])
def test_structures_are_as_the_page_says(header, name):
    assert_structure(FORMAT, header[0][name], name)


@pytest.mark.parametrize(
    "heading, names",
    [
        ("enum sdt_kind", ["sdt_kind"]),
        ("enum sdt_site_flag", ["sdt_site_flag"]),
        ("enum sdt_args_form, enum sdt_arg_type", ["sdt_args_form", "sdt_arg_type"]),
    ],
)
def test_enumerations_are_as_the_page_says(header, heading, names):
    actual = [
        [
            child.attributes["DW_AT_name"].value.decode(),
            str(child.attributes["DW_AT_const_value"].value),
        ]
        for name in names
        for child in header[0][name].iter_children()
    ]
    assert [row[:2] for row in table(section(FORMAT, heading))] == actual


@pytest.mark.parametrize("heading", ["Sections", "Symbols"])
def test_names_are_as_the_page_says(header, heading):
    family = f"SDT_{heading[:-1].upper()}_"
    actual = {name: value for name, value in header[1].items() if name.startswith(family)}
    assert {row[0]: row[1] for row in table(section(FORMAT, heading))} == actual


def test_constants_are_as_the_page_says(header):
    rows = table(section(FORMAT, "Constants"))
    assert {row[0]: int(row[1], 0) for row in rows} == {
        name: int(value, 0)
        for name, value in header[1].items()
        if re.fullmatch(r"0x[0-9a-f]+|\d+", value)
    }


# Sessions: what a page prints is what the commands print.

FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


@pytest.fixture
def installed(prefix):
    """The environment of a user who has installed this build."""
    return {
        "PATH": f"{prefix / 'bin'}:{os.environ['PATH']}",
        "CPATH": str(prefix / "include"),
        "LIBRARY_PATH": str(prefix / "lib"),
        "LD_LIBRARY_PATH": str(prefix / "lib"),
        "LC_ALL": "C.UTF-8",
    }


def replay(sdt, environment, body):
    """The text of a console block, with the output that its commands give now."""
    lines = []
    for command in re.findall(r"^\$ (?:.*\\\n)*.*$", body, re.M):
        result = patience.run(
            ["bash", "-c", command[2:]],
            cwd=sdt.dir,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        lines += [command, *result.stdout.expandtabs().rstrip().splitlines()]
    return "".join(line.rstrip() + "\n" for line in lines)


def replay_page(sdt, environment, page):
    """PAGE with all its console blocks made anew."""
    made = {}
    for language, name, body in FENCE.findall(page):
        if language == "console":
            made[body] = replay(sdt, environment, body)
        elif name:
            sdt.write(name, body)
    for old, new in made.items():
        page = page.replace(f"```console\n{old}```", f"```console\n{new}```")
    return page


def without_addresses(text):
    """What does not depend on where the linker put things, and on the version of objdump."""
    text = re.sub(r"\b(sar|shl|shr)( +)\$1,", r"\1\2", text)  # not printed before binutils 2.41
    text = re.sub(r"\b0x[0-9a-f]{3,}\b|\b[0-9a-f]{8,16}\b", "ADDRESS", text)
    return re.sub(r"^ +[0-9a-f]+:", "ADDRESS:", text, flags=re.M)


@pytest.mark.nosan
@pytest.mark.parametrize("path", ["README.md", "docs/how-it-works.md", "docs/format.md"])
def test_sessions_give_what_the_page_prints(sdt, installed, path):
    """SDT_UPDATE_DOCS=1 writes the page anew instead."""
    page = (ROOT / path).read_text()
    for source in (ROOT / "tests" / "asm").glob("format_*.s"):
        sdt.write(source.name, source.read_text())
    actual = replay_page(sdt, installed, page)
    if os.environ.get("SDT_UPDATE_DOCS"):
        (ROOT / path).write_text(actual)
        return
    assert "```console" in page
    if path != "docs/format.md":  # compiled from C: addresses are the compiler's and the linker's
        actual, page = without_addresses(actual), without_addresses(page)
    assert actual == page


def dumped_bytes(page):
    """Address → byte of the hexdumps of sections that the page prints."""
    memory = {}
    for address, words in re.findall(r"^ ([0-9a-f]{5}) ((?:[0-9a-f]+ ){1,4}) ", page, re.M):
        for i, byte in enumerate(bytes.fromhex(words.replace(" ", ""))):
            memory[int(address, 16) + i] = byte
    return memory


def string_at(memory, address):
    text = bytearray()
    while memory[address + len(text)]:
        text.append(memory[address + len(text)])
    return text.decode()


def test_the_walk_through_the_hexdump_is_right():
    """Each row: its bytes in the page's dump, its field's offset, the arithmetic, the string."""
    memory = dumped_bytes(section(FORMAT, "A record, byte by byte"))
    offsets = {row[2]: int(row[0]) for row in table(section(FORMAT, "struct sdt_site"))}
    rows = table(section(FORMAT, "The record"))
    for address, found, field, number, target, meaning in rows:
        address, found = int(address, 0), bytes.fromhex(found)
        assert address == 0x20000 + offsets[field]
        assert found == bytes(memory[address + i] for i in range(len(found)))
        assert int(number) == int.from_bytes(found, "little", signed=True)
        if target:
            assert int(target, 0) == address + int(number)
        if meaning.startswith('"'):
            assert string_at(memory, int(target, 0)) == meaning.strip('"')
    assert [row[2] for row in rows] == [field for field in offsets if field]


# Messages: each that the tool has is in docs/messages.md, and each there is in the tool.

REPORTS = re.compile(
    r"(?<!static int )\b(diag_error|diag_errno|diag_refuse|diag_warn|refuse|refuse_format"
    r"|(?:object_)?damaged|wrong|(?:compile_)?fail|stream_damaged|mark_error)\("
)
STRING = r'"(?:[^"\\]|\\.)*"'
JOINED = re.compile(rf"{STRING}(?:\s*(?:PRI\w+\s*)?{STRING})*")


def spoken(literals):
    """The text of adjacent string literals, conversions shown as in the page."""
    text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals)).replace('\\"', '"')
    return re.sub(r"%[-0-9.*]*(?:hh|ll|[hlz])?[a-z]?", "…", text).replace("`", "'")


def up_to_closing(text, start):
    """TEXT from the parenthesis at START to the one that closes it."""
    depth = 0
    for match in re.compile(rf"{STRING}|[()]").finditer(text, start):
        depth += {"(": 1, ")": -1}.get(match.group(), 0)
        if depth == 0:
            return text[start : match.end()]
    raise AssertionError("unbalanced parentheses")


def messages_of_the_tool():
    """Message → whether it must be in the page (not an expectation or a remedy)."""
    found = {}
    for path in sorted(path for folder in ("base", "sdt", "sdtlink")
                       for path in (ROOT / folder).rglob("*.c")):
        if path.parent.name in ("machines", "plugin", "verify"):
            continue
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        for call in REPORTS.finditer(text):
            for n, literals in enumerate(JOINED.findall(up_to_closing(text, call.end() - 1))):
                found[spoken(literals)] = n == 0 or found.get(spoken(literals), False)
        for literals in re.findall(rf"refusal \w+ = {{\s*({JOINED.pattern})", text):
            found[spoken(literals)] = True
        for literals in re.findall(rf"\.\w+_nop1 = ({STRING})", text):
            found[spoken(literals)] = True
        if path.name in ("args.c", "stapsdt.c"):
            for literals in re.findall(rf"(?:problem =|warn\([^\"]*) ({STRING})", text):
                found[spoken(literals)] = True
        if path.name in ("names.c", "args.c", "chosen.c", "stapsdt.c", "stapsdt_args.c", "decode.c",
                         "condition.c", "metrics_file.c", "measured.c"):
            for literals in re.findall(rf"return ({JOINED.pattern});", text):
                found[spoken(literals)] = True
        for literals in re.findall(rf'command_wrong\((?:\w+|"\w+"), ({JOINED.pattern})\)', text):
            found.setdefault(spoken(literals), False)
        for literals in re.findall(rf"memory_format\(\s*({JOINED.pattern})", text):
            found.setdefault(spoken(literals), False)
    text = (ROOT / "runtime" / "shared" / "note_args.c").read_text()
    for literals in re.findall(rf"problem = ({STRING})", text):
        found[spoken(literals)] = True
    text = (ROOT / "runtime" / "shared" / "describe_parse.c").read_text()
    for call in re.finditer(r"\b(fail|fail_at|take_name)\(p, ", text):
        for literals in JOINED.findall(up_to_closing(text, call.end() - 4)):
            found[spoken(literals)] = True
    for literals in re.findall(rf"(?:problem =|out_of_memory\[\] =|BYTES,) ({STRING})", text):
        found[spoken(literals)] = True
    text = (ROOT / "runtime" / "shared" / "grammar.c").read_text()
    for call in re.finditer(r"\b(fail|fail_at|fail_for_size|parse_inside)\(&?parser, ", text):
        literals = JOINED.findall(up_to_closing(text, call.start() + len(call[1])))
        for literal in literals[-1:] if call[1] == "parse_inside" else literals:
            found[spoken(literal)] = call[1] != "fail_for_size"
    for path in sorted((ROOT / "runtime").rglob("*.c")):
        text = path.read_text()
        for call in re.finditer(r"^ +say\(", text, re.M):
            found[spoken(JOINED.search(up_to_closing(text, call.end() - 1))[0])] = True
    return found


def messages_of_the_page():
    page = (ROOT / "docs" / "messages.md").read_text()
    return set(re.findall(r"^\| `([^`]+)` \|", page, re.M))


def test_every_message_has_its_line_in_the_docs():
    required = {m for m, is_message in messages_of_the_tool().items() if is_message}
    # Reasons given by libelf or the system alone, and what is said again with a name in front.
    required -= {"…", "…: …", "…/…", "…/…: …", "sdtlink processes … objects in this version"}
    required -= {f"compile the file again with this <sdt/{h}.h>" for h in ("probe", "marker")}
    assert required - messages_of_the_page() == set()


def test_every_documented_message_exists():
    theirs = {"hidden symbol ... isn't defined"}  # the linker's
    assert messages_of_the_page() - set(messages_of_the_tool()) - theirs == set()


def test_every_test_file_has_its_line_in_the_docs():
    page = (ROOT / "docs" / "testing.md").read_text()
    files = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    assert {row[0] for row in table(page)} == files


def test_every_test_file_is_in_a_folder_that_the_readme_names():
    """And pytest finds what tests of other folders take from it."""
    tests = ROOT / "tests"
    files = [path.relative_to(tests) for path in tests.rglob("test_*.py")]
    assert {str(path) for path in files if len(path.parts) != 2} == set(), \
        "a test goes into a folder: see tests/README.md"
    names = collections.Counter(path.name for path in files)
    assert [name for name, count in names.items() if count > 1] == []
    folders = {path.parts[0] for path in files}
    page = (tests / "README.md").read_text()
    names = [set(re.findall(r"`(\w+)/`", "".join(re.findall(r"^\| (`.*`) \|", rows, re.M))))
             for rows in (section(page, "Where a test goes"), section(page, "What else is here"))]
    assert names[0] == folders
    assert names[1] == {path.name for path in tests.iterdir()
                        if path.is_dir() and path.name[0] not in "._"} - folders
    ini = configparser.ConfigParser()
    ini.read(tests / "pytest.ini")
    assert set(ini["pytest"]["pythonpath"].split()) == folders | {".", "support", "guest"}


def test_every_decision_is_in_the_index():
    titles = set()
    for path in (ROOT / "docs" / "decisions").glob("0*.md"):
        number, title = re.match(r"# (\d+)\. (.*)\n", path.read_text()).groups()
        titles.add(f"- [{number}]({path.name}): {title}")
    index = (ROOT / "docs" / "decisions" / "README.md").read_text()
    assert len(titles) > 30 and set(re.findall(r"^- .*$", index, re.M)) == titles


def test_links_between_the_pages_lead_somewhere():
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def anchors(page):
    """What `#` may name in PAGE: its headings, as code hosts write them in links."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", text, re.M)}


def test_links_to_headings_name_one():
    """A heading that is renamed takes the links to it along."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    found = 0
    for page in pages:
        for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]*)\)", page.read_text()):
            found += 1
            assert anchor in anchors(page.parent / target if target else page), (
                f"{page.name}: {target}#{anchor}")
    assert found > 10


@pytest.mark.nosan
def test_the_demo_does_what_it_says(sdt):
    """It checks itself and fails loudly; what it showed must also be there."""
    run = [ROOT / "demo" / "run.sh", BUILD, sdt.dir]
    shown = sdt.command(*run, env={"LC_ALL": "C.UTF-8"}).stdout
    assert re.search(r"66 0f 1f 84 e9 00 00\s+nopw", shown.expandtabs())
    assert "12 sites armed; the code differs from the file in 12 bytes" in shown
    assert shown.count("0 sites armed; the code differs from the file in 0 bytes") == 4
    assert "Act 4: a flight recorder, under load" in shown
    assert re.search(r"^ +orders:query-end +[1-9]", shown, re.M)
    assert "hits counted since sdt_disable: 0" in shown
    assert "sqlite:read, time a read" in shown and "█" in shown
    speeds = re.findall(r"^ +(.+?): +(\d+) queries a second of processor time$", shown, re.M)
    assert [what for what, speed in speeds if int(speed) > 0] == [
        "all probes are off", "all probes are counted", "latencies are measured",
        "all are off again"]
    assert re.search(r"^ +orders:query-begin to query-end\n +KEY +COUNT .*\n +SELECT .* [1-9]\d* ",
                     shown, re.M)
    assert "\033" not in shown, "colours on something that is no terminal"


@pytest.mark.nosan
def test_the_demo_fails_when_a_step_does_not_do_what_it_says(sdt):
    run = [ROOT / "demo" / "run.sh", BUILD, sdt.dir]
    failed = sdt.command(*run, status=1, env={"SDT_DISABLE_RUNTIME": "1"})
    assert "demo: step 7: the program did not do what it announced" in failed.stderr
