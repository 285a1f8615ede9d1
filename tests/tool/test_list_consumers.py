# SPDX-License-Identifier: BSD-2-Clause
"""What `sdtlink list --check` says of consumers, held against the consumers themselves.

The argument strings and the files of test_list_check.py go to the kernel, gdb and perf, and, where
they are installed, to libbpf and bcc; what each makes of a probe must be what the rules say.
"""
import functools
import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from elftools.elf.elffile import ELFFile

from notes import assembly, note, semaphore
import patience
from tracers import Perf, bpftrace, gdb, needs
from test_list_check import ARGUMENTS, FILES, UNIVERSAL, assemble, library, link

FINE, VALUE, LOST = 0, 1, 2
RANK = {"none": FINE, "noise": FINE, "value": VALUE, "lost": LOST, "harm": LOST}
FORMS = sorted({form for _, bad, good in ARGUMENTS for form in (bad, good)} | set(UNIVERSAL))
PERF_LOSES_ALL = {form for form in FORMS if re.search(r"\b(9|[1-9][0-9]+)@", form)}

pytestmark = pytest.mark.nosan  # other programs, which are slow

needs_uprobes = pytest.mark.skipif(
    os.geteuid() != 0 or not os.path.exists("/sys/bus/event_source/devices/uprobe/type"),
    reason="needs root and uprobes in the kernel")


def checked(sdt, path):
    out = sdt.sdtlink("list", "--check=never", "--json", path).stdout
    return json.loads(out)


def claims(found, consumer, name):
    """(for certain, at worst) of the probe of that name."""
    sure = worst = FINE
    for finding in found:
        for row in finding["consumers"]:
            if row["name"] != consumer or finding["name"] not in (name, None):
                continue
            if finding["id"] == "file-arg-size" or finding["id"] == "file-relocatable":
                continue
            worst = max(worst, RANK[row["effect"]])
            if not row["versions"]:
                sure = max(sure, RANK[row["effect"]])
    return sure, worst


def compare(found, consumer, seen):
    """SEEN: name -> what became of the probe."""
    wrong = []
    for name, outcome in seen.items():
        sure, worst = claims(found, consumer, name)
        if not sure <= outcome <= worst:
            form = FORMS[int(name[1:])] if re.fullmatch(r"p\d+", name) else name
            wrong.append(f"{form!r}: claimed {sure} to {worst}, seen {outcome}")
    assert not wrong, "\n".join(wrong)
    assert seen


def forms_library(sdt, forms):
    """One probe p<i> for each form."""
    sites = [note(name=f"p{FORMS.index(form)}", args=form) for form in forms]
    return library(sdt, assembly(*sites, "    ret\n"))


def count(form):
    """How many arguments a note's string is meant to have."""
    return 0 if form == ":" else len(form.split())


def test_gdb_reads_arguments(sdt):
    lib = forms_library(sdt, FORMS)
    sdt.write("main.c", "void work(void); int main(void) { work(); return 0; }\n")
    sdt.command("gcc", "main.c", lib, f"-Wl,-rpath,{sdt.dir}", "-o", "main")
    commands = ["set breakpoint pending on"]
    commands += [f"break -probe-stap prov:p{i}" for i in range(len(FORMS))] + ["run"]
    for _ in FORMS:
        commands += ["printf \"AT %lx\\n\", (long)$pc", "print $_probe_argc", "print $_probe_arg0",
                     "continue"]
    argv = ["gdb", "-nx", "-q", "-batch", "-ex", "set debuginfod enabled off"]
    for command in commands:
        argv += ["-ex", command]
    out = patience.run([*argv, sdt.path("main")], stdout=subprocess.PIPE, text=True,
                       stderr=subprocess.STDOUT, cwd=sdt.dir).stdout
    stops = re.split(r"^AT [0-9a-f]+\n", out, flags=re.M)[1:]
    assert len(stops) == len(FORMS), out[-2000:]
    seen = {}
    for i, (form, text) in enumerate(zip(FORMS, stops)):
        bad = "Cannot parse" in text or "Invalid register" in text or "Invalid operator" in text
        none = "Invalid probe argument 0" in text
        if form not in ("", ":"):
            seen[f"p{i}"] = VALUE if bad or none else FINE
    seen.pop(f"p{FORMS.index('8@%cs')}")  # gdb knows segment registers; the others do not
    compare(checked(sdt, lib), "gdb", seen)


def perf_definitions(sdt, lib, pattern="%sdt_prov:*"):
    if not shutil.which("perf"):
        pytest.skip("perf is not installed")
    cache = sdt.dir / "cache"
    sdt.command("perf", "--buildid-dir", cache, "buildid-cache", "--add", lib, status=None)
    out = sdt.command("perf", "--buildid-dir", cache, "probe", "-x", lib, "-D", pattern,
                      status=None).stdout
    shutil.rmtree(cache, ignore_errors=True)
    return out


def test_perf_reads_arguments(sdt):
    forms = [form for form in FORMS if form not in PERF_LOSES_ALL]
    lib = forms_library(sdt, forms)
    out = perf_definitions(sdt, lib)
    seen = {}
    for form in forms:
        name = f"p{FORMS.index(form)}"
        line = re.search(rf"^p:sdt_prov/{name} .*$", out, re.M)
        arguments = len(re.findall(r" arg\d+=", line[0])) if line else 0
        odd = re.search(r"%xmm|%r16|%r7d|%cs|%ah|\df@", form) is not None  # taken, and wrong
        seen[name] = LOST if not line else VALUE if arguments < count(form) or odd else FINE
    compare(checked(sdt, lib), "perf", seen)


def test_perf_loses_the_file(sdt):
    """One argument of more than 8 bytes."""
    assert PERF_LOSES_ALL
    good = library(sdt, assembly(note(args="8@%rax")), name="good")
    assert "sdt_prov/probe" in perf_definitions(sdt, good)
    text = assembly(note(args="8@%rax"), note(name="other", args="16@%rax"))
    bad = library(sdt, text, name="bad")
    assert "sdt_prov/probe" not in perf_definitions(sdt, bad)
    assert "file-arg-size" in {f["id"] for f in checked(sdt, bad)}


@pytest.mark.parametrize("linker", ["ld.bfd", "ld.gold", "ld.lld", "mold"])
@pytest.mark.parametrize("flags", ["aG", "axGR"])
def test_perf_takes_the_offset_that_is_said(sdt, linker, flags):
    lib = library(sdt, assembly(note(), base=flags), "--build-id", linker=linker)
    taken = int(re.search(r":0x([0-9a-f]+)", perf_definitions(sdt, lib))[1], 16)
    [site] = json.loads(sdt.sdtlink("list", "--json", lib).stdout)
    right = file_offset(lib, site["address"])
    found = [f for f in checked(sdt, lib) if f["id"] == "perf-offset"]
    assert bool(found) == (taken != right)
    if found:
        assert f"is at {right:#x} of the file, perf takes {taken:#x}" in found[0]["detail"]


def file_offset(path, address):
    with open(path, "rb") as stream:
        return next(s["p_offset"] + address - s["p_vaddr"]
                    for s in ELFFile(stream).iter_segments()
                    if s["p_type"] == "PT_LOAD" and s["p_vaddr"] <= address
                    < s["p_vaddr"] + s["p_memsz"])


FILE_RULES = [row for row in FILES if row[0].startswith(("base", "note", "file"))]


@pytest.mark.slow
@pytest.mark.parametrize("rule, bad, good", FILE_RULES, ids=[row[0] for row in FILE_RULES])
def test_who_finds_the_probe(sdt, rule, bad, good):
    for text, name in ((bad, "bad"), (good, "good")):
        if rule == "note-name-empty" or '"stapsdt"' not in text or text.count('"probe"') != 1:
            continue  # there is no probe to be found, or another one of its name
        lib = library(sdt, text, name=name)
        found = checked(sdt, lib)
        [site] = [s for s in json.loads(sdt.sdtlink("list", "--json", lib, status=None).stdout)
                  if s["name"] == "probe"][:1] or [{"address": -1}]
        lists = sdt.command("gdb", "-nx", "-q", "-batch", "-ex", "info probes stap", lib).stdout
        line = re.search(r"^stap +prov +probe +0x([0-9a-f]+)", lists, re.M)
        work = re.search(r"(\w+) . work", sdt.command("nm", lib).stdout)
        right = int(work[1], 16) if work else site["address"]
        gdb = FINE if line and int(line[1], 16) == right else LOST
        line = re.search(r"/probe \S+:0x([0-9a-f]+)", perf_definitions(sdt, lib))
        perf = FINE if line and int(line[1], 16) == file_offset(lib, right) else LOST
        for consumer, outcome in (("gdb", gdb), ("perf", perf)):
            sure, worst = claims(found, consumer, "probe")
            if "note-cut" in {f["id"] for f in found}:
                sure = FINE  # those in front of it are found
            assert sure <= outcome <= worst, (name, consumer, outcome)


LIBBPF_PROGRAM = """
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/usdt.bpf.h>
char LICENSE[] SEC("license") = "GPL";
SEC("usdt") int probe(struct pt_regs *ctx)
{
    long value;
    return bpf_usdt_arg(ctx, 0, &value);
}
"""
LIBBPF_ATTACH = """
#include <bpf/libbpf.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    struct bpf_object *object = bpf_object__open("probe.bpf.o");
    libbpf_set_print(NULL);
    if (!object || bpf_object__load(object))
        return 3;
    struct bpf_program *program = bpf_object__find_program_by_name(object, "probe");
    for (int i = 2; i < argc; i++) {
        struct bpf_link *link =
            bpf_program__attach_usdt(program, -1, argv[1], "prov", argv[i], NULL);
        printf("%s %s\\n", argv[i], link ? "attached" : "refused");
        bpf_link__destroy(link);
    }
    return 0;
}
"""


@pytest.fixture(name="libbpf")
def fixture_libbpf(sdt):
    """attach(library, names) -> {name: attached?}, through libbpf itself."""
    if os.geteuid() != 0 or not os.path.exists("/usr/include/bpf/usdt.bpf.h"):
        pytest.skip("needs root and libbpf-dev")
    sdt.write("probe.bpf.c", LIBBPF_PROGRAM)
    sdt.write("attach.c", LIBBPF_ATTACH)
    sdt.command("clang", "-O2", "-g", "--target=bpf", "-D__TARGET_ARCH_x86",
                "-I/usr/include/x86_64-linux-gnu", "-c", "probe.bpf.c", "-o", "probe.bpf.o")
    sdt.command("gcc", "attach.c", "-lbpf", "-o", "attach")

    def attach(lib, names):
        result = sdt.command("./attach", lib, *names, status=None)
        if result.returncode == 3:
            pytest.skip("the kernel does not load BPF programs here")
        return {name: outcome == "attached"
                for name, outcome in (line.split() for line in result.stdout.splitlines())}

    return attach


def test_libbpf_reads_arguments(sdt, libbpf):
    lib = forms_library(sdt, FORMS)
    seen = libbpf(lib, [f"p{i}" for i in range(len(FORMS))])
    assert len(seen) == len(FORMS)
    compare(checked(sdt, lib), "libbpf", {name: FINE if ok else LOST for name, ok in seen.items()})


def test_libbpf_finds_the_probe(sdt, libbpf):
    for i, (rule, bad, _) in enumerate(FILE_RULES):
        if rule in ("note-cut", "note-name-empty"):
            continue
        lib = library(sdt, bad, name=f"bad{i}")
        [attached] = libbpf(lib, ["probe"]).values()
        sure, worst = claims(checked(sdt, lib), "libbpf", "probe")
        assert sure <= (FINE if attached else LOST) <= worst, rule


BCC = """
import sys
from bcc import USDT
file = USDT(path=sys.argv[1])
for probe in file.enumerate_probes():
    location = probe.get_location(0)
    print(probe.name.decode(), [str(location.get_argument(i)) for i in range(probe.num_arguments)])
"""


@functools.cache
def has_bcc():
    return subprocess.run(["/usr/bin/python3", "-c", "import bcc"], capture_output=True,
                          check=False).returncode == 0


DIFFERENT = [("8@%rax", "8@8(%rsp)"), ("8@%rax", "-4@%ebx"), ("8@%rax", "-8@%rbx"),
             ("8@$5", "8@%rax"), ("8@$5", "8@$6"), ("8@%rax 4@%rbx", "8@%rax"),
             ("8@$5 8@%rax", "8@%rax 8@$5"), ("8@work(%rip)", "8@%rax"), ("8@%rax", "8f@%rax")]


@pytest.mark.parametrize("first, second", DIFFERENT)
def test_perf_wants_the_same_arguments_at_all_sites(sdt, first, second):
    provider = f"prov{os.getpid()}"
    lib = library(sdt, assembly(*(note(provider, args=args) for args in (first, second))))
    with Perf(sdt, provider) as perf:
        perf.run("buildid-cache", "--add", lib)
        seen = perf.run("probe", f"%sdt_{provider}:probe", status=None)
    found = checked(sdt, lib)
    fails = claims(found, "perf", "probe")[0] == LOST
    assert fails == (seen.returncode != 0), seen.stderr
    assert fails == any(f["id"].startswith("args-") for f in found)


TWO_TYPES = """
    mov $0x1122334455667788, %rax
    mov $-7, %ebx
"""


def two_types(sdt):
    """A program with a probe that has a long at one site, and an int at the other."""
    text = assembly(TWO_TYPES, note(args="8@%rax"), note(args="-4@%ebx"), "    ret\n")
    obj = assemble(sdt, text)
    sdt.write("main.c", "void work(void); int main(void) { work(); return 0; }\n")
    sdt.command("gcc", "main.c", obj, "-o", "main")
    assert {f["id"] for f in checked(sdt, "main")} == {"args-size-differs"}
    return sdt.path("main")


def test_gdb_reads_arguments_of_two_sizes(sdt):
    out = gdb(sdt, [two_types(sdt)], "break -probe-stap prov:probe", "run", "print $_probe_arg0",
              "continue", "print $_probe_arg0")
    assert re.findall(r"^\$\d = (.*)", out, re.M) == [str(0x1122334455667788), "-7"]


def test_bpftrace_reads_arguments_of_two_sizes(sdt):
    exe = two_types(sdt)
    out = bpftrace(sdt, f'usdt:{exe}:prov:probe {{ printf("is %ld\\n", arg0); }}', [exe])
    assert re.findall(r"^is (.*)", out, re.M) == [str(0x1122334455667788), "-7"]


def test_libbpf_takes_two_sizes(sdt, libbpf):
    assert libbpf(two_types(sdt), ["probe"]) == {"probe": True}


# SystemTap compiles against a kernel; to find and read probes, it only asks what that can.
KERNEL = {".config": "".join(f"CONFIG_{name}=y\n" for name in
                             ("UPROBES", "ARCH_SUPPORTS_UPROBES", "TRACEPOINTS", "MODULES")),
          "Module.symvers": "", "include/generated/autoconf.h": "",
          "include/config/kernel.release": "6.1.0\n"}


def systemtap(sdt, path, probes):
    """Passes 1 and 2 on a script that reads all arguments of PROBES: name -> how many."""
    needs("stap", "systemtap")
    for name, text in KERNEL.items():
        (sdt.dir / "kernel" / name).parent.mkdir(parents=True, exist_ok=True)
        (sdt.dir / "kernel" / name).write_text(text)
    script = "".join(
        f'probe process("{path}").mark("{name}") {{ println("x")'
        + "".join(f"; println($arg{i + 1})" for i in range(arguments)) + " }\n"
        for name, arguments in probes.items())
    sdt.write("script.stp", script)
    return sdt.command("stap", "-v", "-p2", "-r", sdt.dir / "kernel", "script.stp", status=None)


def test_systemtap_reads_arguments(sdt):
    # Not: odd sizes, of which the width would show at run time; without any, all is well.
    forms = [form for form in FORMS
             if count(form) <= 12 and not re.fullmatch(r"%rax|(3|16|24)@.*", form)]
    lib = forms_library(sdt, forms)
    names = [f"p{FORMS.index(form)}" for form in forms]
    out = systemtap(sdt, lib, dict(zip(names, map(count, forms)))).stderr
    lines = {int(line) for line in re.findall(r": identifier '\$arg\d+' at \S*:(\d+):\d+", out)}
    assert lines and "no match" not in out
    seen = {name: VALUE if line in lines else FINE for line, name in enumerate(names, 1)}
    compare(checked(sdt, lib), "systemtap", seen)


def test_systemtap_ends_with_13_arguments(sdt):
    lib = forms_library(sdt, [" ".join(["8@%rax"] * 13)])
    [name] = {f["name"] for f in checked(sdt, lib)}
    result = systemtap(sdt, lib, {name: 13})
    assert result.returncode < 0 and "Assertion" in result.stderr
    assert claims(checked(sdt, lib), "systemtap", name)[1] == LOST


def test_systemtap_finds_the_probe(sdt):
    wrong = []
    for rule, bad, _ in FILE_RULES:
        if rule in ("note-cut", "note-name-empty") or '"stapsdt"' not in bad:
            continue
        if rule == "base-missing":
            bad = bad.replace("8byte 0", "8byte 4096", 1)  # it is fine if that is noted as 0
        lib = library(sdt, bad, name="bad")
        out = systemtap(sdt, lib, {"probe": 0})
        right = re.search(r"(\w+) . work", sdt.command("nm", lib).stdout)[1]
        found = f"statement(0x{int(right, 16):x})" in out.stdout
        sure, worst = claims(checked(sdt, lib), "systemtap", "probe")
        if not sure <= (FINE if found else LOST) <= worst:
            wrong.append((rule, found, sure, worst, out.stdout[-300:]))
    assert not wrong


def test_systemtap_takes_two_sizes(sdt):
    out = systemtap(sdt, two_types(sdt), {"probe": 1})
    assert "Pass 2: analyzed script: 2 probes" in out.stderr and "Can't" not in out.stderr


def test_bcc_reads_arguments(sdt):
    if not has_bcc():
        pytest.skip("python3-bpfcc is not installed")
    forms = [form for form in FORMS if form[:1] != " "]  # its Python binding fails on that
    lib = forms_library(sdt, forms)
    out = sdt.command("/usr/bin/python3", "-c", BCC, lib).stdout
    lines = dict(line.split(" ", 1) for line in out.splitlines())
    seen = {}
    for form in forms:
        name = f"p{FORMS.index(form)}"
        text = lines[name]
        fine = text.count(" @ ") == count(form) and not re.search("unrecognized|xmm", text)
        seen[name] = FINE if fine else VALUE
    compare(checked(sdt, lib), "bcc", seen)


# ---- the kernel ----


def attached(sdt, exe, *later):
    """Place a uprobe with the semaphore as its counter on a program, and see whether it counts."""
    [site] = json.loads(sdt.sdtlink("list", "--json", exe).stdout)
    offset = file_offset(exe, site["address"])
    counter = file_offset(exe, site["semaphore"]) if site["semaphore"] else 0
    out = sdt.run(exe, f"{offset:x}", f"{counter:x}", *later)
    # A page of code that is also mapped as data has two breakpoints, and counts twice.
    return re.fullmatch(r"attached [1-9]\d*\n", out) is not None


def program(sdt, text, *flags):
    main = sdt.compile("check_semaphore.c")
    obj = assemble(sdt, text)
    sdt.command("gcc", main, obj, *flags, "-o", "program")
    return sdt.path("program")


SEMAPHORES = [
    (None, '.probes,"aw",%progbits', 4096),
    (None, '.probes,"aw",%progbits', 2),
    (None, '.data,"aw",%progbits', 2),
    ("semaphore-relro", '.data.rel.ro,"aw",%progbits', 2),
    ("semaphore-read-only", '.probes,"a",%progbits', 2),
    ("semaphore-no-bytes", '.bss,"aw",%nobits', 65536),
]


@needs_uprobes
@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
@pytest.mark.parametrize("rule, section, align", SEMAPHORES)
def test_semaphores_count_where_no_finding_is(sdt, rule, section, align, linker):
    text = assembly(note(semaphore="prov_probe_semaphore"),
                    semaphore("prov_probe_semaphore", section, align))
    exe = program(sdt, text, f"-fuse-ld={linker}", "-Wl,-z,relro,-z,now")
    found = {f["id"] for f in checked(sdt, exe)}
    reach = {"semaphore-relro", "semaphore-read-only", "semaphore-no-bytes",
             "semaphore-shared-page"} & found
    if rule:
        assert rule in found or "semaphore-shared-page" in found, found
    counts = [attached(sdt, exe), attached(sdt, exe, "later")]
    if "semaphore-shared-page" in reach:
        assert counts == [True, False]  # the other mapping is read-only by the time it runs
    elif "semaphore-relro" in reach:
        assert counts == [False, True]
    else:
        assert counts == ([False, False] if reach else [True, True])


@needs_uprobes
def test_an_odd_semaphore_is_refused(sdt):
    text = assembly(note(semaphore="prov_probe_semaphore + 1"), semaphore("prov_probe_semaphore"))
    exe = program(sdt, text)
    assert "semaphore-odd" in {f["id"] for f in checked(sdt, exe)}
    assert not attached(sdt, exe) and not attached(sdt, exe, "later")


CODE = ["nop", ".byte 0x66,0x90", ".byte 0x0f,0x1f,0x44,0,0", "push %rbp", "ret", "call work",
        "pause", "endbr64", ".byte 0x66,0x0f,0x1f,0x84,0,0,0,0,0", "jmp *%rax", "syscall", "ud2",
        "mov %fs:0, %rax", "lea 8(%rsp), %rsp", "cpuid", "vzeroupper", "enter $0, $0",
        "int3", "hlt", "lock incl (%rax)", "in %dx, %al", "cli", "int $0x80", "iret",
        ".byte 0x3e,0x66,0x0f,0x1f,0xc0", ".byte 0x66,0x2e,0x0f,0x1f,0x84,0,0,0,0,0",
        "insb", ".byte 0xf1", ".byte 0x06", ".byte 0xd6", ".byte 0xea", ".byte 0x9a", ".byte 0xce"]


@needs_uprobes
def test_the_kernel_refuses_what_is_said(sdt):
    wrong = []
    main = sdt.compile("check_semaphore.c")
    for code in CODE:
        obj = assemble(sdt, assembly(note(code=code)))
        sdt.command("gcc", main, obj, "-o", "program")
        refused = "pc-unprobeable" in {f["id"] for f in checked(sdt, "program")}
        [site] = json.loads(sdt.sdtlink("list", "--json", "program").stdout)
        out = sdt.run("./program", f"{file_offset(sdt.path('program'), site['address']):x}", "0")
        if (out == "refused 524\n") != refused:
            wrong.append((code, out, refused))
    assert not wrong


def test_the_interpreter_is_debians():
    """bcc belongs to it; pytest runs under the same."""
    assert sys.version_info >= (3, 9) and callable(link)
