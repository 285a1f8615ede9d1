#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Add probes to an unpacked Linux 6.1 or 6.12, and sdtlink as a step of its build.

    apply.py LINUX RUNTIME

LINUX is the directory of the sources. RUNTIME has those of the freestanding runtime:
share/sdtlink/freestanding of an installation, or runtime/ of sdtlink's sources. Every edit names a
line by what is in it; if one is not found, nothing is changed.

`make SDTLINK=sdtlink` then builds a kernel with probes, and `make SDTLINK=sdtlink SDT_SEED=1` one
by the scheme of 2015 (docs/kernel.md): probes are plain calls, vmlinux.o stays as it is, and is
linked with a companion in C. Only what differs is built again.
"""
import pathlib
import shutil
import sys

INCLUDE = "#include <sdt/probe.h>\n"
SETS = """\
\tsdt_sites\t\t0 : { __start_sdt_sites = .; KEEP(*(sdt_sites)) __stop_sdt_sites = .; }
\t.text.sdt\t\t0 : { *(.text.sdt_*) }
\t.init.text.sdt\t\t0 : { *(.init.text.sdt_*) }
"""
RODATA = """\
\tsdt_sites         : AT(ADDR(sdt_sites) - LOAD_OFFSET) {\t\t\\
\t\t__start_sdt_sites = .;\t\t\t\t\t\\
\t\tKEEP(*(sdt_sites))\t\t\t\t\t\\
\t\t__stop_sdt_sites = .;\t\t\t\t\t\\
\t}\t\t\t\t\t\t\t\t\\
\t\t\t\t\t\t\t\t\t\\
"""
INITCALL = """\
\t{
\t\tSDT_PROBE(init, initcall, level, initcall_from_entry(fn));
"""
PLAIN_CALL = """\
/* As the seed of sdtlink has it: a plain call of an undefined function. */
extern void __dtrace_sdt_proc___exit(long code, long pid);

"""
# A companion of a kernel serves calls only.
FORK = """\
#ifdef SDT_CALL_SITES
\tSDT_PROBE(proc, fork, nr, SDT_STR(p->comm), SDT_HEX(clone_flags));
#else
\tSDT_PROBE_LAZY(proc, fork, nr, SDT_STR(p->comm), SDT_HEX(clone_flags));
#endif
"""
# The step. The sum makes Kbuild run it again when the tool is another one, since Kbuild runs what
# differs from the last command.
STEP = """\
sdt-tool = SDT_TOOL=$(firstword $(shell cksum < $$(command -v $(SDTLINK)))) $(SDTLINK)
cmd_sdtlink = $(if $(SDTLINK), ; $(sdt-tool) --freestanding -q -o $@ $@)
sdt-probed := fs/open init/main kernel/exit kernel/fork kernel/sched/core mm/slub
sdt-calls := -DSDT_CALL_SITES -fno-optimize-sibling-calls
c_flags += $(if $(SDT_SEED),$(if $(filter $(sdt-probed:=.o),$@),$(sdt-calls)))
"""
COMPANION = """\
sdt-text-lds = $(if $(CONFIG_LTO_CLANG),$(srctree)/kernel/sdt/text.lds)
cmd_sdt_companion = ; $(sdt-tool) --freestanding --companion=sdt-companion.c -q $@ ; \\
\t$(CC) $(filter-out $(CC_FLAGS_LTO),$(c_flags)) -I$(srctree)/include \\
\t\t-c -o sdt-companion.o sdt-companion.c

"""
# File; the words of a line, or of lines one after another, the last of which counts (a tuple: what
# is there depends on the version); what is done there ("before", "after", "end": to the end of the
# line, "replace"); the text.
EDITS = [
    # probes
    ("mm/slub.c", ["#include <linux/mm.h>"], "before", INCLUDE),
    ("mm/slub.c", [("*kmem_cache_alloc(struct kmem_cache",
                    "*kmem_cache_alloc_noprof(struct kmem_cache"), "{"], "after",
     "\tSDT_PROBE(kmem, alloc, s, SDT_HEX(gfpflags), SDT_STR(s->name));\n"),
    ("fs/open.c", ["#include \"internal.h\""], "before", INCLUDE),
    ("fs/open.c", ["do_sys_openat2(int", "get_unused_fd_flags"], "before",
     "\tSDT_PROBE(vfs, open, dfd, SDT_STR(tmp->name), how->flags, how->mode);\n"),
    ("kernel/sched/core.c", ["#include \"stats.h\""], "before", INCLUDE),
    ("kernel/sched/core.c", ["trace_sched_switch("], "after",
     "\t\tSDT_PROBE(sched, switch, prev->pid, next->pid, SDT_STR(next->comm));\n"),
    ("kernel/exit.c", ["do_exit(long code)"], "before", PLAIN_CALL),
    ("kernel/exit.c", ["do_exit(long code)", "WARN_ON(irqs_disabled"], "before",
     "\t__dtrace_sdt_proc___exit(code, tsk->pid);\n\n"),
    ("kernel/fork.c", ["#include <linux/slab.h>"], "before", INCLUDE),
    ("kernel/fork.c", ["nr = pid_vnr(pid);"], "after", FORK),
    ("init/main.c", ["#include <linux/extable.h>"], "before", INCLUDE),
    ("init/main.c", ["do_initcall_level(int", "do_one_initcall(initcall_from_entry(fn))"],
     "before", INITCALL),
    ("init/main.c", ["do_initcall_level(int", "do_one_initcall(initcall_from_entry(fn))"],
     "after", "\t}\n"),
    # the runtime
    ("kernel/Makefile", ["obj-y += sched/"], "after", "obj-y += sdt/\n"),
    ("init/main.c", ["static int __ref kernel_init(void *unused)"], "before",
     "extern void sdt_free_initmem(void); /* kernel/sdt/linux.c */\n\n"),
    ("init/main.c", ["system_state = SYSTEM_FREEING_INITMEM;"], "after",
     "\tsdt_free_initmem();\n"),
    # scripts of the linker
    ("arch/x86/kernel/vmlinux.lds.S", ["TEXT_TEXT"], "after",
     "\t\t*(.text.sdt_* .sched.text.sdt_* .ref.text.sdt_* .cpuidle.text.sdt_*)\n"),
    ("include/asm-generic/vmlinux.lds.h", [".rodata1 "], "before", RODATA),
    ("scripts/module.lds.S", ["__jump_table"], "after", SETS),
    # the step: make SDTLINK=sdtlink
    ("scripts/Makefile.lib", ["cmd_objtool = "], "after", STEP),
    ("scripts/Makefile.build", ["cmd_cc_o_c = $(CC)", "$(cmd_objtool)"], "end",
     " $(if $(is-single-obj-m),$(cmd_sdtlink))"),
    ("scripts/Makefile.build", [" cmd_ld_multi_m = $(LD)"], "end", " $(cmd_sdtlink)"),
    ("scripts/Makefile.vmlinux_o", ["quiet_cmd_ld_vmlinux.o = "], "before", COMPANION),
    ("scripts/Makefile.vmlinux_o", ["$(addprefix -T , $(initcalls-lds))"], "replace",
     ("$(initcalls-lds))", "$(initcalls-lds) $(if $(SDT_SEED),$(sdt-text-lds)))")),
    ("scripts/Makefile.vmlinux_o", ["$(cmd_objtool)"], "end",
     " $(if $(SDT_SEED),$(cmd_sdt_companion),$(cmd_sdtlink))"),
    ("scripts/link-vmlinux.sh", ["vmlinux_link()", "CONFIG_LTO_CLANG"], "replace",
     (" || is_enabled CONFIG_X86_KERNEL_IBT;",
      " || is_enabled CONFIG_X86_KERNEL_IBT || [ -n \"$SDTLINK\" ];")),
    ("scripts/link-vmlinux.sh", ["vmlinux_link()", "objs=vmlinux.o"], "replace",
     ("objs=vmlinux.o", 'objs="vmlinux.o${SDT_SEED:+ sdt-companion.o}"')),
]


def place(name, lines, words):
    """Which line has the last of WORDS, each of which comes after the one before it."""
    at = 0
    for word in words:
        ways = word if isinstance(word, tuple) else (word,)
        at = next((k for k in range(at, len(lines)) if any(way in lines[k] for way in ways)), None)
        if at is None:
            sys.exit(f"apply.py: {name}: no line with {' or '.join(map(repr, ways))}; "
                     "nothing was changed")
    return at


def edited(name, lines, words, where, text):
    at = place(name, lines, words)
    if where == "replace":
        if text[0] not in lines[at]:
            sys.exit(f"apply.py: {name}:{at + 1}: no {text[0]!r}; nothing was changed")
        return [*lines[:at], lines[at].replace(*text), *lines[at + 1:]]
    if where == "end":
        return [*lines[:at], lines[at].rstrip("\n") + text + "\n", *lines[at + 1:]]
    at += where == "after"
    return [*lines[:at], text, *lines[at:]]


def copy(linux, runtime):
    """The folder kernel/sdt, the runtime in it, and the headers of probes."""
    shutil.copytree(pathlib.Path(__file__).parent / "kernel" / "sdt", linux / "kernel" / "sdt")
    shutil.copytree(runtime / "include" / "sdt", linux / "include" / "sdt")
    shutil.copytree(runtime, linux / "kernel" / "sdt" / "runtime")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    linux, runtime = map(pathlib.Path, sys.argv[1:])
    if not (linux / "scripts" / "Makefile.build").exists():
        sys.exit(f"apply.py: {linux}: no sources of Linux")
    if not (runtime / "freestanding" / "sources.txt").exists():
        sys.exit(f"apply.py: {runtime}: no sources of the freestanding runtime")
    if (linux / "kernel" / "sdt").exists():
        sys.exit(f"apply.py: {linux}: has been changed already")
    files = {name: (linux / name).read_text().splitlines(keepends=True) for name, *_ in EDITS}
    for name, *edit in EDITS:
        files[name] = edited(name, files[name], *edit)
    copy(linux, runtime)
    for name, lines in files.items():
        (linux / name).write_text("".join(lines))
    print(f"{len(EDITS)} places in {len(files)} files changed; kernel/sdt is new")


main()
