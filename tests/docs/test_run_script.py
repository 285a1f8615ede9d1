# SPDX-License-Identifier: BSD-2-Clause
"""./run, and what our other scripts ask of awk: the same under every awk, with programs of the
test's own in the place of Debian's, so that nothing is installed or built."""
import os
import pathlib
import re
import shutil
import subprocess

import awks
import pytest
from conftest import ROOT

pytestmark = [pytest.mark.nosan, pytest.mark.plain]  # runs no tool
COMMANDS = re.findall(r"^  (\w+) ?", (ROOT / "run").read_text().split("<<'END'")[1]
                      .split("\nEND")[0], re.M)
APT_CACHE = """case $1 in
search) for version in 9 14 16 17 22; do echo "clang-$version - compiler"; done ;;
depends) echo "clang"; echo "  Depends: clang-15" ;;
policy) echo "  Candidate: (none)" ;;
esac
"""
LLVM = ["llvm-15-linker-tools", "llvm-17-linker-tools", "clang-17", "libclang-rt-17-dev", "lld-17",
        "llvm-17"]
DEADLY = dict.fromkeys(("apt-cache", "dpkg-query", "cmake", "unshare"), "echo ran >&2; exit 1\n")
THREE = [name for name in ("mawk", "gawk", "busybox awk") if name in awks.AWKS]


@pytest.fixture
def machine(tmp_path):
    """run(name of an awk, {program: what it does instead}, arguments of ./run)."""
    def run(awk, instead, *args, cwd=None):
        place = tmp_path / re.sub(r"\W+", "-", awk)
        place.mkdir(exist_ok=True)
        command = awks.WAYS[awk]
        for name, text in {"awk": f'exec {shutil.which(command[0])} {" ".join(command[1:])} "$@"\n',
                           **instead}.items():
            (place / name).write_text(f"#!/bin/sh\n{text}")
            (place / name).chmod(0o755)
        return subprocess.run([ROOT / "run", *args], capture_output=True, text=True, check=False,
                              cwd=cwd, env={**os.environ, "SDT_NO_INSTALL": "1",
                                            "PATH": f"{place}:{os.environ['PATH']}"})
    return run


@pytest.mark.parametrize("awk", THREE)
@pytest.mark.parametrize("command, wanted", [
    ("test", LLVM),
    ("bench", [f"libclang-{n}-dev" for n in (9, 14, 16, 17)] +
     [f"llvm-{n}-dev" for n in (14, 16, 17)] + ["libmlir-17-dev", "lld-17"])])
def test_versions_of_llvm_are_found(machine, awk, command, wanted):
    """Two above the default one at most. The list begins with them."""
    result = machine(awk, {"apt-cache": APT_CACHE, "dpkg-query": "exit 1\n"}, command)
    assert (result.returncode, result.stderr) == (1, "")
    packages = re.search(r"apt-get install -y --no-install-recommends (.*)", result.stdout)[1]
    assert packages.split()[:len(wanted) + 1] == [*wanted, "gcc"]


def test_an_awk_that_fails_is_not_passed_over(machine):
    """It was: the packages of LLVM were missing, and no test of them ran."""
    instead = {"apt-cache": APT_CACHE, "dpkg-query": "exit 1\n", "awk": "echo no >&2; exit 2\n"}
    result = machine("mawk", instead, "test")
    assert result.returncode == 1 and "apt-get install" not in result.stdout
    assert result.stderr.splitlines()[-2:] == [
        "no", "run: cannot tell which versions of LLVM there are, see above"]


def test_a_machine_with_one_version_of_llvm_has_no_second_one(machine):
    one = APT_CACHE.replace("9 14 16 17 22", "15")
    result = machine("mawk", {"apt-cache": one, "dpkg-query": "exit 1\n"}, "test")
    assert result.stderr == "" and "recommends llvm-15-linker-tools gcc " in result.stdout


@pytest.mark.parametrize("awk", THREE)
def test_the_log_names_the_machine(machine, awk):
    """The first line of ./run test, which ends here when it would build."""
    installed = """shift 2; for name; do echo "$name install ok installed"; done\n"""
    result = machine(awk, {"apt-cache": APT_CACHE, "dpkg-query": installed, "cmake": "exit 9\n"},
                     "test", "tests/docs/test_style.py")
    model = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    assert result.returncode and f"\n== {model[1]} (family " in result.stdout
    assert f"{os.cpu_count()} processors, Linux {os.uname().release}" in result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_answers_help(machine, command):
    """And does nothing else, whatever stands before it on the line."""
    for words in [["--help"]] + [["-h"], ["all", "--help"]] * (command == "install"):
        result = machine("mawk", DEADLY, command, *words)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout.startswith(f"./run {command} ")
        others = set(COMMANDS) - {command}
        assert not [name for name in others if f"\n./run {name} " in result.stdout]


def test_help_tells_of_all_commands(machine):
    text = machine("mawk", {}, "help").stdout
    known = re.findall(r"^([a-z]+)\)$", (ROOT / "run").read_text().rsplit("\ncase ", 1)[1], re.M)
    assert sorted(known + ["help"]) == sorted(COMMANDS)
    assert text == machine("mawk", {}, "--help").stdout == machine("mawk", {}).stdout


@pytest.mark.parametrize("args, said", [
    (["build", "all"], "run: build: no arguments: all"),
    (["lint", "a", "b"], "lint: no arguments: a b"),
    (["toolchains", "x"], "toolchains: no arguments: x"),
    (["install"], "usage: ./run install PREFIX"),
    (["install", "-x"], "usage: ./run install PREFIX"),
    (["install", "a", "b"], "usage: ./run install PREFIX"),
    (["install", "a", "--target"], "needs a name"),
    (["uninstall"], "usage: ./run uninstall PREFIX")])
def test_arguments_that_nobody_takes_are_refused(machine, args, said):
    result = machine("mawk", DEADLY, *args)
    assert result.returncode == 1 and said in result.stderr and "ran" not in result.stderr


@pytest.mark.parametrize("options, words", [
    ([], ["--build --preset default -j {jobs} --target installed", "--install build"]),
    (["--target", "riscv64-linux-gnu"],
     ["--build build-riscv64-linux-gnu --target installed", "--install build-riscv64-linux-gnu"])])
def test_install_builds_what_it_installs(machine, tmp_path, options, words):
    """And a PREFIX that is not absolute is meant where ./run was called."""
    log = tmp_path / "log"
    installed = """shift 2; for name; do echo "$name install ok installed"; done\n"""
    result = machine("mawk", {"dpkg-query": installed, "cmake": f'echo "$@" >>{log}\n'},
                     "install", "none/../a b/", *options, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert log.read_text().splitlines()[1:] == [
        words[0].format(jobs=os.cpu_count()), f"{words[1]} --prefix {tmp_path}/a b"]


# ---- awk in all scripts ----

def scripts():
    """Every tracked or new file that its first line, or shellcheck's, calls a shell script; and
    makefiles, whose commands the shell runs."""
    git = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True,
                         capture_output=True, check=False)
    names = git.stdout.splitlines() if git.returncode == 0 else [
        str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if "build" not in str(path)]
    paths = [ROOT / name for name in names if (ROOT / name).is_file()]
    return [path for path in paths if path.name == "Makefile" or
            re.match(rb"#!.*[ /](ba)?sh\n|# SPDX.*\n# shellcheck shell=", path.read_bytes()[:200])]


def test_scripts_are_found():
    names = {str(path.relative_to(ROOT)) for path in scripts()}
    assert {"run", "demo/run.sh", "tests/guest/apt.sh", ".githooks/pre-commit",
            "sdt/completion/sdt.bash", "examples/one-word/Makefile"} <= names


def test_every_awk_takes_every_program():
    assert len(THREE) == 3, "./run test installs them"
    assert sum(len(awks.programs(path)) for path in scripts()) >= 3
    assert list(awks.all_complaints(scripts())) == []


@pytest.mark.parametrize("text, said", [
    ("x=$(awk -v default=3 '{ print default }' f)", r":1: gawk: .*builtin `default' as "),
    ("a |\n    awk -F : \\\n    -vswitch=\"$1\" 'END { print switch }'", r":2: gawk: "),
    ("# awk \"x\"\nif awk 'BEGIN {'; then", r":2: mawk: "),
    ("awk 'BEGIN { print gensub(/a/, \"b\", 1, \"a\") }'", r":1: gawk --posix: "),
    ("awk \"{ print \\$$n }\"", r":1: awk's program is not one string in single quotes"),
    ("awk -f prog.awk", r":1: awk's program is not one string in single quotes")])
def test_a_program_that_only_some_take_is_named(tmp_path, text, said):
    """As ./run lint does, in the same words."""
    script = tmp_path / "script"
    script.write_text(f"{text}\n")
    lint = subprocess.run(["/usr/bin/python3", ROOT / "tests/support/awks.py", script], text=True,
                          capture_output=True, check=False)
    assert lint.returncode == 1 and re.search(f"^{script}{said}", lint.stdout, re.M), lint


def test_a_program_that_all_take_is_not(tmp_path):
    script = tmp_path / "script"
    script.write_text("""x=$(awk -F '[ \\t]*: ' -v n="$(f)" '$1 <= n { print $2 }' "$1")
    # awk x
printf '%s' "gawk 'BEGIN {'" | awk "-Fx" 'END { print NR }' | tail
""")
    assert list(awks.all_complaints([script])) == []
    assert [program.line for program in awks.programs(script)] == [1, 3]


@pytest.mark.skipif(os.geteuid() != 0, reason="distributions.sh wants root, and asks for it first")
def test_a_release_that_does_not_build_gets_no_row(tmp_path):
    """Nothing else is run there, and docs/toolchains.md keeps its row; the next one is tried. What
    would enter the chroot is a script of the test's, which notes what is asked of it."""
    (tmp_path / "tests").mkdir()
    script = shutil.copy(ROOT / "tests" / "distributions.sh", tmp_path / "tests")
    for suite in ("old", "new"):
        (tmp_path / "build" / "distributions" / suite).mkdir(parents=True)
    (tmp_path / "bin").mkdir()
    for name, text in (("unshare", 'echo "$*"; ! [[ "$*" == *"/old ./run build" ]]'),
                       ("git", "true"), ("tar", "true"), ("cp", 'echo "a row is copied"')):
        (tmp_path / "bin" / name).write_text(f"#!/bin/bash\n{text}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    done = subprocess.run([script, "--quick", "old", "new"], text=True, capture_output=True,
                          check=False, env={"PATH": f"{tmp_path}/bin:/usr/bin:/bin"})
    assert done.returncode == 1 and done.stderr == "distributions: failed: old: build; \n"
    assert re.findall(r"/(\w+) \./run (.*)$", done.stdout, re.M) == [
        ("old", "build"), ("new", "build"), ("new", "demo"), ("new", "test --compilers")]
    assert done.stdout.count("a row is copied") == 1
