# SPDX-License-Identifier: BSD-2-Clause
"""The Debian packages of `./run package`: which installed file is in which, and, built twice from
this tree in two places, languages and umasks, that they are the same, can be installed, upgraded
and removed, and work.

What is in them is taken apart into a directory and used from there, by the tests that the packages
have of their own (debian/tests). dpkg has a database and a root of its own, below the test's.
"""
import fnmatch
import hashlib
import os
import re
import shutil
import subprocess

import patience
import pytest
from conftest import ROOT
from installed import prefix  # noqa: F401 (a fixture)

pytestmark = pytest.mark.nosan

NAMES = {"sdtlink", "sdt", "libsdt0", "libsdt-dev", "sdtlink-doc"}
TESTS = ("program", "example", "stock")
ELSEWHERE = {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "LANG": "C"}


# ---- which file is in which ----

def lists():
    """{package: the patterns of its .install file, by components}."""
    return {path.stem: [pattern.split("/") for pattern in path.read_text("utf-8").split()]
            for path in (ROOT / "debian").glob("*.install")}


def matches(pattern, file):
    """As for dh_install: a directory stands for all that is below it."""
    return len(pattern) <= len(file) and all(map(fnmatch.fnmatchcase, file, pattern))


def as_debian_has_it(name):
    """Of a file below the prefix of a test: libraries in a folder of the machine; debian/rules."""
    name = re.sub("^lib/", "lib/machine/", name)
    return ["usr", *name.replace("zsh/site-functions", "zsh/vendor-completions").split("/")]


def test_each_installed_file_is_in_one_package(prefix):  # noqa: F811 (a fixture)
    """A new command, page or header is in one as well, or the packages cannot be built."""
    names = [str(path.relative_to(prefix)) for path in prefix.rglob("*")
             if path.is_symlink() or not path.is_dir()]
    names = [name for name in names if name != "share/doc/sdtlink/LICENSE"
             and not name.startswith("share/sdtlink/installed/")]  # as debian/rules
    owners = {name: [package for package, patterns in lists().items()
                     if any(matches(pattern, as_debian_has_it(name)) for pattern in patterns)]
              for name in names}
    assert not {name: owner for name, owner in owners.items() if len(owner) != 1}
    assert owners["share/man/man1/sdt-diff.1"] == ["sdt"]
    assert owners["share/man/man1/sdt-dtrace.1"] == ["sdtlink"]
    assert {owner for [owner] in owners.values()} == NAMES == set(lists())


# ---- built ----

def made(directory, umask, **environment):
    """The packages, by name; without those of debug information."""
    for tool in ("dpkg-buildpackage", "dh", "lintian", "git"):
        if not shutil.which(tool):
            pytest.skip(f"there is no {tool}")
    if not (ROOT / ".git").exists():
        pytest.skip("a source package is made of what git knows")
    result = patience.run(["sh", "-c", f'umask {umask}; exec "$@"', "sh", str(ROOT / "run"),
                           "package", str(directory)], text=True, capture_output=True,
                          env={**os.environ, **environment}, processor_time=3600)
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]
    return {path.name.partition("_")[0]: path for path in directory.glob("*.deb")
            if "-dbgsym_" not in path.name}


@pytest.fixture(name="packages", scope="module")
def fixture_packages(tmp_path_factory):
    return made(tmp_path_factory.mktemp("packages"), "022")


def hashes(directory):
    """Of the packages and of the source package; those of debug information are not compared."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for end in ("*.deb", "*.tar.xz") for path in directory.glob(end)
            if "-dbgsym_" not in path.name}


@pytest.mark.slow
def test_the_same_tree_makes_the_same_packages(packages, tmp_path):
    again = tmp_path / "a" / "longer" / "path"
    assert set(packages) == set(made(again, "077", **ELSEWHERE)) == NAMES
    first = hashes(packages["sdt"].parent)
    assert len(first) == len(NAMES) + 2 and first == hashes(again)


# ---- installed ----

class Dpkg:
    """A root directory with a database of dpkg, and nothing else. What the packages depend on is
    not there; their scripts run outside of it, where those of debhelper do nothing."""

    def __init__(self, place):
        self.root = place / "dpkg"
        for name in ("updates", "info", "triggers"):
            (self.root / "var/lib/dpkg" / name).mkdir(parents=True)
        (self.root / "var/lib/dpkg/status").touch()

    def run(self, *words):
        return subprocess.run(
            ["dpkg", f"--root={self.root}", "--force-not-root", "--force-depends",
             "--force-script-chrootless", "--no-triggers", f"--log={self.root}/var/lib/dpkg/log",
             *words], check=True, text=True, capture_output=True, env={**os.environ, "LC_ALL": "C"})

    def files(self):
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*")
                if path.parts[len(self.root.parts)] == "usr"
                and (path.is_symlink() or not path.is_dir())}

    def versions(self):
        status = (self.root / "var/lib/dpkg/status").read_text("utf-8")
        return dict(re.findall(r"^Package: (\S+)\n(?:.+\n)*?Version: (\S+)$", status, re.M))


def as_older(package, place):
    """The same package of an earlier version, with a file that the later one has not."""
    tree = place / package.name
    subprocess.run(["dpkg-deb", "-R", package, tree], check=True)
    control = tree / "DEBIAN" / "control"
    control.write_text(re.sub(r"^Version: .*", "Version: 0.0.9-1", control.read_text("utf-8"),
                              flags=re.M), "utf-8")
    (tree / "usr" / "lib" / "forgotten").mkdir(parents=True, exist_ok=True)
    (tree / "usr" / "lib" / "forgotten" / package.name.partition("_")[0]).write_text("old\n")
    older = place / f"{package.stem}.old.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", tree, older], check=True,
                   stdout=subprocess.DEVNULL)
    return older


@pytest.mark.slow
def test_dpkg_installs_upgrades_and_removes_them(packages, tmp_path):
    """All at once: dpkg refuses a file that two of them have. An upgrade leaves the same files as
    a new installation, and after a removal there are none."""
    new, upgraded = Dpkg(tmp_path / "new"), Dpkg(tmp_path / "upgraded")
    new.run("--install", *packages.values())
    upgraded.run("--install", *(as_older(path, tmp_path) for path in packages.values()))
    assert {f"usr/lib/forgotten/{name}" for name in NAMES} == upgraded.files() - new.files()
    assert upgraded.versions() == dict.fromkeys(NAMES, "0.0.9-1")
    upgraded.run("--install", *packages.values())
    assert upgraded.files() == new.files() >= {
        "usr/bin/sdt", "usr/bin/sdtlink", "usr/share/man/man1/sdt-diff.1.gz", "usr/include/sdt.h"}
    assert "usr/lib/forgotten" not in {str(path.relative_to(upgraded.root))
                                       for path in upgraded.root.rglob("*")}
    upgraded.run("--purge", *NAMES)
    assert upgraded.files() == set() and upgraded.versions() == {}


@pytest.mark.slow
@pytest.mark.parametrize("test", TESTS)
def test_what_is_in_them_works(packages, tmp_path, test):
    root = tmp_path / "root"
    for path in packages.values():
        subprocess.run(["dpkg-deb", "-x", path, root], check=True)
    [libraries] = (path.parent for path in root.glob("usr/lib/*/libsdt.a"))
    work = tmp_path / "work"
    work.mkdir()
    environment = {
        "SDTLINK_ROOT": str(root), "AUTOPKGTEST_TMP": str(work),
        "PATH": f"{root}/usr/bin:{os.environ['PATH']}",
        "CPATH": f"{root}/usr/include", "LIBRARY_PATH": str(libraries),
        "LD_LIBRARY_PATH": str(libraries), "PKG_CONFIG_PATH": f"{libraries}/pkgconfig",
        "CMAKE_PREFIX_PATH": f"{root}/usr",
    }
    result = patience.run([str(ROOT / "debian" / "tests" / test)], text=True, capture_output=True,
                          env={**os.environ, **environment})
    assert result.returncode == 0, result.stdout + result.stderr


def test_each_test_of_theirs_is_known():
    control = (ROOT / "debian" / "tests" / "control").read_text("utf-8")
    assert control.splitlines()[0] == "Tests: " + " ".join(TESTS)
