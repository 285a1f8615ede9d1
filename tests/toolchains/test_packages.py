# SPDX-License-Identifier: BSD-2-Clause
"""The Debian packages of `./run package`, built twice from this tree, in two places and languages.

What is in them is taken apart into a directory and used from there, by the tests that the packages
have of their own (debian/tests).
"""
import hashlib
import os
import shutil
import subprocess

import patience
import pytest
from conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.nosan]

NAMES = {"sdtlink", "sdt", "libsdt0", "libsdt-dev", "sdtlink-doc"}
TESTS = ("program", "example", "stock")
ELSEWHERE = {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "LANG": "C"}


def made(directory, **environment):
    """The packages, by name; without those of debug information."""
    for tool in ("dpkg-buildpackage", "dh", "lintian", "git"):
        if not shutil.which(tool):
            pytest.skip(f"there is no {tool}")
    if not (ROOT / ".git").exists():
        pytest.skip("a source package is made of what git knows")
    result = patience.run([str(ROOT / "run"), "package", str(directory)], text=True,
                          capture_output=True, env={**os.environ, **environment},
                          processor_time=3600)
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]
    return {path.name.partition("_")[0]: path for path in directory.glob("*.deb")
            if "-dbgsym_" not in path.name}


@pytest.fixture(name="packages", scope="module")
def fixture_packages(tmp_path_factory):
    return made(tmp_path_factory.mktemp("packages"))


def test_the_same_tree_makes_the_same_packages(packages, tmp_path):
    again = made(tmp_path / "a" / "longer" / "path", **ELSEWHERE)
    hashes = [{name: hashlib.sha256(path.read_bytes()).hexdigest()
               for name, path in found.items()} for found in (packages, again)]
    assert set(packages) == NAMES and hashes[0] == hashes[1]


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
