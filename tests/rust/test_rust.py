# SPDX-License-Identifier: BSD-2-Clause
"""The crate sdt, rust/: what rustc makes of its probes, what tracers see without sdtlink, and what
sdtlink makes of the same program.

Every rustc that this machine has is tried: that of Debian, and the first one of PATH. Where there
is none, the tests are skipped: its packages are 58 MB.
"""
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import types

import pytest
import rust_programs
import tracers
from attached import ask, json_lines
from conftest import BUILD, PROGRAMS, ROOT, TOOL_BUILD
from elfview import ElfView
from stapsdt import notes
from stock import counted

pytestmark = pytest.mark.plain  # nothing of ours is compiled differently for a sanitizer

CRATE = ROOT / "rust"
LINKER = TOOL_BUILD / "sdtlink" / "sdtlink-linker"
HEADER = BUILD / "runtime" / "include" / "sdt.h"
COUNTER = itertools.count()
LEVELS = ["0", "2", *(pytest.param(level, marks=pytest.mark.slow) for level in "13sz")]


def compilers():
    """By version, so that two names of one are one."""
    found = {}
    for path in ("/usr/bin/rustc", shutil.which("rustc")):
        if path and os.access(path, os.X_OK):
            said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
            if said.returncode == 0:
                found.setdefault(said.stdout.split()[1], path)
    return found


COMPILERS = compilers()


@pytest.fixture(name="rustc", params=COMPILERS or [None])
def fixture_rustc(request):
    if request.param is None:
        pytest.skip("this machine has no rustc")
    return COMPILERS[request.param]


class Rust:
    """Compiles programs that use the crate, with one rustc; with FLAGS, CC and RUNTIME for another
    machine than this."""

    def __init__(self, sdt, rustc, crates, flags=(), cc=None, runtime=BUILD / "runtime"):
        self.sdt, self.rustc, self.crates = sdt, rustc, crates
        self.flags, self.cc, self.runtime = flags, cc, runtime

    def crate(self, *flags):
        """The crate, compiled once for all tests with these flags."""
        key = (self.rustc, *self.flags, *flags)
        if key not in self.crates.known:
            output = self.crates.directory / str(len(self.crates.known)) / "libsdt.rlib"
            output.parent.mkdir()
            self.sdt.command(self.rustc, "--edition=2021", "--crate-type=rlib", "--crate-name=sdt",
                             *self.flags, *flags, CRATE / "src" / "lib.rs", "-o", output)
            self.crates.known[key] = output
        return self.crates.known[key]

    def build(self, source, *flags, level="2", is_live=False, crate=(), status=0, name="program",
              std=True):
        """SOURCE: a file of programs/, or text. The result: the program, or what rustc says."""
        if "\n" in source:
            source = self.sdt.write(f"{name.split('.')[0]}.rs", source)
        library = self.crate(f"-Copt-level={level}",
                             *(["--cfg", 'feature="std"'] if std else []), *crate)
        env = {"SDTLINK_CC": self.cc} if self.cc else {}
        if is_live:
            flags = (*flags, f"-Clinker={LINKER}")
            env["SDTLINK_LAUNCH"] = f"--runtime-directory={self.runtime}"
        elif self.cc:
            flags = (*flags, f"-Clinker={self.cc}")
        output = self.sdt.path(name)
        result = self.sdt.command(
            self.rustc, "--edition=2021", f"-Copt-level={level}", "--extern", f"sdt={library}",
            *self.flags, *flags, PROGRAMS / source if isinstance(source, str) else source,
            "-o", output, env=env, status=status)
        return output if status == 0 else result.stderr

    def rows(self, exe):
        self.sdt.sdtlink("verify", exe)
        return json.loads(self.sdt.sdtlink("list", "--json", exe).stdout)


@pytest.fixture(name="crates", scope="session")
def fixture_crates(tmp_path_factory):
    return types.SimpleNamespace(directory=tmp_path_factory.mktemp("crates"), known={})


@pytest.fixture(name="rust")
def fixture_rust(sdt, rustc, crates):
    return Rust(sdt, rustc, crates)


def fields(row):
    return ", ".join(f"{field['name']}: {field['type']}" for field in row["fields"])


# ---- The file, without sdtlink. ----

OPERANDS = {"sale": "8 8 8 8 8 8 8 4", "index": "-2 -8 8 8 8 8 4 -1 1 4 4 4",
            "six": "8 8 8 8 8 8 8 8 8 8 8 8", "asked": "8 8", "thread": "8"}


@pytest.mark.parametrize("level", LEVELS)
def test_notes(rust, level):
    exe = rust.build("rust_shop.rs", level=level)
    assert rust.sdt.run(exe) == ""
    tracers.check_notes_as_read(rust.sdt, "readelf", exe)
    assert {note.name for note in notes(exe)} == OPERANDS.keys()
    for note in notes(exe):
        assert note.provider == "shop" and bool(note.semaphore) == (note.name == "asked")
        sizes, places = zip(*(argument.split("@") for argument in note.args.split()))
        assert " ".join(sizes) == OPERANDS[note.name]
        assert all(re.fullmatch(r"%r\w+", place) for place in places)
    sections = rust.sdt.run("readelf", "-SW", exe)
    assert ".sdt_args" not in sections and re.search(r" \.probes .* 4096$", sections, re.M)
    assert "libsdt" not in rust.sdt.run("readelf", "-dW", exe)
    rust.sdt.run("strip", exe)
    assert {note.name for note in notes(exe)} == OPERANDS.keys()


def test_a_probe_that_is_off_is_nops(rust):
    """The whole function: its arguments stay where they came."""
    exe = rust.sdt.path("off.o")
    rust.build("""#[no_mangle]
#[inline(never)]
pub fn off(n: i32, text: &str, at: *const u8) { sdt::probe!(shop, off, n, text, at); }
""", "--crate-type=lib", "--emit=obj", name="off.o")
    code = rust.sdt.run("objdump", "-d", "--no-show-raw-insn", "--disassemble=off", exe)
    assert re.findall(r"^ +\w+:\t(\w+ ?\w*)", code, re.M) == ["nop", "cs nopw", "ret"]
    note = rust.sdt.run("readelf", "-n", exe)
    assert "Arguments: -4@%rdi 8@%rsi 8@%rdx 8@%rcx" in note


def traced(rust, level):
    provider = f"rust_{os.getpid()}_{next(COUNTER)}"
    text = (PROGRAMS / "rust_traced.rs").read_text().replace("PROVIDER", provider)
    exe = rust.build(text, "-Clink-arg=-Wl,--build-id=sha1", level=level, name="traced")
    return provider, exe, [exe, tracers.ROUNDS]


@pytest.mark.parametrize("level", ["0", "2"])
def test_gdb_sees_the_arguments(rust, level):
    provider, _, command = traced(rust, level)
    tracers.check_gdb_arguments(rust.sdt, provider, command)


def test_perf_sees_the_arguments(rust):
    provider, file, command = traced(rust, "2")
    with tracers.Perf(rust.sdt, provider) as perf:
        tracers.check_perf(perf.record(file, command), unread=())


@pytest.mark.parametrize("level", ["0", "2"])
def test_bpftrace_sees_the_arguments(rust, level):
    provider, file, command = traced(rust, level)
    tracers.check_bpftrace_arguments(rust.sdt, provider, file, command)
    assert tracers.count_with_bpftrace(rust.sdt, provider, file, command)[0] == tracers.ALL_HIT


def test_bpftrace_answers_the_question(rust):
    exe = rust.build("rust_shop.rs")
    script = f'usdt:{exe}:shop:asked {{ printf("is %s\\n", str(arg0, arg1)); }}'
    output = tracers.bpftrace(rust.sdt, script, [exe])
    assert re.findall(r"is (.*)", output) == [f"ITEM {i}" for i in range(5)]
    assert len(re.findall(r"^asked$", output, re.M)) == 5


@pytest.mark.parametrize("level", ["0", "2"])
@pytest.mark.parametrize("is_live", [
    pytest.param(False, marks=pytest.mark.nosan), True])  # the sanitizer's library, loaded into it
def test_every_hit_is_counted(rust, is_live, level):
    """In threads as well; a stock program is armed by jumps."""
    exe = rust.build("rust_shop.rs", level=level, is_live=is_live)
    hits, result = counted(rust.sdt, "shop:*", exe)
    assert hits == {"shop:sale": 5, "shop:index": 5, "shop:six": 5, "shop:asked": 5,
                    "shop:thread": 4000}
    assert result.stdout.count("asked\n") == 5
    ends = [note for note in notes(exe) if (note.pc + 11) % 16 == 0]  # may be a gap: breakpoints
    assert is_live or ("breakpoints" in result.stderr) == bool(ends)


# ---- With sdtlink. ----

LISTED = {"sale": "name: string, label: string, bytes: bytes, data: bytes, i: uint32",
          "index": "i: int16, LIMIT: int64, count: uint64, len: uint64, name: pointer, "
                   "weight: double, share: float, arg7: int8, high: bool, arg9: uint32, "
                   "arg10: uint32, arg11: uint32",
          "six": "name: string, bytes: bytes, name_2: string, bytes_2: bytes, arg8: string, "
                 "name_3: string", "asked": "name: string", "thread": "n: uint64"}


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_source_is_live(rust, level):
    exe = rust.build("rust_shop.rs", level=level, is_live=True)
    assert rust.sdt.run(exe) == ""
    assert {row["name"]: fields(row) for row in rust.rows(exe)} == LISTED
    assert {site.kind for site in ElfView(exe).sites()} == {"nop11"}


def check_events(sdt):
    """Those of rust_shop.rs in the recording `rec`, without those of its threads."""
    events = json_lines(ask(sdt, "report", "--json", "rec").stdout)
    assert len(events) == 15
    sale, index, six = (event["args"] for event in events[3:6])
    assert sale == {"name": "item 1", "label": "label", "bytes": "01ff", "data": "0102", "i": 1}
    assert index.pop("name") not in (None, 0)
    assert index == {"i": 1, "LIMIT": -7, "count": 2, "len": 6, "weight": 0.5, "share": 2.5,
                     "arg7": -3, "high": False, "arg9": ord("x"), "arg10": 2, "arg11": 1}
    assert six["arg8"] == 'quoted "{}"' and six["bytes_2"] == "01ff"


def test_events_of_a_live_program(rust):
    exe = rust.build("rust_shop.rs", is_live=True)
    probes = ["-e", "shop:sale", "-e", "shop:index", "-e", "shop:six"]
    ask(rust.sdt, "record", "-o", "rec", *probes, "--", exe)
    check_events(rust.sdt)


def test_places_and_functions(rust):
    """The thread's closure is inlined into a function of the library."""
    exe = rust.build("rust_shop.rs", is_live=True)
    lines = (PROGRAMS / "rust_shop.rs").read_text().splitlines()
    for row in rust.rows(exe):
        place, line = row["place"].rsplit(":", 1)
        assert place.endswith("rust_shop.rs") and "probe!(" in lines[int(line) - 1]
        assert row["name"] == "thread" or "sell" in row["function"]


@pytest.mark.parametrize("level", LEVELS)
def test_each_site_has_its_own_types(rust, level):
    """A generated program: branches that begin alike, loops, copies by inlining, Drop, unwinding.
    The types come from other statements than the site, which the optimiser must not separate."""
    text, listed = rust_programs.program(seed=1)
    exe = rust.build(text, level=level, is_live=True)
    rows = rust.rows(exe)
    assert len(rows) > 60 and len({row["name"] for row in rows}) > 30
    for row in rows:
        assert fields(row) == listed[row["name"]], row


def test_types_that_got_lost_do_not_compile(rust):
    """Without the statement that sets them."""
    said = rust.build("""fn main() { let v0 = 1;
    unsafe { core::arch::asm!(sdt::__text!(shop lost one (0 v0 w0 ("n"))), v0 = in(reg) v0,
                              options(att_syntax)) } }
""", status=1)
    assert "sdt::probe: the compiler has separated a probe from the types" in said


LTO = {"fat": ["-Clto=fat"], "thin": ["-Clto=thin"]}  # of the standard library as well
LINKS = {"one unit": ["-Ccodegen-units=1"],
       "no unwinding": ["-Cpanic=abort"], "debug": ["-g", "-Coverflow-checks=yes"],
       "static": ["-Ctarget-feature=+crt-static"]}


@pytest.mark.parametrize("is_live", [False, True])
@pytest.mark.parametrize("how", [*LINKS, *(pytest.param(how, marks=pytest.mark.slow)
                                          for how in LTO)])
def test_however_it_is_linked(rust, how, is_live):
    exe = rust.build("rust_shop.rs", *{**LTO, **LINKS}[how], is_live=is_live)
    assert rust.sdt.run(exe) == ""
    assert {note.name for note in notes(exe)} == OPERANDS.keys()
    if is_live:
        assert {row["name"]: fields(row) for row in rust.rows(exe)} == LISTED


def test_bitcode_for_the_linker(rust, monkeypatch):
    """-C linker-plugin-lto: code is generated by lld."""
    for program in ("clang", "ld.lld"):
        if not shutil.which(program):
            pytest.skip(f"this machine has no {program}")
    monkeypatch.setenv("SDTLINK_CC", "clang")
    flags = ["-Clinker-plugin-lto", "-Clink-arg=-fuse-ld=lld"]
    exe = rust.build("rust_shop.rs", *flags, is_live=True, crate=["-Clinker-plugin-lto"])
    assert rust.sdt.run(exe) == ""
    assert {row["name"]: fields(row) for row in rust.rows(exe)} == LISTED


# ---- With C, without std, on other machines. ----

C_PART = '''#include "sdt.h"
int add(int a, int b);
int main(void)
{
    volatile int i;
    for (i = 0; i < 3; i++)
        SDT_PROBE(both, add, i, i);
    return add(1, 2) - 3;
}
'''
RUST_PART = """#![no_std]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! { loop {} }
#[no_mangle]
pub extern "C" fn add(a: i32, b: i32) -> i32 {
    sdt::probe!(both, add, a, b);
    if sdt::enabled!(both, add) { a + b } else { a.wrapping_add(b) }
}
"""


@pytest.mark.parametrize("is_live", [False, True])
def test_c_and_rust_have_one_probe(rust, is_live):
    """The Rust part needs neither std nor the feature of that name."""
    shutil.copy(HEADER, rust.sdt.dir)
    flags = ["--crate-type=staticlib", "-Cpanic=abort"]
    library = rust.build(RUST_PART, *flags, std=False, crate=["-Cpanic=abort"], name="libpart.a")
    tool = [rust.sdt.tool, f"--runtime-directory={BUILD / 'runtime'}"] if is_live else []
    exe = rust.sdt.path("both")
    rust.sdt.command(*tool, "gcc", "-O2", rust.sdt.write("main.c", C_PART), library, "-o", exe)
    assert len(notes(exe)) == 2
    assert counted(rust.sdt, "both:*", exe)[0] == {"both:add": 4}
    if is_live:
        assert {(row["kind"], fields(row)) for row in rust.rows(exe)} == {
            ("nop11", "i: int32, i_2: int32"), ("nop11", "a: int32, b: int32")}


def test_nothing_is_left_elsewhere(rust):
    """What other machines get, by cfg(miri): nothing is evaluated, types are checked."""
    nothing = ["--cfg", "miri"]
    exe = rust.build("""fn never() -> u32 { panic!() }
fn main() { sdt::probe!(shop, none, never()); println!("{}", sdt::enabled!(shop, none)); }
""", *nothing, crate=nothing)
    assert rust.sdt.run(exe) == "false\n" and not notes(exe)
    said = rust.build("fn main() { sdt::probe!(shop, none, vec![1]); }\n", *nothing, crate=nothing,
                      status=1)
    assert "Argument" in said


# ---- What does not compile. ----

REFUSED = {
    "probe!(a, b, vec![1])": "trait bound `Vec<{integer}>: (sdt::)?Argument` is not satisfied",
    "probe!(a, b, 1u128)": "trait bound `u128: (sdt::)?Argument` is not satisfied",
    "probe!(a, b, 1)": "type annotations needed",
    "probe!(a, b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)": "a probe has at most 12 arguments",
    "probe!(a, b, 1u8, 2u8, 3u8, 4u8, 5u8, 6u8, \"7\")": "`&str: (sdt::)?OneWord` is not satisfied",
    "probe!(a___b, c)": "must not contain ___",
    "probe!(a_, c)": "the provider of a probe must not end in _",
    "probe!(a, ä)": "made of ASCII letters, digits and _",
    "probe!(a, r#type)": "made of ASCII letters, digits and _",
    "enabled!(a, b___c)": "must not contain ___",
    "probe!(a)": "no rules expected|unexpected end of macro",
}


@pytest.mark.parametrize("probe", REFUSED)
def test_refused(rust, probe):
    said = rust.build(f"fn main() {{ sdt::{probe}; }}\n", "--emit=metadata", status=1)
    assert re.search(REFUSED[probe], said), said


# ---- Cargo. ----


def test_cargo(rust):
    """A project whose Cargo.toml names the crate's directory; offline, with sdtlink as its linker;
    and the crate's own tests, which are the examples of its pages."""
    cargo = pathlib.Path(rust.rustc).with_name("cargo")
    if not cargo.exists():
        pytest.skip("this machine has no cargo beside that rustc")
    project = rust.sdt.path("project")
    (project / "src").mkdir(parents=True)
    shutil.copytree(CRATE, project / "sdt", ignore=shutil.ignore_patterns("target"))
    shutil.copy(PROGRAMS / "rust_shop.rs", project / "src" / "main.rs")
    (project / "Cargo.toml").write_text('[package]\nname = "shop"\nversion = "1.0.0"\n'
                                        'edition = "2021"\n[dependencies]\n'
                                        'sdt = { path = "sdt" }\n')
    env = {"RUSTC": rust.rustc, "RUSTDOC": str(cargo.with_name("rustdoc")),
           "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER": str(LINKER), "CARGO_NET_OFFLINE": "true",
           "SDTLINK_LAUNCH": f"--runtime-directory={BUILD / 'runtime'}"}
    rust.sdt.command(cargo, "build", "--release", "--offline", cwd=project, env=env)
    exe = project / "target" / "release" / "shop"
    assert {row["name"]: fields(row) for row in rust.rows(exe)} == LISTED
    said = rust.sdt.command(cargo, "test", "--offline", "--doc", cwd=project / "sdt", env=env)
    assert re.search(r"test result: ok\. [5-9]\d* passed", said.stdout)
