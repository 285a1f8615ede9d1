# SPDX-License-Identifier: BSD-2-Clause
"""What this suite remembers of compilers and linkers (made.py): no more than is certain."""
import made
import pytest
from conftest import PROGRAMS

pytestmark = pytest.mark.nosan  # of the suite itself


@pytest.fixture
def makes(tmp_path, monkeypatch):
    """A function: make by such words; whether a command had to run."""
    monkeypatch.delenv("SDT_MADE", raising=False)
    memory = made.Made(tmp_path / "made", known=["-o"])

    def make(*argv, **kwargs):
        output, ran = tmp_path / "output", []

        def run():
            ran.append(True)
            output.write_text(repr(argv))
        memory.make(argv, output, run, **kwargs)
        assert output.read_text() == repr(argv)
        return bool(ran)
    return make


SOURCE = str(PROGRAMS / "heap.c")


def test_the_same_words_make_the_same(makes):
    assert [makes("gcc", "-O2", "-c", SOURCE) for _ in range(3)] == [True, False, False]
    assert makes("gcc", "-O1", "-c", SOURCE) and makes("clang", "-O2", "-c", SOURCE)
    assert makes("gcc", "-O2", "-DA=1", "-c", SOURCE)


def test_what_is_big_is_kept_the_second_time(makes):
    assert [makes("gcc", SOURCE, big=True) for _ in range(4)] == [True, True, False, False]


def test_an_object_is_its_content(makes, tmp_path):
    for text in ("one", "two"):
        (tmp_path / "in.o").write_text(text)
        assert makes("gcc", str(tmp_path / "in.o"))
    assert not makes("gcc", str(tmp_path / "in.o"))


def test_programs_are_sought_anew(makes, monkeypatch):
    assert makes("gcc", SOURCE)
    monkeypatch.setenv("PATH", "/nowhere")
    assert makes("gcc", SOURCE)


@pytest.mark.parametrize("word", [
    "in.c", "../in.o", "@words", "-I.", "-Iinclude", "-include", "-MD", "-gsplit-dwarf",
    "--coverage", "-save-temps", "-fprofile-generate", "-fdump-tree-all", "-fplugin=x", "-flto",
    "-fstack-usage", "-B.", "-L.", "-lz", "-Wl,-Map=x", "-Wl,--version-script=x", "-Wl,-T,script",
    "-Wl,@words", "-Wa,-al=x", "-Wp,-MD,x.d", "-T", "-v"])
def test_what_may_have_more_in_it_is_not_remembered(makes, tmp_path, word):
    assert all(makes("gcc", word, SOURCE) for _ in range(3))
    source = tmp_path / "own.c"
    assert all(makes("gcc", str(source)) for _ in range(2)), "another test may write another"


def test_what_fails_is_not_remembered(tmp_path, monkeypatch):
    monkeypatch.delenv("SDT_MADE", raising=False)
    memory = made.Made(tmp_path / "made")

    def run():
        raise RuntimeError
    for _ in range(2):
        with pytest.raises(RuntimeError):
            memory.make(["gcc", SOURCE], tmp_path / "output", run)
    assert not [*(tmp_path / "made").iterdir()]
