# SPDX-License-Identifier: BSD-2-Clause
"""What others see of a program in a guest (guest.py), on any machine: Debian's perf, bpftrace and
gdb for it, and `sdt` in another process.

    for name, (printed, hits) in perf(sdt, exe, "riscv64").items():     name: a key of RUNS
    for name, lines in bpftrace(sdt, exe, "riscv64").items():
    gdb(sdt, exe, "riscv64", {"name": script, ...})["name"]             what it printed
    sdt_from_outside(sdt, exe, tool, "riscv64", callers)                with what is asserted of it

The programs of the first three are made from gdb_stops.c, the one of the last from record_many.c.
"""
import json
import re

from guest import boot, unpacked

RUNS = {"off": "", "counted": "SDT_ENABLE=*=count "}  # what the runtime does with the sites


def perf(sdt, exe, machine):
    """{run: (lines that the program printed, [(probe, its first argument or "")])}."""
    tool = "HOME=/tmp PERF_PAGER=cat /usr/bin/perf"
    events = [f"sdt_shop:{name}" for name in ("sale", "left")]
    commands = [f"{tool} buildid-cache --add /stops",
                *(f"{tool} probe {event}" for event in events)]
    for name, enable in RUNS.items():
        commands += [f"{enable}{tool} record -q -o /{name} -e {events[0]} -e {events[1]} /stops",
                     f"{tool} script -i /{name} -F event,trace"]
    said = boot(sdt, [exe], commands, machine=machine, files=unpacked("perf", machine))
    assert [said[command][-1] for command in commands] == ["status 0"] * len(commands)
    return {name: (said[record], re.findall(r"sdt_shop:(\w+): \(\w+\)(?: arg1=(\d+))?",
                                            "\n".join(said[script])))
            for name, record, script in zip(RUNS, commands[3::2], commands[4::2])}


# Not by count(): bpftrace 0.27 takes it for the function count() of Linux 7.2.
BPFTRACE = """
usdt:/stops:shop:sale { @sales = sum(1); @sum = sum(arg0); @what[str(arg1)] = sum(1); }
usdt:/stops:shop:left { @left = sum(1); @numbers = sum(arg0); }
"""
JIT = "sysctl.net.core.bpf_jit_enable=1"  # bpftrace 0.27 needs it, and it is off on riscv64
MAPS = {"@sales: 3", "@sum: 6", "@what[tea]: 3", "@left: 3", "@numbers: 6"}


def bpftrace(sdt, exe, machine):
    """{run: lines of the program and of bpftrace}, with all of MAPS where every hit was seen."""
    files = {"script.bt": sdt.write("script.bt", BPFTRACE), **unpacked("bpftrace", machine)}
    commands = [f"{enable}/usr/bin/bpftrace -c /stops /script.bt" for enable in RUNS.values()]
    said = boot(sdt, [exe], commands, machine=machine, parameters=JIT, files=files)
    return dict(zip(RUNS, map(said.get, commands)))


def gdb(sdt, exe, machine, scripts):
    """{name of a script: lines}, each by a gdb of its own. The shell, which is not there, would
    start the program."""
    head = "set pagination off\nset startup-with-shell off\nfile /stops\n"
    files = {name: sdt.write(name, head + script) for name, script in scripts.items()}
    commands = [f"TERM=dumb HOME=/tmp /usr/bin/gdb -nx -q -batch -x /{name}" for name in scripts]
    said = boot(sdt, [exe], commands, machine=machine, files=files | unpacked("gdb", machine))
    return dict(zip(scripts, map(said.get, commands)))


def sdt_from_outside(sdt, exe, tool, machine, callers):
    """CALLERS of a hit: the functions that the trace of one has."""
    look = {"list": "list --json -p many", "count": "count --json -d 1 rec:t* -p many",
            "trace": "trace --stack --limit=3 rec:tick -p many",
            "keys": "count --json -d 1 rec:text by str(arg1,8) -p many",
            "record": "record -d 1 -o /rec -p many", "after": "list --json -p many rec",
            "report": "report --summary /rec"}
    commands = ["SDT_ATTACH=1 /many threads 0 2 5000 &",
                *(f"NO_COLOR=1 PAGER=cat /sdt {line}" for line in look.values())]
    said = boot(sdt, [exe, tool], commands, machine=machine)
    answer = {name: said[line] for name, line in zip(look, commands[1:])}
    assert {lines[-1] for lines in answer.values()} == {"status 0"}
    for name in ("list", "after"):
        sites = list(map(json.loads, answer[name][:-1]))
        assert {(site["name"], site["state"]) for site in sites} == \
            {("tick", "off"), ("text", "off"), ("signal", "off")}
    counts = list(map(json.loads, answer["count"][:-1]))
    assert {count["name"] for count in counts} == {"tick", "text"}
    assert all(count["count"] > 100 for count in counts)
    assert re.search(r"rec:tick +i=\d+ thread=[01]", answer["trace"][1])
    assert [line.split("+")[0].strip() for line in answer["trace"][2:2 + len(callers)]] == callers
    keys = {count["key"] for count in map(json.loads, answer["keys"][:-1])}
    assert keys <= {"now and then some text of which the length changes"[i:][:8] for i in range(40)}
    assert keys and re.search(r"rec:tick +\d{3,}", "\n".join(answer["report"]))
