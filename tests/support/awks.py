# SPDX-License-Identifier: BSD-2-Clause
"""The programs that shell scripts give to awk, and every awk that there is.

Debian's awk is mawk until something needs gawk; other systems have gawk, busybox or the original.
Each has words of its own: `default` cannot be a variable in gawk, and no other awk says so.

    programs(script)          [Program] of a file, or Unclear: what cannot be checked
    AWKS                      {name: command} of those that are installed
    complaints(program)       what they say of it

`python3 awks.py SCRIPT...`, a part of ./run lint, prints the complaints about these scripts.
"""
import dataclasses
import pathlib
import re
import shutil
import subprocess
import sys

WAYS = {"mawk": ["mawk"], "gawk": ["gawk"], "gawk --posix": ["gawk", "--posix"],
        "gawk --traditional": ["gawk", "--traditional"], "busybox awk": ["busybox", "awk"],
        "original-awk": ["original-awk"]}
AWKS = {name: command for name, command in WAYS.items() if shutil.which(command[0])}
COMMAND = re.compile(r"(?<![\w./$-])awk(?=[ \t\\])")
LINES = "a b c 1 2 orders.o\nx: y\n\n7\n"


class Unclear(Exception):
    pass


@dataclasses.dataclass
class Program:
    line: int
    options: list  # without what the script's variables hold: 1 stands for each
    text: str


def word(text, at):
    """The word of the shell that begins at AT: (its value, where it ends, whether it is nothing but
    one string in single quotes). The value has 1 for all that the shell would put in."""
    value, begin, quoted = "", at, False
    while at < len(text) and not re.match(r"[\s|;&)<>]", text[at]):
        if text[at] == "'":
            end = text.index("'", at + 1)
            value, quoted, at = value + text[at + 1:end], begin == at, end + 1
        elif match := re.compile(r'"((?:\$\([^)]*\)|[^"\\]|\\.)*)"|\$\{[^}]*\}|\$\([^)]*\)|\$\w+'
                                 ).match(text, at):
            value += "1" if match[1] is None else re.sub(r"\$(\w+|\{[^}]*\}|\([^)]*\))", "1",
                                                         match[1])
            quoted, at = False, match.end()
        else:
            value, quoted, at = value + text[at], False, at + 1
    return value, at, quoted


def of_command(text, at, line):
    """The program of the command whose first argument is somewhere after AT."""
    options = []
    while True:
        at = re.compile(r"(?:[ \t]|\\\n)*").match(text, at).end()
        value, at, quoted = word(text, at)
        if quoted:
            return Program(line, options, value)
        if not re.fullmatch(r"-[vF].*", value, re.S):
            raise Unclear(f"{line}: awk's program is not one string in single quotes")
        options.append(value)
        if len(value) == 2:  # its argument is the next word
            at = re.compile(r"[ \t]*").match(text, at).end()
            value, at, _ = word(text, at)
            options.append(value)


def programs(script):
    text = pathlib.Path(script).read_text(encoding="utf-8")
    bare = re.sub(r"(?m)^[ \t]*#.*$", lambda match: " " * len(match[0]), text)
    return [of_command(bare, match.end(), bare.count("\n", 0, match.start()) + 1)
            for match in COMMAND.finditer(bare)]


def complaints(program):
    """[said] of each awk that fails on it, or says anything beside its output."""
    found = []
    for name, command in AWKS.items():
        result = subprocess.run([*command, *program.options, program.text], input=LINES, text=True,
                                capture_output=True, check=False)
        if result.returncode or result.stderr:
            found.append(f"{program.line}: {name}: {result.stderr.strip() or result.returncode}")
    return found


def all_complaints(scripts):
    for script in scripts:
        try:
            for program in programs(script):
                yield from (f"{script}:{said}" for said in complaints(program))
        except Unclear as error:
            yield f"{script}:{error}"


def main():
    print("(with " + ", ".join(AWKS) + ")")
    found = list(all_complaints(sys.argv[1:]))
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
