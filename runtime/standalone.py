#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Write sdt.h: <sdt/probe.h> and its parts in one file, for programs built without sdtlink.

    runtime/standalone.py VERSION > sdt.h

cmake/GeneratedHeaders.cmake runs it when the build is configured. The head is runtime/sdt.h.in;
what the macros do is explained there in the words of <sdt/probe.h>. The parts lose their comments,
and what SDT_STANDALONE excludes.
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
FIRST, LAST = " * SDT_PROBE(provider, name, arg...) is a statement", " * SDT_PROBE_LAZY("
SYSTEM_HEADER = "#if defined(__GNUC__)\n#pragma GCC system_header\n#endif\n"


def manual():
    """What the comment of <sdt/probe.h> says of SDT_PROBE and its arguments."""
    text = (HERE / "include/sdt/probe.h").read_text()
    part = text[text.index(FIRST):text.index(LAST)].rstrip(" *\n")
    return part.replace("<sdt/enum.h>", "<sdt/enum.h> of sdtlink")


def without_comments(text):
    """C without its comments; strings stay."""
    pieces = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/', re.S)
    return pieces.sub(lambda m: m[0] if m[0][0] == '"' else " ", text)


def expanded(text, seen):
    """TEXT with the parts that it includes, each once."""
    def part(match):
        if match[1] in seen:
            return ""
        seen.add(match[1])
        source = (HERE / "include/sdt" / match[1]).read_text()
        return expanded(without_comments(source), seen)
    return re.sub(r"^#include <sdt/([\w.]+)>\n", part, text, flags=re.M)


def known(condition):
    """Whether CONDITION of an `#if` holds in sdt.h; None: that depends on who compiles it."""
    if re.fullmatch(r"!defined\(SDT_(STANDALONE|PROBE_H)\)", condition):
        return False
    is_true = re.match(r"(.* \|\| )?defined\(SDT_STANDALONE\)( \|\||$)|SDT_\w+_H$", condition)
    return True if is_true else None


def folded(text):
    """TEXT without the lines that are not for sdt.h."""
    kept, state = [], []  # of each open #if: None, or whether its lines are kept
    for line in re.findall(r"(?:[^\n]*\\\n)*[^\n]*\n", text):
        word = re.match(r"#\s*(if\w*|else|elif|endif)\b\s*(.*)", line.replace("\\\n", ""))
        is_open = False not in state
        if word and word[1].startswith("if"):
            state.append(known(" ".join(word[2].split())))
        is_ours = word and state and state[-1] is not None
        if is_ours and word[1] == "else":
            state[-1] = not state[-1]
        if is_open and not is_ours:
            kept.append(line)
        if word and word[1] == "endif" and state:
            state.pop()
    return "".join(kept)


def once(text, piece):
    """TEXT without PIECE after its first occurrence."""
    first = text.index(piece) + len(piece)
    return text[:first] + text[first:].replace(piece, "")


def separated(match):
    return f"\n\n{match[1]}" if match[1] else "\n"


def main():
    head, body = re.split("^(?=#)", (HERE / "sdt.h.in").read_text(), maxsplit=1, flags=re.M)
    head = head.replace("@VERSION@", sys.argv[1]).replace("@MANUAL@", manual())
    text = re.sub(r"[ \t]+$", "", folded(expanded(body, set())), flags=re.M)
    text = once(text, SYSTEM_HEADER)
    # A file to copy is short: an empty line is between parts only.
    print(head + re.sub(r"\n\n+(#define SDT_\w+_H$)?", separated, text, flags=re.M).strip("\n"))


if __name__ == "__main__":
    main()
