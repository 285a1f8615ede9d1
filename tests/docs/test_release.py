# SPDX-License-Identifier: BSD-2-Clause
"""./run release, in a clone of this tree's last commit with its uncommitted changes: what it
refuses, what it makes, and that it pushes nothing. The archive is built, tested and installed where
there is no git (slow)."""
import hashlib
import os
import re
import shutil
import subprocess
import tarfile

import patience
import pytest
from conftest import ROOT
from test_style import tracked

pytestmark = [pytest.mark.nosan, pytest.mark.plain]
if not (ROOT / ".git").exists():
    pytest.skip("this is not a git checkout", allow_module_level=True)
VERSION = re.search(r"project\(sdtlink VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
WHO = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
       "GIT_COMMITTER_EMAIL": "a@b", "GIT_CONFIG_GLOBAL": "/dev/null"}


class Clone:
    def __init__(self, place, remote):
        self.place, self.remote = place, remote

    def git(self, *argv):
        return subprocess.run(["git", *argv], cwd=self.place, check=True, text=True,
                              capture_output=True, env={**os.environ, **WHO}).stdout.strip()

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "a change")

    def edit(self, name, old, new):
        path = self.place / name
        text = path.read_text()
        assert old in text, name
        path.write_text(text.replace(old, new))

    def release(self, *argv, status=0, skip="--skip-tests", **environment):
        """By a fast xz, unless PATH is given."""
        environment.setdefault("PATH", f"{self.place.parent}/fast:{os.environ['PATH']}")
        result = patience.run([self.place / "run", "release", *([skip] if skip else []), *argv],
                              capture_output=True, text=True,
                              env={**os.environ, **WHO, "SDT_NO_INSTALL": "1", **environment})
        assert result.returncode == status, result
        return result.stderr if status else result.stdout


def make_clone(place):
    """On main, with a remote, and with the two edits that come before a release."""
    remote = place / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", remote], check=True)
    clone = Clone(place / "clone", remote)
    clone.place.mkdir()
    (place / "fast").mkdir()
    (place / "fast" / "xz").write_text(f'#!/bin/sh\nexec {shutil.which("xz")} "$@" -0\n')
    (place / "fast" / "xz").chmod(0o755)
    clone.git("init", "-q", "-b", "main")
    for path in tracked():
        there = clone.place / path.relative_to(ROOT)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, there)
    clone.git("remote", "add", "origin", str(remote))
    heading = re.findall(r"^## .*$", (ROOT / "CHANGELOG.md").read_text(), re.M)[1]
    clone.edit("CHANGELOG.md", heading, f"## {VERSION} (2026-12-01)")
    first = (ROOT / "debian" / "changelog").read_text().splitlines()[0]
    clone.edit("debian/changelog", first, f"sdtlink ({VERSION}-1) unstable; urgency=medium")
    clone.commit()
    return clone


@pytest.fixture(scope="module", name="kept")
def fixture_kept(tmp_path_factory):
    return make_clone(tmp_path_factory.mktemp("release"))


@pytest.fixture
def clone(kept):
    """As it was before each test."""
    head = kept.git("rev-parse", "HEAD")
    yield kept
    kept.git("checkout", "-q", "-f", "main")
    kept.git("reset", "-q", "--hard", head)
    kept.git("clean", "-q", "-f", "-d", "-x")
    if kept.git("tag"):
        kept.git("tag", "-d", *kept.git("tag").split())


def test_a_release_makes_the_same_archive_twice(clone, tmp_path):
    """In another directory, language and time zone; it holds the files of the commit, their modes,
    and one time, which is the commit's."""
    clone.release(tmp_path / "first", PATH=os.environ["PATH"])
    os.utime(clone.place / "README.md", (0, 0))
    clone.release(tmp_path / "second", TZ="Pacific/Kiritimati", LC_ALL="C",
                  PATH=os.environ["PATH"])
    name = f"sdtlink-{VERSION}"
    made = [{path.name: path.read_bytes() for path in (tmp_path / which).iterdir()}
            for which in ("first", "second")]
    assert made[0] == made[1]
    assert set(made[0]) == {f"{name}.tar.xz", f"{name}.sha256", "sdt.h"}
    sums = dict(line.split()[::-1] for line in made[0][f"{name}.sha256"].decode().splitlines())
    assert sums == {file: hashlib.sha256(made[0][file]).hexdigest()
                    for file in (f"{name}.tar.xz", "sdt.h")}
    assert f"This is sdt.h of sdtlink {VERSION}.".encode() in made[0]["sdt.h"]

    with tarfile.open(tmp_path / "first" / f"{name}.tar.xz") as archive:
        members = archive.getmembers()
    files = {member.name: member for member in members if not member.isdir()}
    assert set(files) == {f"{name}/{path}" for path in clone.git("ls-files").splitlines()}
    assert {member.mtime for member in members} == {int(clone.git("log", "-1", "--format=%ct"))}
    assert {(member.uid, member.gid, member.uname) for member in members} == {(0, 0, "root")}
    assert files[f"{name}/run"].mode == 0o755 and files[f"{name}/README.md"].mode == 0o644


def test_a_tag_is_made_only_if_asked_for_and_nothing_is_pushed(clone, tmp_path):
    clone.release(tmp_path)
    assert clone.git("tag") == ""
    for _ in range(2):  # a second time it is there
        said = clone.release("--tag", tmp_path)
    assert clone.git("tag") == f"v{VERSION}" and "tagged" not in said
    assert clone.git("cat-file", "-t", f"v{VERSION}") == "tag"
    assert clone.git("rev-parse", f"v{VERSION}^{{commit}}") == clone.git("rev-parse", "HEAD")
    assert clone.git("ls-remote", "origin") == ""
    assert clone.git("status", "--porcelain") == ""


@pytest.mark.parametrize("file, old, new, said", [
    ("CMakeLists.txt", f"VERSION {VERSION}", "VERSION 9.8.7",
     "debian/changelog: the version is '{0}', and that of CMakeLists.txt is 9.8.7"),
    ("CMakeLists.txt", f"VERSION {VERSION}", "VERSION 9.8",
     "expected project(sdtlink VERSION x.y.z"),
    ("CHANGELOG.md", f"## {VERSION} (", f"## Unreleased ({VERSION}) (",
     "CHANGELOG.md: expected '## {0} (YYYY-MM-DD)', found '## Unreleased ({0}) ("),
    ("debian/changelog", f"({VERSION}-1) unstable", f"({VERSION}-1) UNRELEASED",
     "debian/changelog: its first entry is UNRELEASED: dch --release"),
    ("debian/changelog", f"({VERSION}-1)", "(9.8.7-1)", "debian/changelog: the version is '9.8.7'"),
    ("packaging/vcpkg/ports/sdtlink/vcpkg.json", f'"{VERSION}"', '"9"', "vcpkg.json: the version"),
    ("packaging/bazel/MODULE.bazel", f'version = "{VERSION}"', 'version = "9"',
     "MODULE.bazel: the version"),
    ("packaging/bazel/BUILD.bazel", VERSION, "9", "BUILD.bazel: the version is '9'"),
    ("examples/subproject/CMakeLists.txt", f"v{VERSION}", "v9",
     "subproject/CMakeLists.txt: the version is '9'"),
    ("examples/subproject/subprojects/sdtlink.wrap", f"v{VERSION}", "v9", "wrap: the version is"),
    ("docs/adopting.md", f"GIT_TAG v{VERSION}", "GIT_TAG v9", "docs/adopting.md: the version is"),
    ("docs/ci.md", f"@v{VERSION}", "@v9", "docs/ci.md: the version is"),
    ("runtime/sdt.h.in", "@VERSION@", "9", "sdt.h: the version is '9'")])
def test_each_place_of_the_version_is_compared(clone, tmp_path, file, old, new, said):
    clone.edit(file, old, new)
    clone.commit()
    assert said.format(VERSION) in clone.release(tmp_path / "out", status=1)
    assert not (tmp_path / "out").exists()


def test_only_a_clean_main_with_fixtures_is_released(clone, tmp_path):
    """All complaints come at once."""
    clone.git("checkout", "-q", "-b", "other")
    clone.git("rm", "-q", "-r", f"tests/fixtures/released/{VERSION}")
    clone.commit()
    (clone.place / "new").write_text("")
    clone.git("tag", f"v{VERSION}", clone.git("rev-parse", "HEAD^"))
    said = clone.release("--tag", tmp_path / "out", status=1)
    for line in ("a release is made on main, and this is other", "not committed:\n?? new",
                 f"no tests/fixtures/released/{VERSION}",
                 f"v{VERSION} is the tag of another commit",
                 "not released: 4 complaints"):
        assert line in said, line
    assert not (tmp_path / "out").exists()


def test_it_needs_git(clone, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(clone.place, copy, ignore=shutil.ignore_patterns(".git"))
    said = Clone(copy, None).release(status=1)
    assert "this is not a git checkout" in said


def test_tests_are_a_step_that_is_skipped_only_by_name(clone, tmp_path):
    """Both commands, of which the first that fails ends it; here in place of the script, which
    calls itself for them."""
    text = (clone.place / "run").read_text()
    log = tmp_path / "log"
    (clone.place / "run").write_text(text.replace(
        "\nset -euo pipefail\n", "\nset -euo pipefail\n" + f'[ "$1" = release ] || '
        f'{{ echo "$@" >>{log}; [ "$1" != "${{FAILS:-}}" ]; exit; }}\n', 1))
    clone.commit()
    assert "tests skipped" in clone.release(tmp_path / "out")
    assert not log.exists()
    clone.release(tmp_path / "out", skip=None)
    assert log.read_text() == "test --all\nlint\n"
    clone.release(tmp_path / "none", skip=None, status=1, FAILS="test")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("argv", [["-x"], ["a", "b"], ["--tags"], [""]])
def test_arguments_that_it_does_not_know(clone, argv):
    assert "usage: ./run release" in clone.release(*argv, status=1)


@pytest.mark.slow
def test_the_archive_is_built_tested_and_installed_without_git(clone, tmp_path):
    """With a git that fails in PATH: build, unit tests, install, a program, uninstall. The quick
    tests of the pages and of a folder have a git, and no checkout: some make repositories."""
    clone.release(tmp_path / "out")
    with tarfile.open(tmp_path / "out" / f"sdtlink-{VERSION}.tar.xz") as archive:
        archive.extractall(tmp_path)  # of our own making
    tree = tmp_path / f"sdtlink-{VERSION}"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_text("#!/bin/sh\nexit 99\n")
    (tmp_path / "bin" / "git").chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}
    for name in ("SDT_BUILD", "SDT_MADE", "SDT_CELLS", "SDT_TOOL_BUILD"):
        environment.pop(name, None)

    def command(*argv, **others):
        result = patience.run([*map(str, argv)], cwd=tree, capture_output=True, text=True,
                              env={**environment, **others}, processor_time=3600)
        assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]
        return result.stdout

    command("./run", "build")
    command("ctest", "--test-dir", "build", "-LE", "pytest", "--no-tests=error")
    tests = command("/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m",
                    "not slow and not guest", "tests/docs", "tests/tool/test_list.py",
                    PATH=os.environ["PATH"])
    assert " passed" in tests and "failed" not in tests
    command("./run", "install", tmp_path / "prefix")
    (tmp_path / "p.c").write_text("#include <sdt.h>\nint main(void) { SDT_PROBE(a, b); }\n")
    command(tmp_path / "prefix/bin/sdtlink", "gcc", "-I", tmp_path / "prefix/include",
            tmp_path / "p.c", "-o", tmp_path / "p")
    assert "nop11" in command(tmp_path / "prefix/bin/sdtlink", "list", tmp_path / "p")
    command("./run", "uninstall", tmp_path / "prefix")
    assert not (tmp_path / "prefix").exists()
