# SPDX-License-Identifier: BSD-2-Clause
"""Completion on the command line: what shells offer for `sdt` and `sdtlink`."""
import re
import shlex

import pytest
from conftest import BUILD, ROOT

pytestmark = pytest.mark.nosan  # asks shells

COMPLETION = ROOT / "sdt" / "completion"
TOOLS = {"sdt": BUILD / "sdt" / "sdt", "sdtlink": BUILD / "sdtlink" / "sdtlink"}
COMMANDS = {"sdt": ["record", "report", "export", "diff", "recover", "run", "ps", "list", "count",
                    "hist", "lat", "tree", "trace", "top", "serve", "enable", "disable", "reset",
                    "snapshot"],
            "sdtlink": ["list", "verify", "finalize"]}


def offers(sdt, *words):
    """What bash offers for the last of WORDS; `--option=x` is three of them, as in readline."""
    script = f"""
        source {shlex.quote(str(COMPLETION / words[0]))}.bash
        COMP_WORDS=({shlex.join(words)})
        COMP_CWORD={len(words) - 1}
        [[ $(complete -p {words[0]}) == *"-F _{words[0]} {words[0]}" ]] || exit 1
        _{words[0]}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    return sdt.command("bash", "--norc", "-c", script).stdout.split()


def options_of(sdt, tool, *command):
    """The long options that --help tells of."""
    text = sdt.command(TOOLS[tool], *command, "--help").stdout
    return set(re.findall(r"^ +(?:-\w,? +)?(--[a-z-]+)", text, re.M))


@pytest.mark.parametrize("tool", TOOLS)
def test_commands_are_offered(sdt, tool):
    assert set(COMMANDS[tool]) <= set(offers(sdt, tool, ""))


def test_a_beginning_is_completed(sdt):
    assert offers(sdt, "sdt", "rep") == ["report"]
    assert offers(sdt, "sdt", "record", "--fl") == ["--flight"]
    assert offers(sdt, "sdtlink", "li")[0] == "list"
    assert offers(sdt, "sdtlink", "--runtime", "=", "sh") == ["shared"]
    assert offers(sdt, "sdtlink", "list", "--check", "=") == ["error", "warning", "note", "never"]


@pytest.mark.parametrize("tool, command", [(tool, command) for tool, all in COMMANDS.items()
                                           for command in all])
def test_the_options_of_each_command_are_offered(sdt, tool, command):
    offered = {option.rstrip("=") for option in offers(sdt, tool, command, "--")}
    assert offered == options_of(sdt, tool, command)


def test_the_options_of_sdtlink_are_offered(sdt):
    assert {o.rstrip("=") for o in offers(sdt, "sdtlink", "--")} == options_of(sdt, "sdtlink")


@pytest.mark.parametrize("before", [[], ["--"], ["-o", "out"], ["--output", "=", "out", "--flight"],
                                    ["--ring", "16K"]])
def test_a_program_is_offered_and_then_files(sdt, before):
    assert "printf" in offers(sdt, "sdt", "record", *before, "prin")
    assert offers(sdt, "sdt", "record", *before, "printf", "prin") == []
    assert offers(sdt, "sdt", "record", *before, "printf", "--") == []


def test_an_argument_of_an_option_is_a_file(sdt):
    """Nothing is offered, so readline offers names of files."""
    assert offers(sdt, "sdt", "export", "--chrome", "=", "o") == []
    assert offers(sdt, "sdt", "record", "-o", "pri") == []


def test_a_recording_is_a_directory(sdt):
    (sdt.dir / "recording").mkdir()
    sdt.write("record.c", "")
    for command in COMMANDS["sdt"][1:5]:
        assert offers(sdt, "sdt", command, "reco") == ["recording"]


@pytest.mark.parametrize("tool", TOOLS)
def test_zsh_and_fish_know_the_options_and_no_others(sdt, tool):
    options = options_of(sdt, tool).union(*(options_of(sdt, tool, c) for c in COMMANDS[tool]))
    fish = (COMPLETION / f"{tool}.fish").read_text()
    assert {f"--{name}" for name in re.findall(r"^complete .* -l ([a-z-]+)", fish, re.M)} == options
    zsh = (COMPLETION / f"{tool}.zsh").read_text()
    assert set(re.findall(r"--[a-z-]+[a-z]", zsh)) == options


@pytest.mark.parametrize("tool, command", [(tool, command) for tool, all in COMMANDS.items()
                                           for command in all])
def test_zsh_is_told_the_options_of_each_command(sdt, tool, command):
    """What the file tells zsh's _arguments, which is replaced here by one that prints it."""
    script = f"""
        _arguments() {{ print -rl -- "$@" }}
        _describe() {{ }}
        words=({tool} {command} --) CURRENT=3
        source {shlex.quote(str(COMPLETION / tool))}.zsh
    """
    told = sdt.command("zsh", "-f", "-c", script).stdout
    options = re.findall(r"^(?:\([^)]*\))?\*?(--[a-z-]*[a-z])(?:=-?)?\[", told, re.M)
    assert sorted(options) == sorted(options_of(sdt, tool, command))


def test_fish_offers_the_same(sdt):
    def ask(line):
        files = f"source {COMPLETION}/sdt.fish; source {COMPLETION}/sdtlink.fish"
        script = f"{files}; complete -C {line!r}"
        shown = sdt.command("fish", "--no-config", "-c", script, env={"HOME": sdt.dir}).stdout
        # fish 4 also offers words that have the letters anywhere.
        word = line.split(" ")[-1]
        return [row.split("\t")[0] for row in shown.splitlines() if row.startswith(word)]

    assert ask("sdt re") == ["record", "recover", "report", "reset"]
    assert set(ask("sdt export --")) == options_of(sdt, "sdt", "export")
    assert ask("sdt record --fl") == ["--flight"]
    assert {o.rstrip("=") for o in ask("sdtlink list --")} == options_of(sdt, "sdtlink", "list")
    assert set(ask("sdtlink --runtime=")) >= {"--runtime=auto", "--runtime=none"}
