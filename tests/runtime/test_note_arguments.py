# SPDX-License-Identifier: BSD-2-Clause
"""The texts in which notes of <sys/sdt.h> say where arguments are: each reading that the format's
pages allow, with the values that arrive, and what is left to tracers since it cannot be read."""
import json
import re

import pytest

from stapsdt import notes
from test_nop1 import asm, function, note, plan

pytestmark = pytest.mark.plain  # what assemblers make of it

# With %rax 17, %rdi 2, %rsi at `table`, whose words are 100, 101, …
READ = {
    "": [],
    ":": [],
    " : ": [],
    "4@%eax 8@%rdi": [17, 2],
    "4@%eax, 8@%rdi": [17, 2],
    "4@%eax,8@%rdi": [17, 2],
    "  4@%eax \\t, -8@%rdi ": [17, 2],
    "%eax, %rdi": [17, 2],
    "%edi %rax": [2, 17],
    "4@(%rsi,%rdi,4) 8@%rax 4@$2": [102, 17, 2],
    "4@4(%rsi, %rdi, 4) 8@%rdi": [103, 2],
    "4@( %rsi , %rdi ), 1@%al": [100 + (101 << 32) >> 16 & 0xffffffff, 17],
    "4@8 + 4(%rsi) 4@%eax": [103, 17],
    "4@table+8(%rip) 4@8 + table(%rip)": [102, 102],
    "-4@ 12(%rsi)": [103],
    "%rax %eax %ax %al %r9 %r9d %r9w %r9b $5": [17, 17, 17, 17, 9, 9, 9, 9, 5],
}
# What cannot be read, and the argument that a warning names.
UNREAD = {
    "16@%rax": ('1, "16@%rax"', "has a size or a form"),
    "4@%eax 8p@%rdi": ('2, "8p@%rdi"', "has a size or a form"),
    "8@a@GOTPCREL(%rip)": ('1, "8@a@GOTPCREL(%rip)"', "has a size or a form"),
    "4@": ('1, "4@"', "has a size or a form"),
    "-8f@%xmm0": ('1, "-8f@%xmm0"', "has a size or a form"),
    "8@%rax 8@%fs:16": ('2, "8@%fs:16"', "has a form that is not read"),
    "8@%st(1)": ('1, "8@%st(1)"', "has a form that is not read"),
    "2@%ah": ('1, "2@%ah"', "has a form that is not read"),
    "8@$1<<3": ('1, "8@$1<<3"', "has a form that is not read"),
    "8@name": ('1, "8@name"', "has a form that is not read"),
    "4@table(%rip) 4@nowhere(%rip)": ('2, "4@nowhere(%rip)"', "names no variable of this object"),
    "4@%eax,": ("2", "a comma has no argument after it"),
    "4@%eax,,8@%rdi": ("2", "a comma has no argument after it"),
    ",4@%eax": ("1", "a comma has no argument before it"),
    "4@(%rsi 8@%rdi": ("1", "a bracket is not closed"),
    "4@%eax 8@%rdi)": ("2", "a bracket closes that was not opened"),
    "8@4 (%rsi)": ("1", "a blank before a parenthesis may separate arguments or not"),
}
MAIN = r"""
#include <sdt/runtime.h>
#include <stdio.h>
void f(void);
static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    printf("%s", sdt_name(event));
    for (unsigned i = 0; i < sdt_nargs(event); i++)
        printf(" %ld", (long)sdt_arg(event, i));
    puts("");
}
int main(void)
{
    int id = sdt_enable("app:*", on_hit, NULL);
    if (id > 0)
        f();
    else
        puts(sdt_strerror(id));
    return 0;
}
"""


def sites(texts, **kwargs):
    """One function with a note for each of TEXTS, p0, p1, …"""
    body = ["lea table(%rip), %rsi", "mov $17, %eax", "mov $2, %edi", "mov $9, %r9d"]
    for i, text in enumerate(texts):
        body += ["1: nop", *note("1b", probe=f"p{i}", args=text, **kwargs)]
    return [*function(*body), ".section .rodata", "table: .long 100, 101, 102, 103, 104, 105"]


def seen(output):
    """What MAIN printed, in the order of the sites."""
    return [[int(word) for word in line.split()[1:]] for line in output.splitlines()]


@pytest.mark.parametrize("semaphore", ["0", None])
def test_the_values_are_those_that_the_text_names(sdt, semaphore):
    """Also of notes without a word for a semaphore, as the first draft of the format has them."""
    obj = asm(sdt, *sites(READ, semaphore=semaphore))
    exe = sdt.link(sdt.compile(sdt.write("main.c", MAIN)), sdt.process(obj))
    assert seen(sdt.run(exe)) == list(READ.values())
    assert f"{len(READ)} sites, {len(READ)} probes: ok" in sdt.sdtlink("verify", exe).stdout
    listed = {site["name"]: site for site in json.loads(sdt.sdtlink("list", "--json", exe).stdout)}
    for i, (text, values) in enumerate(READ.items()):
        site = listed[f"p{i}"]
        assert (site["nargs"], site["kind"]) == (len(values), "nop1")
        assert len(site["note"]["args"]) == len(values), text


def test_records_have_no_blanks_and_all_have_a_size(sdt):
    texts = ["%rax,%eax, %ax %al %r9 %r9d %r9w %r9b (%rax) $5", ":", "4@4(%rsi, %rdi, 4)",
             "-4@known(%rip) 4@8 + known(%rip) -4@f(%rip)"]
    body = [line for i, args in enumerate(texts)
            for line in ("1: nop", *note("1b", probe=f"p{i}", args=args))]
    obj = asm(sdt, *function(*body), ".data", "known: .long 1")
    assert [args for _, args in sorted(plan(sdt, obj))] == [
        "8@%rax 4@%eax 2@%ax 1@%al 8@%r9 4@%r9d 2@%r9w 1@%r9b 8@(%rax) 8@$5", "",
        "4@4(%rsi,%rdi,4)", "-4@known(%rip) 4@8+known(%rip) -4@*f(%rip)"]


def test_what_cannot_be_read_stays_with_tracers(sdt):
    """With a warning for each that names the argument; the others are sites, with their values."""
    texts = [*UNREAD, "4@%eax"]
    obj = asm(sdt, *sites(texts))
    out = sdt.path("out.o")
    warnings = sdt.sdtlink("-o", out, obj).stderr
    for i, (number, problem) in enumerate(UNREAD.values()):
        [line] = re.findall(rf"^.*probe app:p{i}: .*$", warnings, re.M)
        assert f"argument {number}" in line and problem in line, line
    assert warnings.count("sdt_enable() will not") == len(UNREAD)
    assert [note.args for note in notes(out)] == texts
    exe = sdt.link(sdt.compile(sdt.write("main.c", MAIN)), out)
    assert sdt.run(exe) == f"p{len(UNREAD)} 17\n"


def test_a_record_whose_argument_cannot_be_read_is_armed_by_nobody(sdt):
    """An earlier sdtlink made sites of such notes, and their values were 0."""
    obj = asm(sdt, *sites(["8@%rax 8@%rdi"]))
    out = sdt.process(obj)
    data = bytearray(out.read_bytes())
    at = data.index(b"8@%rax 8@%rdi\0", data.index(b"8@%rax 8@%rdi\0") + 1)
    data[at:at + 14] = b"8@%rax 8@%fs:\0"
    out.write_bytes(data)
    exe = sdt.link(sdt.compile(sdt.write("main.c", MAIN)), out)
    assert "an argument in the probe's note cannot be read" in sdt.run(exe)
