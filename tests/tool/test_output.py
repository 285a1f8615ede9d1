# SPDX-License-Identifier: BSD-2-Clause
"""Where the output goes: links, other file systems, modes, several runs at once."""
import os
import shutil
import signal
import subprocess

import pytest

import patience
from elfview import ElfView

DECLARE = 'extern void __dtrace_sdt_a___b(long) __attribute__((visibility("hidden")));\n'
SOURCE = ("extern void __dtrace_sdt_a___b(long);\n"
          "void f(long x) { __dtrace_sdt_a___b(x); __asm__(\"\"); }\n")


@pytest.fixture
def raw(sdt):
    return sdt.compile(sdt.write("raw.c", SOURCE))


def test_a_symbolic_link_is_replaced(sdt, raw):
    """As ld, objcopy and compilers do: the name becomes a file; what it led to stays."""
    target, link = sdt.write("target", "not ours"), sdt.path("link.o")
    link.symlink_to(target)
    expected = sdt.process(raw).read_bytes()
    sdt.sdtlink("-o", link, raw)
    assert not link.is_symlink() and link.read_bytes() == expected
    assert target.read_text() == "not ours"
    # The linker, for comparison.
    other = sdt.path("other.o")
    other.symlink_to(target)
    sdt.command("ld", "-r", "-o", other, raw)
    assert not other.is_symlink() and target.read_text() == "not ours"


def test_a_dangling_link_and_a_link_to_the_input(sdt, raw):
    expected = sdt.process(raw).read_bytes()
    for name, target in (("dangling.o", "nowhere"), ("self.o", raw)):
        link = sdt.path(name)
        link.symlink_to(target)
        sdt.sdtlink("-o", link, link if name == "self.o" else raw)
        assert not link.is_symlink() and link.read_bytes() == expected
    assert not sdt.path("nowhere").exists() and raw.read_bytes() != expected


def test_other_names_of_the_output_keep_the_old_contents(sdt, raw):
    before, second = raw.read_bytes(), sdt.path("second.o")
    os.link(raw, second)
    sdt.sdtlink("-o", raw, raw)
    assert second.read_bytes() == before != raw.read_bytes()


def test_another_file_system(sdt, raw):
    """The kernel does not copy from one file system to another here; reading and writing do."""
    if not os.path.isdir("/dev/shm") or os.stat("/dev/shm").st_dev == sdt.dir.stat().st_dev:
        pytest.skip("/dev/shm is no other file system")
    big = sdt.path("big.o")
    sdt.command("objcopy", "--add-section", f".pad={sdt.write('pad', 'x' * 5_000_000)}", raw, big)
    for source in (raw, big, sdt.compile(sdt.write("none.c", "int x[100] = {1};"))):
        expected = sdt.process(source, name="here.o").read_bytes()
        output = f"/dev/shm/{sdt.dir.name}.{os.getpid()}.o"
        try:
            sdt.sdtlink("-o", output, source)
            with open(output, "rb") as file:
                assert file.read() == expected
        finally:
            os.unlink(output)


def test_a_read_only_input_may_be_replaced(sdt, raw):
    """Writing needs the directory, not the file; the mode is kept."""
    raw.chmod(0o444)
    sdt.sdtlink("-o", raw, raw)
    assert len(ElfView(raw).sites()) == 1 and raw.stat().st_mode & 0o777 == 0o444


def test_many_runs_with_one_output(sdt, raw):
    """The last one wins; each reader sees a whole file, and no temporary file stays."""
    expected = sdt.process(raw, name="expected.o").read_bytes()
    output = sdt.path("out.o")
    running = [subprocess.Popen([str(sdt.tool), "-q", "-o", str(output), str(raw)])
               for _ in range(24)]
    while any(process.poll() is None for process in running):
        if output.exists():
            assert output.read_bytes() == expected
    assert [process.returncode for process in running] == [0] * 24
    assert output.read_bytes() == expected and not list(sdt.dir.glob("out.o.*"))


@pytest.mark.parametrize("number", [signal.SIGQUIT, signal.SIGHUP])
def test_other_deadly_signals_leave_nothing_behind(sdt, raw, number):
    big, output = sdt.path("big.o"), sdt.path("out.o")
    sdt.command("objcopy", "--add-section", f".pad={sdt.write('pad', 'x' * 300_000_000)}", raw, big)
    with subprocess.Popen([str(sdt.tool), "-o", str(output), str(big)],
                          cwd=sdt.dir) as process:
        patience.until(lambda: list(sdt.dir.glob("out.o.*")), process, pause=0)
        process.send_signal(number)
        status = process.wait()
    assert (status == 0) == output.exists() and status in (0, -number)
    assert not list(sdt.dir.glob("out.o.*"))


def test_a_companion_never_replaces_its_object(sdt, raw):
    """Both are linked; the object would be gone."""
    before = raw.read_bytes()
    alias = sdt.path("alias.o")
    alias.symlink_to(raw)
    shutil.copy(raw, sdt.path("copy.o"))
    for output in (raw, alias, f"./{raw.name}"):
        message = sdt.sdtlink("--companion", "-o", output, raw, status=2).stderr
        assert "cannot replace its input" in message
    assert raw.read_bytes() == before
    sdt.sdtlink("--companion", "-o", sdt.path("copy.o"), raw)


def test_names_that_begin_with_a_hyphen(sdt, raw):
    """`--` ends the options, of every command."""
    shutil.copy(raw, sdt.path("-odd.o"))
    sdt.sdtlink("-o", "-out.o", "--", "-odd.o")
    assert sdt.path("-out.o").read_bytes() == sdt.process(raw).read_bytes()
    assert " b " in sdt.sdtlink("list", "--", "-out.o").stdout
    assert "ok" in sdt.sdtlink("verify", "--", "-out.o").stdout
    for command in ([], ["list"], ["verify"]):
        result = sdt.sdtlink(*command, "--odd", status=2)
        assert result.stdout == "" and "unrecognized option" in result.stderr
        assert f"Try '{' '.join(['sdtlink', *command])} --help'" in result.stderr


@pytest.mark.parametrize("closed", ["<&- 2>&-", "<&- >&- 2>&-", "2>&-"])
def test_no_message_goes_into_the_output(sdt, closed):
    """A standard stream that is closed leaves its number to the next file that is opened."""
    address = ("int many[4000] = {1};\n" + DECLARE +
               "void (*volatile taken)(long) = __dtrace_sdt_a___b;\n" + SOURCE)
    # The first page holds nothing that changes, so it is copied and not written again.
    raw = sdt.compile(sdt.write("taken.c", address), "-ffunction-sections")
    expected = sdt.path("expected.o")
    warned = sdt.sdtlink("-v", "-o", expected, raw).stderr
    assert "warning" in warned and "symbols" in warned
    out = sdt.path("out.o")
    sdt.command("sh", "-c", f'"$@" {closed}', "sh", sdt.tool, "-v", "-o", out, raw)
    assert out.read_bytes() == expected.read_bytes()


def test_a_line_of_a_message_is_one_write(sdt):
    """The processes of a parallel build share a pipe; one with O_DIRECT keeps writes apart."""
    raw = sdt.compile(sdt.write("taken.c", DECLARE +
                                "void (*volatile taken)(long) = __dtrace_sdt_a___b;\n" + SOURCE))
    reader, writer = os.pipe2(os.O_DIRECT)
    with os.fdopen(reader, "rb", buffering=0) as end:
        subprocess.run([sdt.tool, "-v", "-o", sdt.path("out.o"), raw], stderr=writer, check=True)
        os.close(writer)
        writes = [packet.decode() for packet in iter(lambda: end.read(65536), b"")]
    assert "warning" in "".join(writes) and len(writes) == 3
    assert all(write.endswith("\n") for write in writes), writes
