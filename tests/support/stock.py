# SPDX-License-Identifier: BSD-2-Clause
"""Stock binaries, which sdtlink has not processed, under `sdt run` and `sdt … -- COMMAND`.

    with Target(exe) as target: …                  started by `sdt run`
    hits, result = counted(sdt, pattern, exe)      what `sdt count` says of a program
    check_arguments(sdt, exe)                      a program of compat_traced.c and compat_main.c
"""
import attached
import tracers
from attached import SDT, ask


class Target(attached.Target):
    """with Target(exe) as target: … what `sdt run` has started."""

    def __init__(self, exe, **kwargs):
        super().__init__(SDT, args=["run", "--", exe], env={"SDT_ATTACH": "0"}, **kwargs)


def counted(sdt, pattern, *command, status=0, text=None, **kwargs):
    """What `sdt count` says of a program that it starts, by PROVIDER:NAME; and its messages."""
    result = ask(sdt, "count", "--json", *pattern.split(), "--", *command, status=status,
                 input=text, **kwargs)
    lines = [line for line in result.stdout.splitlines() if line.startswith("{")]
    return {f"{line['provider']}:{line['name']}": line["count"]
            for line in attached.json_lines("\n".join(lines))}, result


def check_arguments(sdt, exe):
    """Registers, memory, constants, every size: as compat_traced.c has them, of provider
    stockargs."""
    ask(sdt, "record", "-o", "rec", "-e", "stockargs:*", "--", exe)
    events = attached.json_lines(ask(sdt, "report", "--json", "rec").stdout)
    rounds = [event["args"] for event in events if event["name"] == "twelve"]
    assert len(rounds) == tracers.ROUNDS
    for i, fields in enumerate(rounds):
        for n, (value, width) in enumerate(zip(tracers.values(i), tracers.WIDTHS)):
            if value is not None:
                assert int(fields[f"arg{n}"]) % 2**width == value % 2**width, (i, n, fields)
    assert {name: sum(event["name"] == name for event in events)
            for name in tracers.PROBES} == tracers.ALL_HIT
