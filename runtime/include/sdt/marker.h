/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/marker.h> -- markers with only a name, listed in a section of the file.
 *
 *     #include <sdt/marker.h>
 *
 *     int queue_push(struct queue *queue, void *item)
 *     {
 *         MARKER(push);
 *         ...
 *     }
 *
 * MARKER(name) is a statement that marks a place. It is the probe `marker:name` of <sdt/probe.h>
 * without arguments: off until it is enabled, and then a call of a handler.
 *
 *   name  A C identifier without `___`, macro-expanded first. Any number of markers may have the
 *         same name, in any number of files and libraries.
 *
 * Turning markers on is <sdt/runtime.h>; all markers that match are turned on at once:
 *
 *     sdt_enable("marker:push", handler, data);                every marker of that name
 *     sdt_enable("marker::queue_*:push", handler, data);       those in functions of that name
 *     sdt_enable("marker:libqueue.so::", SDT_COUNT, NULL);     every marker of a library
 *
 * In the file, section .markers has one entry per marker; readelf is enough to show it:
 *
 *     $ readelf -x .markers program            $ sdtlink list program
 *
 *   offset 0, aligned to 4   .long   the first byte of the marker, as a distance from this word
 *   offset 4                 .byte   how many bytes it has: NOPs in the file
 *   offset 5                 .asciz  the name
 *
 * The distance is signed: address of the word + the word = address of the marker, in the file and
 * in memory. (An address that is not relative, as in the proposal of 2005 that this header
 * follows, is a text relocation in position-independent code, which linkers refuse or warn about.)
 * The entry is a member of its marker's COMDAT group, and is dropped with it, also by
 * --gc-sections.
 *
 * How to build: as with <sdt/probe.h>, through sdtlink before the final link. Until sdtlink fills
 * it in, an entry has length 0, and the marker is at its address or after it: with SDT_CALL_SITES,
 * what the compiler saves around a call may come first. In objects that must not be changed
 * (sdtlink --companion) it stays so.
 *
 * On i386 a marker is the six bytes of the proposal, and needs no sdtlink: `90 3e 66 0f 1f 00`, two
 * NOPs, of which tracers write to the first. Its entry has length 6, and in the object the word is
 * the marker's offset in its section.
 *
 * -DSDT_DISABLE compiles all markers to nothing.
 *
 * N.B. A marker touches no memory and no register while it is off: two NOPs. With SDT_CALL_SITES
 * the compiler treats it as a call: see "What a probe that is off costs" in <sdt/probe.h>. Its
 * notes on dialects and misuse apply here. The assembler must know `.section …, unique` (binutils
 * 2.35, clang's own).
 *
 * N.B. The compiler may copy a marker (inlining, unrolling, templates); each copy has its entry.
 *
 * N.B. After `ld -r`, all entries of a file that are in no COMDAT group are one section: then
 * --gc-sections keeps the functions of all of them, or of none.
 */
#ifndef SDT_MARKER_H
#define SDT_MARKER_H

#include <sdt/counter.h>
#include <sdt/probe.h>

#if defined(__GNUC__)
#pragma GCC system_header /* for the reasons given in <sdt/probe.h> */
#endif

#define MARKER(name) SDT_MARKER_(name)

/* What follows is internal. */
#if !SDT_HAS_PROBES
#define SDT_MARKER_(name)                                                                          \
    do {                                                                                           \
    } while (0)
#else
/*
 * Each entry has a section of its own (unique) in the code's group (?). A relocation that does
 * nothing leads there from the code, so that garbage collection keeps the entries of live code.
 * The number in the comment keeps compilers from merging two statements. Labels 991 to 994 are
 * local, and may be those of a note as well.
 */
/* clang-format off */
#define SDT_MARKER_ENTRY_(place, length, name)                                                     \
    "\t.pushsection .markers, \"a?\", @progbits, unique, %=\n"                                     \
    "\t.balign 4\n"                                                                                \
    "992:\t.long " place " - .\n"                                                                  \
    "\t.byte " length "\n"                                                                         \
    "\t.asciz \"" name "\"\n"                                                                      \
    "\t.popsection\n"                                                                              \
    "\t.reloc " place ", " SDT_RELOCATION_NONE_ ", 992b"
#if defined(__i386__)
/* The whole site, six bytes: with a note as those of <sdt/note.h>, and nothing to be filled in. */
#define SDT_MARKER_(name)                                                                          \
    SDT_COUNTER_QUIET_                                                                             \
    do {                                                                                           \
        SDT_DIALECT_QUIET_                                                                         \
        SDT_CHECK_NAMES_("marker", #name)                                                          \
        SDT_ASM_(SDT_HAVE_COUNTER_("marker", #name) SDT_NOTE_HEAD_("marker", #name)                \
                 SDT_NOTE_TAIL_                                                                    \
                 "990:\t.byte 0x90, 0x3e, 0x66, 0x0f, 0x1f, 0 /* marker %c0 */\n"                  \
                 "\t.reloc 990b, " SDT_RELOCATION_NONE_ ", _.stapsdt.base\n"                       \
                 SDT_MARKER_ENTRY_("990b", "6", #name)                                             \
                 :                                                                                 \
                 : "i"(__COUNTER__)                                                                \
                 : SDT_MEMORY_);                                                                   \
        SDT_DIALECT_LOUD_                                                                          \
    } while (0) SDT_COUNTER_LOUD_
#else
#define SDT_MARKER_(name)                                                                          \
    SDT_COUNTER_QUIET_                                                                             \
    do {                                                                                           \
        SDT_ASM_("991: /* marker %c0 */\n" SDT_MARKER_ENTRY_("991b", "0", #name)                   \
                 :                                                                                 \
                 : "i"(__COUNTER__));                                                              \
        SDT_PROBE(marker, name);                                                                   \
    } while (0) SDT_COUNTER_LOUD_
#endif
/* clang-format on */
#endif

#endif
