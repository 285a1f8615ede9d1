# SPDX-License-Identifier: BSD-2-Clause
"""The hook that those who ask for it have: what is staged is laid out by clang-format."""
import os
import shutil
import subprocess

import pytest
from conftest import ROOT

pytestmark = [
    pytest.mark.nosan,  # runs no tool
    pytest.mark.skipif(not shutil.which("clang-format"), reason="there is no clang-format"),
]
GOOD = "int one(void)\n{\n    return 1;\n}\n"
BAD = "int one(void) { return 1; }\nint  two;\n"


class Repository:
    def __init__(self, path):
        self.path = path
        self.git("init", "-q")
        for name, value in (("user.name", "A"), ("user.email", "a@example.org"),
                            ("core.hooksPath", str(ROOT / ".githooks"))):
            self.git("config", name, value)
        shutil.copy(ROOT / ".clang-format", path)

    def git(self, *argv):
        own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        return subprocess.run(["git", *argv], cwd=self.path, capture_output=True, text=True,
                              check=False, env={**own, "GIT_CONFIG_GLOBAL": os.devnull})

    def stage(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        self.git("add", name)
        return file

    def commit(self, *options):
        return self.git("commit", "-qm", "a change", *options)


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path)


def test_what_is_laid_out_is_committed(repository):
    repository.stage("ä file.c", GOOD)
    repository.stage("note.md", "int  two;\n")
    result = repository.commit()
    assert (result.returncode, result.stderr) == (0, "")


def test_what_is_not_is_refused_with_the_difference(repository):
    repository.stage("good.c", GOOD)
    repository.stage("sub/bad one.h", BAD)
    result = repository.commit()
    assert result.returncode == 1
    assert "-int  two;" in result.stderr and "+int two;" in result.stderr
    assert "    clang-format -i sub/bad one.h\n" in result.stderr
    assert "good.c" not in result.stderr
    assert repository.git("rev-parse", "HEAD").returncode != 0, "nothing was committed"


def test_what_is_staged_counts(repository):
    """Not the file in the directory, either way; and the hook changes neither."""
    bad = repository.stage("bad.c", BAD)
    bad.write_text(GOOD)
    assert repository.commit().returncode == 1
    assert bad.read_text() == GOOD
    repository.stage("bad.c", GOOD).write_text(BAD)
    assert repository.commit().returncode == 0
    assert bad.read_text() == BAD


def test_it_can_be_passed_by_and_deleted_files_do_not_matter(repository):
    repository.stage("bad.c", BAD)
    assert repository.commit("--no-verify").returncode == 0
    repository.git("rm", "-q", "bad.c")
    assert repository.commit().returncode == 0
