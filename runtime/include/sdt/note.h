/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/note.h> -- a part of <sdt/probe.h>: SDT_STANDALONE, sites that link without sdtlink. Do not
 * include it yourself; all names in it are internal.
 *
 * The asm statement of <sdt/inline.h> names no symbol. Its site is NOPs as they will stay, and it
 * has the note that sdtlink would make: what <sys/sdt.h> of SystemTap compiles, so that every
 * tracer finds the probe in the file, with or without sdtlink.
 *
 *     990: nop                                       the tracers' byte
 *          nopw %cs:0(%rax,%rax)                     x86-64, i386: room for a jump (SDT_KIND_NOP11)
 *
 * The operands are in the note only. The entry in .sdt_args (SDT_ARGS_NOTE) has what a note cannot
 * say: exact types, the spelling, and that nothing jumps between the two NOPs.
 *
 * A note refers to the probe's semaphore by a weak symbol. It is defined where SDT_PROBE_ENABLED is
 * used (<sdt/semaphore.h>); elsewhere the address is 0, and tracers know that there is none.
 */
#ifndef SDT_NOTE_H
#define SDT_NOTE_H

#if !defined(SDT_PROBE_H)
#error "include <sdt/probe.h>"
#endif

#define SDT_INLINE_FORM_ SDT_FORM_("6", "7")

/*
 * Where the base is, and why a relocation that does nothing leads there from each site, is said in
 * <sys/sdt.h> of sdt-compat.
 */
#define SDT_SITE_BYTES_(symbol)                                                                    \
    SDT_NOPS_ "\n\t.reloc 990b, " SDT_RELOCATION_NONE_ ", _.stapsdt.base"
#if defined(__aarch64__) || defined(__riscv)
#define SDT_NOPS_ "\tnop"
#else
#define SDT_NOPS_ "\t.byte 0x90, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0"
#endif

#define SDT_NOTE_SECTION_ "\t.pushsection .note.stapsdt, \"?\", \"note\"\n"
/* clang-format off */
#define SDT_NOTE_HEAD_(provider, name)                                                             \
    "\t.ifndef _.stapsdt.base\n"                                                                   \
    "\t.pushsection .stapsdt.base, \"axG\", \"progbits\", .stapsdt.base, comdat\n"                 \
    "\t.weak _.stapsdt.base\n"                                                                     \
    "\t.hidden _.stapsdt.base\n"                                                                   \
    "_.stapsdt.base:\n"                                                                            \
    "\t.space 1\n"                                                                                 \
    "\t.size _.stapsdt.base, 1\n"                                                                  \
    "\t.popsection\n"                                                                              \
    "\t.endif\n"                                                                                   \
    SDT_MARK_                                                                                      \
    "\t.weak " SDT_COUNTER_(provider, name) "\n"                                                   \
    "\t.hidden " SDT_COUNTER_(provider, name) "\n" SDT_NOTE_SECTION_                               \
    "\t.balign 4\n"                                                                                \
    "\t.long 992f - 991f, 994f - 993f, 3\n"                                                        \
    "991:\t.asciz \"stapsdt\"\n"                                                                   \
    "992:\t.balign 4\n"                                                                            \
    "993:\t" SDT_WORDS_ " 990f, _.stapsdt.base, " SDT_COUNTER_(provider, name) "\n"                \
    "\t.asciz \"" provider "\"\n"                                                                  \
    "\t.asciz \"" name "\"\n"                                                                      \
    "\t.popsection\n"

/* clang leaves the symbol of <sdt/inline.h>'s operand in the object, so it gets a value. */
#if defined(__i386__)
#define SDT_WORDS_ ".4byte"
#define SDT_MARK_
#else
#define SDT_WORDS_ ".8byte"
#define SDT_MARK_                                                                                  \
    "\t.weak __dtrace_sdtmark\n"                                                                   \
    "\t.hidden __dtrace_sdtmark\n"                                                                 \
    "\t.set __dtrace_sdtmark, 0\n"
#endif
/* clang-format on */

/*
 * A blank, except before argument 0; a sign; the size; the place. Of the types (enum sdt_arg_type)
 * integers and durations have a sign.
 */
/* clang-format off */
#define SDT_TELL_(i, type, operand)                                                                \
    SDT_NOTE_SECTION_                                                                              \
    "\t.if " i "\n\t.byte 32\n\t.endif\n"                                                          \
    "\t.fill " SDT_SIGNED_("(" type ")") ", 1, 45\n"                                               \
    "\t.byte 48 + (" type " & 15)\n"                                                               \
    "\t.ascii \"@" operand "\"\n"                                                                  \
    "\t.popsection\n"
#define SDT_SIGNED_(type) /* assemblers differ in what binds closer: parentheses */                \
    "((((" type " >> 4) & ((" type " >> 7) ^ 1)) | "                                               \
    "((" type " >> 7) & ((" type " >> 6) ^ 1) & (" type " >> 3))) & 1)"
/* clang-format on */

#define SDT_NOTE_TAIL_                                                                             \
    SDT_NOTE_SECTION_                                                                              \
    "\t.byte 0\n"                                                                                  \
    "994:\t.balign 4\n"                                                                            \
    "\t.popsection\n"

#define SDT_ASK_(function, symbol, provider, name)                                                 \
    (__extension__({                                                                               \
        SDT_CHECK_NAMES_(provider, name)                                                           \
        __builtin_expect(SDT_COUNTED_(provider, name) != 0, 0);                                    \
    }))

#endif
