/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/assembly.h> -- a part of sdt.h: SDT_PROBE_ASM, a site in assembly. Do not include it
 * yourself. In C it is the text of asm statements, made of what <sdt/note.h> has; in a .S file it
 * is the same as directives.
 */
#ifndef SDT_ASSEMBLY_H
#define SDT_ASSEMBLY_H

#if defined(__ASSEMBLER__)

/* clang-format off */
#if defined(__aarch64__)
#define SDT_NOPS_ nop
#define SDT_NONE_ R_AARCH64_NONE
#elif defined(__riscv)
#define SDT_NOPS_ nop
#define SDT_NONE_ R_RISCV_NONE
#elif defined(__i386__)
#define SDT_NOPS_ .byte 0x90, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
#define SDT_NONE_ R_386_NONE
#define SDT_WORDS_ .4byte
#else
#define SDT_NOPS_ .byte 0x90, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
#define SDT_NONE_ R_X86_64_NONE
#endif
#if !defined(SDT_WORDS_)
#define SDT_WORDS_ .8byte
#endif
#define SDT_PROBE_ASM(provider, name, args) SDT_ASM_SITE_(provider, name, args)
#define SDT_ASM_SITE_(provider, name, args)                                                        \
    .ifndef _.stapsdt.base;                                                                        \
    .pushsection .stapsdt.base, "axG", "progbits", .stapsdt.base, comdat;                          \
    .weak _.stapsdt.base;                                                                          \
    .hidden _.stapsdt.base;                                                                        \
    _.stapsdt.base:;                                                                               \
    .space 1;                                                                                      \
    .size _.stapsdt.base, 1;                                                                       \
    .popsection;                                                                                   \
    .endif;                                                                                        \
    .weak provider##_##name##_semaphore;                                                           \
    .hidden provider##_##name##_semaphore;                                                         \
    .pushsection .note.stapsdt, "?", "note";                                                       \
    .balign 4;                                                                                     \
    .long 992f - 991f, 994f - 993f, 3;                                                             \
    991: .asciz "stapsdt";                                                                         \
    992: .balign 4;                                                                                \
    993: SDT_WORDS_ 990f, _.stapsdt.base, provider##_##name##_semaphore;                           \
    .asciz #provider;                                                                              \
    .asciz #name;                                                                                  \
    .asciz args;                                                                                   \
    994: .balign 4;                                                                                \
    .popsection;                                                                                   \
    990: SDT_NOPS_;                                                                                \
    .reloc 990b, SDT_NONE_, _.stapsdt.base
/* clang-format on */

#elif defined(SDT_STANDALONE)

#define SDT_PROBE_ASM(provider, name, args) SDT_ASM_SITE_(#provider, #name, args)
#define SDT_ASM_SITE_(provider, name, args)                                                        \
    SDT_NOTE_HEAD_(provider, name)                                                                 \
    SDT_NOTE_SECTION_ "\t.asciz \"" args "\"\n"                                                    \
                      "994:\t.balign 4\n"                                                          \
                      "\t.popsection\n"                                                            \
                      "990:\n" SDT_SITE_BYTES_() "\n"

#endif

#endif
