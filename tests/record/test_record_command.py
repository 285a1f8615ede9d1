# SPDX-License-Identifier: BSD-2-Clause
"""`sdt record`: what becomes of the program's status, of signals, and of command lines that are
wrong."""
import os
import signal
import subprocess
import time

import pytest

import recorded


@pytest.fixture
def many(sdt):
    return recorded.build(sdt, "record_many.c", "-pthread")


def record(sdt, *args, **kwargs):
    return recorded.tool(sdt, "record", "-o", "rec", *args, **kwargs)


def wait_for(condition):
    limit = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.01)


def is_complete(sdt, hits):
    assert len(recorded.words(sdt)) == recorded.count(sdt) == hits
    assert not list(sdt.dir.glob("rec/*/.rings"))


@pytest.mark.parametrize("status", [0, 1, 77, 255])
def test_the_status_is_the_programs(sdt, many, status):
    result = record(sdt, "--", many, "exit", 100, status, status=status)
    assert result.stdout == "here\n"
    assert result.stderr.startswith(f"sdt: rec: {recorded.hits_of(100)} events, 0 lost, ")
    is_complete(sdt, recorded.hits_of(100))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGABRT, signal.SIGSEGV])
def test_a_program_that_a_signal_ends(sdt, many, number):
    record(sdt, many, "kill", 100, number, status=128 + number)
    is_complete(sdt, recorded.hits_of(100))


def test_programs_that_cannot_be_run(sdt):
    script = sdt.write("script", "#!/no/such/interpreter\n")
    script.chmod(0o755)
    for program, status, why in (("./nowhere", 127, "No such file or directory"),
                                 ("nowhere-in-path", 127, "No such file or directory"),
                                 (sdt.dir, 126, "Permission denied"),
                                 (script, 127, "No such file or directory")):
        result = record(sdt, program, status=status)
        assert result.stderr == f"sdt: error: {program}: {why}\n"
        assert not sdt.path("rec").exists()


def test_nothing_to_record(sdt, many):
    """No runtime; no probe that matches."""
    result = record(sdt, "true")
    assert result.stderr == ("sdt: error: true recorded nothing: it has no probes, or not the "
                             "library libsdt; see 'sdtlink list true'\n")
    assert not sdt.path("rec").exists()
    result = record(sdt, "-e", "no:such", many, "exit", 10, 3, status=3)
    assert "rec: 0 events, 0 lost, 0 bytes" in result.stderr
    assert recorded.read(sdt) == ([], 0, 0)


def test_which_probes(sdt, many):
    record(sdt, "-e", "rec:text", "--event=other:*", many, "exit", 800, 0)
    events, _, _ = recorded.read(sdt)
    assert [event.name for event in events] == ["rec:text"] * 100


def test_the_environments_own_entries_stay(sdt, many):
    record(sdt, "-e", "rec:text", many, "exit", 800, 0, env={"SDT_ENABLE": "rec:tick=record"})
    is_complete(sdt, recorded.hits_of(800))


def test_a_recording_is_added_to(sdt, many):
    record(sdt, many, "exit", 80, 0)
    record(sdt, many, "exit", 160, 0)
    assert len(recorded.traces(sdt)) == 2
    is_complete(sdt, recorded.hits_of(80) + recorded.hits_of(160))


def test_directories(sdt, many):
    """An empty one is used, one with anything else is not touched."""
    sdt.path("rec").mkdir()
    record(sdt, many, "exit", 80, 0)
    is_complete(sdt, 90)
    other = sdt.path("other")
    other.mkdir()
    (other / "mine").write_text("")
    result = recorded.tool(sdt, "record", "-o", "other", many, "exit", 1, 0, status=1)
    assert result.stderr == ("sdt: error: other exists and is not a recording: name another "
                             "directory with -o\n")
    assert result.stdout == "" and os.listdir(other) == ["mine"]
    recorded.tool(sdt, "record", "-o", "no/where", many, "exit", 1, 0, status=1)
    recorded.tool(sdt, "recover", "other", status=1)
    recorded.tool(sdt, "recover", "nowhere", status=1)


def test_a_name_by_the_time(sdt, many):
    result = recorded.tool(sdt, "record", many, "exit", 80, 0)
    [name] = [path.name for path in sdt.dir.glob("recording-*")]
    assert result.stderr.startswith(f"sdt: {name}: 90 events, ")


@pytest.mark.parametrize("args, why", [
    ([], "no program"), (["-o", "rec", "--"], "no program"), (["-o", "", "true"], "directory"),
    (["-e", "", "true"], "pattern"), (["-e", "a;b", "true"], "pattern"),
    (["--ring=1M,flight", "true"], "size"), (["--no-such", "true"], "no-such")])
def test_wrong_command_lines(sdt, args, why):
    result = recorded.tool(sdt, "record", *args, status=2)
    assert why in result.stderr and "Try 'sdt record --help'." in result.stderr
    assert not list(sdt.dir.glob("rec*"))


def test_all_that_does_not_fit_into_memory_at_once(sdt, many):
    """More goes through rings of 64 KiB while the program runs; what does not is counted."""
    result = record(sdt, "--ring=64K", many, "threads", 4000, 2, 30000)
    words = recorded.words(sdt)
    assert len(words) + recorded.lost(sdt) == 2 * recorded.hits_of(4000)
    assert f"sdt: rec: {len(words)} events, {recorded.lost(sdt)} lost, " in result.stderr
    assert len(words) == recorded.count(sdt) > 4200  # more than there is memory for


def test_what_was_lost_is_warned_of(sdt, many):
    """So fast, and with rings so small, that some is always lost."""
    result = record(sdt, "--ring=16K", many, "threads", 200_000, 2, 0)
    found, lost = len(recorded.words(sdt)), recorded.lost(sdt)
    assert (f"rec: {lost} of {found + lost} events were lost: there was no room in the rings"
            in result.stderr)
    assert "advice:   --ring=SIZE" in result.stderr


def start(sdt, *args):
    """`sdt record`, in a session of its own, of a program that has recorded and waits."""
    process = subprocess.Popen([recorded.SDT, "record", "-o", "rec", "--", *map(str, args)],
                               cwd=sdt.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, start_new_session=True)
    assert process.stdout.readline() + process.stdout.readline() == "here\ndone\n"
    return process


@pytest.mark.parametrize("number, whom", [
    (signal.SIGINT, os.killpg), (signal.SIGQUIT, os.killpg), (signal.SIGTERM, os.killpg),
    (signal.SIGTERM, os.kill), (signal.SIGHUP, os.kill)], ids=lambda value: getattr(
        value, "name", None) or value.__name__)
def test_signals_to_sdt_record(sdt, many, number, whom):
    """Ctrl-C goes to both, and the program decides; a signal to us alone is passed on."""
    process = start(sdt, many, "exit", 800, "0,wait")
    whom(process.pid, number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert errors.startswith("sdt: rec: 900 events, 0 lost")
    is_complete(sdt, 900)


def test_sdt_record_is_killed(sdt, many):
    """The program goes on, and at its end writes what is left, since no tool watches any more."""
    process = start(sdt, many, "exit", 800, "0,wait")
    process.kill()
    process.wait()
    [trace] = recorded.traces(sdt)
    result = recorded.tool(sdt, "recover", "rec", status=1)
    assert result.stderr.endswith(f"{trace.name}: a process still records into it\n")
    os.kill(int(trace.name.rsplit("-", 1)[1]), signal.SIGTERM)
    assert process.stdout.read() == ""  # it has ended
    wait_for(lambda: recorded.tool(sdt, "recover", "rec", status=None).returncode == 0)
    is_complete(sdt, 900)


def test_children_that_outlive_the_program(sdt, many):
    """The recording ends with the last of them."""
    script = f"({many} exit 80 0 > there; sleep 0.3; {many} exit 160 0 >> there) & exit 5"
    record(sdt, "sh", "-c", script, status=5)
    wait_for(lambda: len(recorded.traces(sdt)) == 2 and not list(sdt.dir.glob("rec/*/.rings")))
    is_complete(sdt, 90 + 180)


def test_a_program_that_ends_while_the_summary_is_written(sdt, many):
    """No tool watches it any more: it writes its rings itself."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while os.write(writer, bytes(4096)):
            pass
    except BlockingIOError:
        os.set_blocking(writer, True)
    with open(reader, "rb") as full:
        process = subprocess.Popen(
            [recorded.SDT, "record", "-o", "rec", "--", "sh", "-c",
             f"(sleep 0.5; {many} exit 80 0 > there; echo end >> there) & exit 5"],
            cwd=sdt.dir, stderr=writer)
        os.close(writer)
        there = sdt.path("there")
        wait_for(lambda: there.exists() and there.read_text().endswith("end\n"))
        full.read()
    assert process.wait() == 5
    is_complete(sdt, 90)
    assert recorded.tool(sdt, "recover", "rec").stdout == "rec: nothing to recover\n"


def test_several_programs(sdt, many):
    """One after the other, at once, and one from another."""
    record(sdt, "sh", "-c", f"{many} exit 80 0; {many} exit 160 0 & {many} fork 8 exit 3; "
           f"{many} exec 8 {many} kill 16 9; wait")
    assert len(recorded.traces(sdt)) == 5
    is_complete(sdt, 90 + 180 + 5 * 9 + 9 + 18)
