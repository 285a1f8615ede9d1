/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/semaphore.h> -- a part of <sdt/probe.h>: SDT_SEMAPHORES. Do not include it yourself; all
 * names in it are internal.
 *
 * A semaphore is a counter of 16 bits that a tracer increments while it is attached to a probe:
 * gdb, perf and bcc by writing to the process, other tracers by a uprobe's reference counter
 * (ref_ctr_offset, Linux 4.20). The note of each site of `provider:name` says where it is. It is
 * called <provider>_<name>_semaphore and lies in section .probes, as <sys/sdt.h> has it; sdtlink
 * finds it by that name and has the section begin a page, for the reasons given in
 * sdtlink/rewrite/notes.c.
 *
 * The counter is defined by every statement that mentions the probe, in assembler, so that it needs
 * no declaration (C++ would mangle one in a block of a namespace, and warn of one in an unnamed
 * namespace) and no file of its own. Within a file the first definition counts; of those of several
 * files the linker keeps one, since each is in a COMDAT group. The group's name is not the
 * counter's: `mold -r` (1.10) crashes where a group is named by a symbol in it.
 */
#ifndef SDT_SEMAPHORE_H
#define SDT_SEMAPHORE_H

#if !defined(SDT_PROBE_H)
#error "include <sdt/probe.h>"
#endif

#if defined(SDT_SEMAPHORES) || defined(SDT_STANDALONE)

#define SDT_COUNTER_(provider, name) provider "_" name "_semaphore"
#if defined(SDT_SEMAPHORES)
#define SDT_HAVE_COUNTER_(provider, name) SDT_HAVE_(SDT_COUNTER_(provider, name))
#else /* its site's note names it, if SDT_PROBE_ENABLED is used anywhere */
#define SDT_HAVE_COUNTER_(provider, name)
#endif
/* sdtlink has .probes begin a page. Where it may be missing, a piece that is empty does so, for the
 * reasons given in <sys/sdt.h> of sdt-compat; the code refers to it, so that it is kept. */
#if defined(SDT_STANDALONE)
#define SDT_PAGE_                                                                                  \
    "\t.reloc ., " SDT_RELOCATION_NONE_ ", _.stapsdt.probes\n"                                     \
    "\t.ifndef _.stapsdt.probes\n"                                                                 \
    "\t.pushsection .probes, \"awG\", @progbits, .stapsdt.probes, comdat\n"                        \
    "\t.weak _.stapsdt.probes\n"                                                                   \
    "\t.hidden _.stapsdt.probes\n"                                                                 \
    "\t.balign 4096\n"                                                                             \
    "_.stapsdt.probes:\n"                                                                          \
    "\t.popsection\n"                                                                              \
    "\t.endif\n"
#else
#define SDT_PAGE_
#endif
#define SDT_HAVE_(counter)                                                                         \
    SDT_PAGE_                                                                                      \
    "\t.ifndef .Lsdt_" counter "\n"                                                                \
    "\t.set .Lsdt_" counter ", 1\n"                                                                \
    "\t.pushsection .probes, \"awG\", @progbits, .sdt." counter ", comdat\n"                       \
    "\t.balign 2\n"                                                                                \
    "\t.weak " counter "\n"                                                                        \
    "\t.hidden " counter "\n"                                                                      \
    "\t.type " counter ", @object\n"                                                               \
    "\t.size " counter ", 2\n" counter ":\n"                                                       \
    "\t.zero 2\n"                                                                                  \
    "\t.popsection\n"                                                                              \
    "\t.endif\n"

/* The counter's value, read each time; on x86 in both dialects of assembler. i386 has no addresses
 * relative to the program counter: a call of the next instruction tells where that is. */
#if defined(__aarch64__)
#define SDT_READ_(counter) "\tadrp %x0, " counter "\n\tldrh %w0, [%x0, :lo12:" counter "]"
#elif defined(__riscv)
#define SDT_READ_(counter) "\tlla %0, " counter "\n\tlhu %0, 0(%0)"
#elif defined(__i386__) && defined(__PIC__)
#define SDT_READ_(counter)                                                                         \
    "\tcall 991f\n"                                                                                \
    "991:\tpop %0\n"                                                                               \
    "{\tmovzwl " counter " - 991b(%0), %0|\tmovzx %0, word ptr [%0 + " counter " - 991b]}"
#elif defined(__i386__)
#define SDT_READ_(counter) "{\tmovzwl " counter ", %0|\tmovzx %0, word ptr [" counter "]}"
#else
#define SDT_READ_(counter) "{\tmovzwl " counter "(%%rip), %0|\tmovzx %0, word ptr " counter "[rip]}"
#endif
#define SDT_COUNTED_(provider, name)                                                               \
    (__extension__({                                                                               \
        unsigned sdt_counted_;                                                                     \
        SDT_ASM_(SDT_HAVE_(SDT_COUNTER_(provider, name)) SDT_READ_(SDT_COUNTER_(provider, name))   \
                 : "=r"(sdt_counted_));                                                            \
        sdt_counted_;                                                                              \
    }))
#define SDT_OR_COUNTED_(answer, provider, name)                                                    \
    ((answer) || __builtin_expect(SDT_COUNTED_(provider, name) != 0, 0))

#else

#define SDT_HAVE_COUNTER_(provider, name)
#define SDT_OR_COUNTED_(answer, provider, name) (answer)

#endif

#endif
