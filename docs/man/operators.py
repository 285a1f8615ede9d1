#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Write the operators of expressions into sdt-hist(1), from the parser's own table: those of each
level in a row, with what the comment of the level says (runtime/shared/operators.c, operators.h).

    docs/man/operators.py
"""
import pathlib
import re

MAN = pathlib.Path(__file__).resolve().parent
SHARED = MAN.parent.parent / "runtime" / "shared"
PAGE = MAN / "sdt-hist.1"
LIST = re.compile(r"^(Operators, from those that bind tightest:\n).*?^\.El\n", re.M | re.S)


def levels():
    """Their names and meanings, from the one that binds tightest."""
    header = (SHARED / "operators.h").read_text()
    listed = re.search(r"^enum level \{\n(.*?)^\};", header, re.M | re.S)
    return re.findall(r"^ +(LEVEL_\w+),? +/\* (.+) \*/$", listed[1], re.M)


def operators():
    """The operators of each level, in the order of levels()."""
    source = (SHARED / "operators.c").read_text()
    marks = re.findall(r'^ +\{"(\S+)", (LEVEL_\w+), CODE_\w+\},$', source, re.M)
    return [[mark for mark, of in marks if of == level] for level, _ in levels()]


def rows():
    """Each with its operators, as mdoc needs them, and its meaning."""
    for marks, (_, meaning) in zip(operators(), levels()):
        text = " ".join(marks)
        quoted = f'"{text}"' if len(marks) > 1 else text.replace("!", "\\&!")
        yield quoted, meaning


def table():
    written = list(rows())
    widest = [max(column, key=len).strip('"') for column in zip(*written)]
    lines = [f'.Bl -column "{widest[0]}" "{widest[1]}"']
    lines += [f".It Li {marks} Ta {meaning}" for marks, meaning in written]
    return "\n".join([*lines, ".El\n"])


def page():
    return LIST.sub(lambda match: match[1] + table(), PAGE.read_text())


if __name__ == "__main__":
    PAGE.write_text(page())
