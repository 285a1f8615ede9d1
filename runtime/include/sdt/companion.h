/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/companion.h> -- what the C file is made of that `sdtlink --companion --freestanding` writes.
 *
 * A kernel whose objects must stay as they are has calls of undefined functions as probes, such as
 *
 *     void __dtrace_sdt_vfs___open(const char *path, int flags);
 *
 * The kernel is linked partially, sdtlink reads the relocations of these calls, and writes a file
 * in C: the functions, and where they are called. It is compiled and linked with the rest, and the
 * freestanding runtime (<sdt/kernel.h>) makes NOPs of the calls in sdt_add(), one byte each. Before
 * that, they call functions that do nothing. The file looks like this:
 *
 *     #include <sdt/companion.h>
 *
 *     SDT_COMPANION_PROBE(vfs___open)
 *     SDT_COMPANION_STUB(vfs___open, __dtrace_sdt_vfs___open)
 *     SDT_COMPANION_SITE(vfs___open, __dtrace_sdt_vfs___open, do_open + 0x2c,
 *                        "vfs:open", "open_file", 6, 0x4021, "", "", 0)
 *
 * The last says: 44 bytes after the global symbol do_open, in a function open_file, is a call of
 * that function. A place is counted from a symbol of the same section of text as the call; so it is
 * right wherever the linker puts that section, as long as the linker changes nothing in it. The
 * runtime looks at each call before it writes; one that is elsewhere stays a call of a function
 * that does nothing, and the kernel is told its name.
 *
 * x86-64 only. The stub, and the fields of a record: <sdt/format.h>.
 */
#ifndef SDT_COMPANION_H_
#define SDT_COMPANION_H_

#if !defined(__x86_64__)
#error "sdt/companion.h: companions in C are for x86-64: use --companion -o FILE.o"
#endif

/* The two words of a probe, by which its hits find what is enabled. */
#define SDT_COMPANION_PROBE(probe)                                                                 \
    __asm__(".pushsection .bss,\"aw\",@nobits\n\t"                                                 \
            ".balign 16\n\t"                                                                       \
            ".type __sdt_called_" #probe ",@object\n\t"                                            \
            ".size __sdt_called_" #probe ",16\n"                                                   \
            "__sdt_called_" #probe ":\n\t"                                                         \
            ".skip 16\n\t"                                                                         \
            ".popsection");

/* FUNCTION, which the calls name: it tells the runtime the probe and the site, in registers that a
 * call may change. */
#define SDT_COMPANION_STUB(probe, function)                                                        \
    __asm__(".pushsection .text.sdt_stub,\"ax\",@progbits\n\t"                                     \
            ".balign 32\n\t"                                                                       \
            ".globl " #function "\n\t"                                                             \
            ".hidden " #function "\n\t"                                                            \
            ".type " #function ",@function\n" #function ":\n\t"                                    \
            "movq (%rsp), %r11\n\t"                                                                \
            "subq $5, %r11\n\t"                                                                    \
            "leaq __sdt_called_" #probe "(%rip), %r10\n\t"                                         \
            "jmp __sdt_enter_call\n\t"                                                             \
            ".size " #function ", . - " #function "\n\t"                                           \
            ".balign 32, 0xcc\n\t"                                                                 \
            ".popsection");

/* A record of the set. */
#define SDT_COMPANION_SITE(probe, stub, place, name, function, nargs, flags, args, file, line)     \
    __asm__(".pushsection .rodata.sdt_str,\"a\",@progbits\n"                                       \
            "881: .asciz " #name "\n"                                                              \
            "882: .asciz " #function "\n"                                                          \
            "883: .asciz " #args "\n"                                                              \
            "884: .asciz " #file "\n\t"                                                            \
            ".popsection\n\t"                                                                      \
            ".pushsection sdt_sites,\"a\",@progbits\n\t"                                           \
            ".balign 4\n\t"                                                                        \
            ".long " #place " - .\n\t"                                                             \
            ".long __sdt_called_" #probe " - .\n\t"                                                \
            ".long " #stub " - .\n\t"                                                              \
            ".long 881b - .\n\t"                                                                   \
            ".long 882b - .\n\t"                                                                   \
            ".long 0\n\t"                                                                          \
            ".long 883b - .\n\t"                                                                   \
            ".long 884b - .\n\t"                                                                   \
            ".long " #line "\n\t"                                                                  \
            ".byte 13, " #nargs "\n\t" /* SDT_KIND_DIRECT_CALL */                                  \
            ".short " #flags "\n\t"                                                                \
            ".popsection");

#endif
