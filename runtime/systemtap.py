#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Write the menu of <sdt/systemtap.h>: one macro and one kind of handler for each list of types.

    runtime/systemtap.py probes   > sdt/systemtap_probes.h
    runtime/systemtap.py handlers > sdt/systemtap_handlers.h

cmake/GeneratedHeaders.cmake runs it when the build is configured.

With two types and 0 to 7 arguments there are 2**8 - 1 = 255 lists. What is the same for all of them
stands in systemtap.h and systemtap_attach.h; here is only what C's preprocessor cannot loop over.
"""
import itertools
import sys
import textwrap

MOST = 7
LETTERS = "abcdefg"

HEAD = """\
/* SPDX-License-Identifier: BSD-2-Clause */
/* Written by runtime/systemtap.py: change that. Included by <sdt/{parent}>. */
#ifndef {guard}
#define {guard}

#if defined(__GNUC__)
#pragma GCC system_header
#endif

/* clang-format off */
"""
TAIL = """\
/* clang-format on */

#endif"""


def lists(count):
    """All lists of COUNT types, as strings of N and S."""
    return ["".join(letters) for letters in itertools.product("NS", repeat=count)]


def all_lists():
    return [types for count in range(1, MOST + 1) for types in lists(count)]


def wrapped(call, at, end=""):
    """A call of a macro, over lines of at most 100 columns that end in END."""
    lines = textwrap.wrap(call, 98 - len(at), break_long_words=False)
    return (end + "\n").join(at + line for line in lines)


def probe(types):
    names = LETTERS[: len(types)]
    words = ", ".join(f"SYSTEMTAP_{t}_({x})" for t, x in zip(types, names))
    text = "".join(f'"," #{x} ' for x in names).rstrip()
    site = wrapped(f"SYSTEMTAP_SITE_({text}, name, {len(types)}{types}, {words})", "    ", " \\")
    return f"#define SYSTEMTAP_PROBE_{types}(name, {', '.join(names)}) \\\n{site}"


def leaf(types, at):
    words = ", ".join(f"SYSTEMTAP_WORD_{t}_({i + 1})" for i, t in enumerate(types))
    call = f"SYSTEMTAP_LEAF_(text, provider, name, {len(types)}{types}, {words});"
    return wrapped(call, at, " \\")


def tree(count, types, at):
    """The sites of all lists that begin with TYPES, after conditions that are constant."""
    if len(types) == count:
        return [leaf(types, at)]
    return [
        f"{at}if (SYSTEMTAP_IS_S_({len(types) + 1})) {{",
        *tree(count, types + "S", at + " "),
        f"{at}}} else {{",
        *tree(count, types + "N", at + " "),
        f"{at}}}",
    ]


def generic(count):
    names = LETTERS[:count]
    decide = ", ".join(f"SYSTEMTAP_DECIDE_({i + 1}, {x})" for i, x in enumerate(names))
    lines = [
        f"#define SYSTEMTAP_ANY_{count}_(text, provider, name, {', '.join(names)})",
        "    do {",
        wrapped(f"enum {{ {decide} }};", "        ", " \\"),
        *(f"        SYSTEMTAP_KEEP_({i + 1}, {x})" for i, x in enumerate(names)),
        *tree(count, "", "        "),
        "    } while (0)",
    ]
    return " \\\n".join(lines)


def write_probes():
    print(HEAD.format(guard="SDT_SYSTEMTAP_PROBES_H", parent="systemtap.h"))
    for types in all_lists():
        print(probe(types))
    print("\n/* The generic form: of all lists, the site of the one that fits is kept. */")
    for count in range(1, MOST + 1):
        print(generic(count))
    for count in range(MOST + 1, 14):
        print(f"#define SYSTEMTAP_ANY_{count}_(...) SYSTEMTAP_TOO_MANY_")
    print(TAIL)


def handler(types):
    ctypes = {"N": "int64_t", "S": "const char *"}
    parameters = ", ".join(ctypes[t] for t in types) or "void"
    words = ", ".join(f"SYSTEMTAP_ARG_{t}_({i})" for i, t in enumerate(types))
    signature = f"{len(types)}{types}"
    suffix = f"_{types}" if types else ""
    call = f"SYSTEMTAP_HANDLER_({signature}, systemtap_handler{suffix}, ({parameters}), ({words}))"
    call = wrapped(call, "").replace("\n", "\n    ")
    attach = f"systemtap_attach{suffix}(name, handler)"
    into = f"systemtap_attach_in{suffix}(module, function, name, handler)"
    return f"""{call}
#define {attach} \\
    SYSTEMTAP_ATTACH_({signature}, systemtap_handler{suffix}, "", "", name, handler)
#define {into} \\
    SYSTEMTAP_ATTACH_({signature}, systemtap_handler{suffix}, module, function, name, handler)"""


def write_handlers():
    print(HEAD.format(guard="SDT_SYSTEMTAP_HANDLERS_H", parent="systemtap_attach.h"))
    for types in ["", *all_lists()]:
        print(handler(types))
    print(TAIL)


if __name__ == "__main__":
    writers = {"probes": write_probes, "handlers": write_handlers}
    if len(sys.argv) != 2 or sys.argv[1] not in writers:
        sys.exit(__doc__)
    writers[sys.argv[1]]()
