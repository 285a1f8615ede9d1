# SPDX-License-Identifier: BSD-2-Clause
"""./run uninstall: all that was installed goes, and nothing else. What is there before and after is
what os.walk() sees."""
import hashlib
import os
import re
import shutil
import subprocess

import pytest
from conftest import BUILD, ROOT
from installed import prefix  # noqa: F401 (a fixture)

pytestmark = [pytest.mark.nosan, pytest.mark.plain]
LISTS = "share/sdtlink/installed"
# As cmake/Install.cmake does, for another machine, and with few files.
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(small NONE)
install(CODE "
  set(sdt_build \\"${PROJECT_BINARY_DIR}\\")
  set(sdt_machine \\"@machine@-linux-gnu\\")
  set(sdt_lists \\"share/sdtlink/installed\\")")
install(SCRIPT @root@/cmake/InstalledList.cmake)
install(DIRECTORY tree/ DESTINATION .)
install(SCRIPT @root@/cmake/RemoveStale.cmake)
"""


def everything(place):
    """{path: contents, target, or None for a directory}."""
    found = {}
    for base, directories, files in os.walk(place):
        for name in directories + files:
            path = os.path.join(base, name)
            kind = os.readlink if os.path.islink(path) else \
                (lambda _: None) if os.path.isdir(path) else (lambda path: open(path, "rb").read())
            found[os.path.relpath(path, place)] = kind(path)
    return found


def install(build, place, cwd=None):
    subprocess.run(["cmake", "--install", build, "--prefix", place], check=True, cwd=cwd,
                   stdout=subprocess.DEVNULL)


def uninstall(place, *options, status=0):
    """What it prints, without the last line, which has the numbers: (files, directories, lines)."""
    done = subprocess.run([ROOT / "run", "uninstall", place, *options], check=False, text=True,
                          capture_output=True)
    assert done.returncode == status, done
    if status:
        return done.stderr
    assert done.stderr == ""
    *lines, last = done.stdout.splitlines()
    files, directories = re.fullmatch(r"uninstall: removed (\d+) files and (\d+) directories below "
                                      + re.escape(str(place)), last).groups()
    return int(files), int(directories), lines


class Small:
    """A project of the test's, which is installed as sdtlink is."""
    time = 10 ** 9

    def __init__(self, place, machine, files):
        self.place, self.machine, self.files = place / machine, machine, files
        self.configure()

    def configure(self):
        shutil.rmtree(self.place, ignore_errors=True)
        for name, text in self.files.items():
            path = self.place / "tree" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text.startswith("-> "):
                path.symlink_to(text[3:])
            else:
                path.write_text(text)
        (self.place / "CMakeLists.txt").write_text(
            PROJECT.replace("@machine@", self.machine).replace("@root@", str(ROOT)))
        subprocess.run(["cmake", "-S", self.place, "-B", self.place / "build"], check=True,
                       stdout=subprocess.DEVNULL)

    def install(self, place):
        # CMake takes files for the same whose times are not a second apart.
        for path in (self.place / "tree").rglob("*"):
            Small.time += 2
            os.utime(path, (Small.time, Small.time), follow_symlinks=False)
        install(self.place / "build", place)


@pytest.fixture
def small(tmp_path):
    def make(machine="one", **files):
        common = {"bin/tool": "tool", "include/x y.h": "header", "lib/libx.so": "-> libx.so.1",
                  "lib/libx.so.1": "library", "share/python/module.py": "x = 1\n"}
        return Small(tmp_path / "projects", machine, {**common, **files})
    return make


def test_everything_that_was_installed_goes(tmp_path):
    """Of sdtlink itself, with the directories above the prefix that were made for it; the build
    directory is not asked. The numbers are those of the disk."""
    place = tmp_path / "new" / "deep" / "my prefix"
    install(BUILD, place)
    there = everything(tmp_path)
    lists = 2  # which are not counted: they are not installed
    assert uninstall(place) == (
        sum(text is not None for text in there.values()) - lists,
        sum(text is None for text in there.values()), [])
    assert everything(tmp_path) == {}


def test_the_list_names_every_file(prefix):  # noqa: F811 (a fixture)
    """Also after the tree was moved; `sha256sum` is an independent opinion of the contents."""
    [list_] = (prefix / LISTS).glob("*-linux-gnu")
    rows = [line.split("\t") for line in list_.read_text().splitlines()]
    there = everything(prefix)
    assert sorted(path for _, _, path in rows) == sorted(
        path for path, text in there.items() if text is not None and not path.startswith(LISTS)
        and "__pycache__" not in path)
    assert all(there[path] == value for kind, value, path in rows if kind == "link")
    sums = "".join(f"{value}  {path}\n" for kind, value, path in rows if kind == "file")
    subprocess.run(["sha256sum", "--check", "--quiet", "--strict"], input=sums, text=True,
                   cwd=prefix, check=True)


def test_what_was_there_before_stays(tmp_path, small):
    """Files and directories, empty ones as well; and nothing is printed of them."""
    place = tmp_path / "prefix"
    for name in ("bin/mine", "include/mine.h", "share/doc/mine/a"):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(name)
    (place / "lib").mkdir()
    before = everything(place)
    small().install(place)
    assert len(everything(place)) > len(before) + 8
    assert uninstall(place) == (5, 3, [])  # share/python, share/sdtlink/installed
    assert everything(place) == before


@pytest.mark.parametrize("change", [
    lambda place: (place / "bin/tool").write_text("mine"),
    lambda place: ((place / "bin/tool").unlink(), (place / "bin/tool").symlink_to("mine")),
    lambda place: ((place / "bin/tool").unlink(), (place / "bin/tool").mkdir())],
    ids=["text", "link", "directory"])
def test_what_somebody_changed_stays_and_is_named(tmp_path, small, change):
    place = tmp_path / "prefix"
    small().install(place)
    change(place)
    *_, lines = uninstall(place)
    assert lines == [f"uninstall: left, because it was changed: {place}/bin/tool",
                     f"uninstall: left, because of other files in it: {place}/bin"]
    assert sorted(everything(place)) == ["bin", "bin/tool"]


def test_a_changed_link_stays(tmp_path, small):
    place = tmp_path / "prefix"
    small().install(place)
    (place / "lib/libx.so").unlink()
    (place / "lib/libx.so").symlink_to("libx.so.2")
    uninstall(place)
    assert everything(place) == {"lib": None, "lib/libx.so": "libx.so.2"}


def test_files_of_somebody_keep_their_directories(tmp_path, small):
    """Hidden ones, too. Only the directory that has them is named."""
    place = tmp_path / "prefix"
    small().install(place)
    (place / "share/python/.hidden").write_text("")
    *_, lines = uninstall(place)
    assert lines == [f"uninstall: left, because of other files in it: {place}/share/python"]
    assert sorted(everything(place)) == ["share", "share/python", "share/python/.hidden"]


def test_bytecode_of_installed_modules_goes(tmp_path, small):
    place = tmp_path / "prefix"
    small().install(place)
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("PYTHON")}
    subprocess.run(["/usr/bin/python3", "-c", "import module"], cwd=place / "share/python",
                   env=environment, check=True)
    assert list(place.glob("share/python/__pycache__/module.*.pyc"))
    assert uninstall(place)[2] == []
    assert not place.exists()


def test_a_moved_tree_is_removed_where_it_is(tmp_path, small):
    """And not the directory into which it was moved, nor the one that it left."""
    small().install(tmp_path / "made/first")
    (tmp_path / "empty").mkdir()
    (tmp_path / "made/first").rename(tmp_path / "empty/moved")
    uninstall(tmp_path / "empty/moved")
    assert {"empty", "made"} == set(everything(tmp_path)) - \
        {name for name in everything(tmp_path) if name.startswith("projects")}


def test_a_prefix_that_is_not_absolute(tmp_path, small):
    project = small()
    (tmp_path / "here").mkdir()
    install(project.place / "build", "new/prefix", cwd=tmp_path / "here")
    assert uninstall(tmp_path / "here/new/prefix") == (5, 9, [])
    assert everything(tmp_path / "here") == {}
    assert not list((project.place / "build").glob("install-*"))


def test_files_of_an_older_version_go_as_well(tmp_path, small):
    """Installed over it: what the newer one has no more, and what it has changed."""
    place = tmp_path / "prefix"
    small(**{"share/old/page": "old"}).install(place)
    small(**{"bin/tool": "newer", "share/new/page": "new"}).install(place)
    assert uninstall(place)[2] == []
    assert not place.exists()


def test_an_upgrade_leaves_nothing_of_the_older_version(tmp_path, small):
    """Files, links, bytecode, directories that are empty now: as if only the newer one had been
    installed. That is so for the lists as well, which do not grow."""
    small(**{"bin/tool": "newer"}).install(tmp_path / "new")
    place = tmp_path / "prefix"
    old = {"share/old/deep/page": "old", "lib/liby.so": "-> liby.so.2", "lib/liby.so.2": "old",
           "share/old/module.py": "x = 1\n"}
    small(**old).install(place)
    (place / "share/old/__pycache__").mkdir()
    (place / "share/old/__pycache__/module.cpython-311.pyc").write_text("")
    small(**{"bin/tool": "newer"}).install(place)
    assert everything(place) == everything(tmp_path / "new")


def test_an_upgrade_leaves_what_somebody_changed_or_added(tmp_path, small):
    """And names what it would have removed; until that is as it was installed, or uninstalled."""
    place = tmp_path / "prefix"
    older = small(**{"share/old/page": "old", "share/old/link": "-> page", "share/old/gone": "old"})
    older.install(place)
    (place / "share/old/page").write_text("mine")
    (place / "share/old/link").unlink()
    (place / "share/old/link").write_text("mine")
    (place / "share/old/added").write_text("mine")
    newer = small()
    for _ in range(2):
        said = subprocess.run(["cmake", "--install", newer.place / "build", "--prefix", place],
                              check=True, capture_output=True, text=True).stdout
        assert re.findall(r"changed: (.*)", said) == [
            f"{place}/share/old/page", f"{place}/share/old/link"]
    assert {name for name in everything(place) if name.startswith("share/old/")} == {
        "share/old/page", "share/old/link", "share/old/added"}
    *changed, other = uninstall(place)[2]
    assert sorted(changed) == [f"uninstall: left, because it was changed: {place}/share/old/{name}"
                               for name in ("link", "page")]
    assert other == f"uninstall: left, because of other files in it: {place}/share/old"


def test_an_upgrade_of_one_machine_leaves_what_another_needs(tmp_path, small):
    place = tmp_path / "prefix"
    small("two", **{"share/old/page": "older"}).install(place)
    small(**{"share/old/page": "old"}).install(place)
    small(**{"bin/tool": "newer"}).install(place)
    assert (place / "share/old/page").read_text() == "old"
    small("two", **{"bin/tool": "newer"}).install(place)
    assert not (place / "share/old").exists()
    assert uninstall(place)[2] == []
    assert not place.exists()


def test_an_upgrade_into_a_prefix_with_a_damaged_list_removes_nothing(tmp_path, small):
    place = tmp_path / "prefix"
    small().install(place)
    (tmp_path / "mine").write_text("")
    digest = hashlib.sha256(b"").hexdigest()
    with open(place / LISTS / "one-linux-gnu", "a", encoding="ascii") as lines:
        lines.write(f"file\t{digest}\t../mine\n")
    with pytest.raises(subprocess.CalledProcessError):
        small().install(place)
    assert (tmp_path / "mine").exists()


def test_an_upgrade_of_sdtlink_itself(tmp_path):
    """With the script of this tree: a file of an older version, which is in the list only."""
    place = tmp_path / "prefix"
    install(BUILD, place)
    expected = everything(place)
    (place / "include/sdt/old.h").write_text("old")
    digest = hashlib.sha256(b"old").hexdigest()
    [list_] = (place / LISTS).glob("*-linux-gnu")
    with open(list_, "a", encoding="ascii") as lines:
        lines.write(f"file\t{digest}\tinclude/sdt/old.h\n")
    install(BUILD, place)
    assert everything(place) == expected


def test_an_installation_that_was_cut_short_goes(tmp_path, small):
    """The list is complete before the first file is there."""
    project, place = small(), tmp_path / "prefix"
    script = project.place / "build" / "cmake_install.cmake"
    text = script.read_text()
    # The second time it runs, which is the time without DESTDIR.
    at = text.rindex("file(INSTALL")
    cut = 'if("$ENV{DESTDIR}" STREQUAL "")\nmessage(FATAL_ERROR cut)\nendif()\n'
    script.write_text(text[:at] + cut + text[at:])
    with pytest.raises(subprocess.CalledProcessError):
        project.install(place)
    assert (place / LISTS / "one-linux-gnu").exists() and not (place / "bin").exists()
    (place / "bin").mkdir()  # as if one file had come
    (place / "bin/tool").write_text("tool")
    assert uninstall(place) == (1, 5, [])
    assert not place.exists()


def test_an_uninstallation_that_was_cut_short_goes_on(tmp_path, small):
    place = tmp_path / "prefix"
    small().install(place)
    (place / "lib/libx.so.1").unlink()
    (place / "bin/tool").unlink()
    (place / "bin").rmdir()
    assert uninstall(place)[2] == []
    assert not place.exists()


# ---- several machines ----

def test_one_machine_leaves_what_another_needs(tmp_path, small):
    """Directories that the first one made go with the last."""
    place = tmp_path / "prefix"
    small("one").install(place)
    alone = everything(place)
    small("two", **{"lib/two/libx.so.1": "other", "bin/tool": "tool"}).install(place)
    assert uninstall(place, "--target", "two-linux-gnu") == (1, 1, [])
    assert everything(place) == alone
    small("two", **{"lib/two/libx.so.1": "other", "only/two": "2"}).install(place)
    assert uninstall(place, "--target", "one-linux-gnu") == (0, 0, [])
    assert (place / "only/two").exists() and (place / "bin/tool").exists()
    assert uninstall(place)[2] == []
    assert not place.exists()


def test_all_machines_go_together(tmp_path, small):
    """Of a file that both have in different versions, either is ours."""
    place = tmp_path / "prefix"
    small("one").install(place)
    small("two", **{"include/x y.h": "other"}).install(place)
    assert uninstall(place)[2] == []
    assert not place.exists()


def test_who_is_not_there_cannot_go(tmp_path, small):
    place = tmp_path / "prefix"
    small("one").install(place)
    there = everything(place)
    said = uninstall(place, "--target", "riscv64-linux-gnu", status=1)
    assert said == f"uninstall: nothing was installed below {place} for riscv64-linux-gnu, but " \
        "for: one-linux-gnu\n"
    assert everything(place) == there
    assert f"uninstall: there is no directory {tmp_path}/none\n" == \
        uninstall(tmp_path / "none", status=1)
    (tmp_path / "other").mkdir()
    assert uninstall(tmp_path / "other", status=1) == \
        f"uninstall: no list in {tmp_path}/other/{LISTS} of what was installed there. If that " \
        f"was by an older version, './run install {tmp_path}/other' writes one\n"


@pytest.mark.parametrize("line", ["file\t0\t../mine", "link\tx\t/etc/mine", "file\t0\ta/../../mine",
                                  "files\t0\tmine", "mine"])
def test_a_damaged_list_is_refused(tmp_path, small, line):
    place = tmp_path / "prefix"
    small().install(place)
    (tmp_path / "mine").write_text("")
    with open(place / LISTS / "one-linux-gnu", "a", encoding="ascii") as lines:
        lines.write(line + "\n")
    there = everything(tmp_path)
    assert "/one-linux-gnu is damaged: " in uninstall(place, status=1)
    assert everything(tmp_path) == there


def test_a_package_manager_gets_no_list(tmp_path, small):
    project = small()
    subprocess.run(["cmake", "--install", project.place / "build", "--prefix", "/usr"], check=True,
                   stdout=subprocess.DEVNULL, env={**os.environ, "DESTDIR": str(tmp_path / "root")})
    there = everything(tmp_path / "root")
    assert "usr/bin/tool" in there and not [name for name in there if "installed" in name]


# ---- what ./run install builds ----

def test_what_is_installed_is_built_without_tests():
    """All files that the install scripts take from the build directory, and of tests and examples
    only the one that is installed."""
    if not (BUILD / "build.ninja").exists():
        pytest.skip("this build directory was not made for ninja")
    commands = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", "installed"], check=True,
                              capture_output=True, text=True).stdout
    named = re.findall(rf'"{re.escape(str(BUILD))}/([\w./-]+)"',
                       (BUILD / "cmake_install.cmake").read_text())
    written_by_cmake = (".cmake", ".pc", ".1", "/", "install_local_manifest.txt")
    links = {"runtime/libsdt.so.0", "sdtlink/sdtlink-gcc"}
    assert links < set(named) and all((BUILD / path).is_symlink() for path in links)
    taken = {str((BUILD / path).resolve().relative_to(BUILD.resolve())) for path in named
             if not path.endswith(written_by_cmake)}
    assert {"sdtlink/sdtlink", "sdt/sdt", "runtime/libsdt.a"} <= taken
    assert taken <= set(commands.split())
    made = re.findall(r" -o (\S+)", commands)
    assert len(made) > 200
    others = [path for path in made if re.match(r"tests/|examples/", path)]
    assert [path for path in others if "trace" not in path] == []


@pytest.mark.slow
def test_a_target_comes_and_goes(tmp_path):
    """With the real script, in a copy of the sources: for riscv64, beside what is for this one."""
    place, copy = tmp_path / "prefix", tmp_path / "copy"
    if not shutil.which("riscv64-linux-gnu-gcc"):
        pytest.skip("this machine has no riscv64-linux-gnu-gcc")
    copy.mkdir()
    archive = subprocess.run("git ls-files -co --exclude-standard -z |"
                             "tar --null --ignore-failed-read -T - -cf -", shell=True, cwd=ROOT,
                             capture_output=True, check=True)
    subprocess.run(["tar", "-xf", "-"], input=archive.stdout, cwd=copy, check=True)
    install(BUILD, place)
    alone = everything(place)
    subprocess.run([copy / "run", "install", place, "--target", "riscv64-linux-gnu"], check=True,
                   stdout=subprocess.DEVNULL)
    log = (copy / "build-riscv64-linux-gnu" / ".ninja_log").read_text()
    assert "libsdt.a" in log and "tests/" not in log
    assert (place / "lib/riscv64-linux-gnu/libsdt.a").exists()
    shutil.rmtree(copy / "build-riscv64-linux-gnu")
    uninstall(place, "--target", "riscv64-linux-gnu")
    assert everything(place) == alone
    uninstall(place)
    assert not place.exists()
