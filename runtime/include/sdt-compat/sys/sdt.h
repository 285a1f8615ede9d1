/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sys/sdt.h> -- SystemTap's interface for static probes, for programs that use it already.
 *
 *     #include <sys/sdt.h>                          cc -I PREFIX/include/sdt-compat -c app.c
 *
 *     STAP_PROBE2(app, request__start, id, path);
 *
 * leaves one NOP in the code and one note in the file, which gdb, perf, bpftrace, bcc, libbpf and
 * SystemTap read. Nothing else is needed: no library, no tool. An object that goes through sdtlink
 * gains sdt_enable() of <sdt/runtime.h>, by a breakpoint, which is all that one byte has room for:
 * new programs that want to enable probes from inside are better served by <sdt/probe.h>.
 *
 * In C and C++, as statements:
 *
 *   STAP_PROBE(provider, name)
 *   STAP_PROBE1(provider, name, arg) ... STAP_PROBE12(provider, name, arg...)
 *   DTRACE_PROBE, DTRACE_PROBE1 ... DTRACE_PROBE12          the same by their DTrace names
 *   STAP_PROBEV(provider, name[, arg...])                   counts its arguments; only there if
 *                                                           SDT_USE_VARIADIC is defined
 *
 *   provider, name  Identifiers, also macros that expand to one. `__` in a name is kept.
 *   arg             Any value of 1, 2, 4 or 8 bytes: integers, char, bool, enums, bit-fields,
 *                   pointers, arrays and functions (which decay), float and double. The note says
 *                   where the value is, its size and whether it is signed or floating point: it is
 *                   neither converted nor moved if that can be avoided. Evaluated once. Other sizes
 *                   (__int128, long double, larger structs) do not compile: no consumer reads them,
 *                   and perf drops every probe of a file that has one.
 *
 * In an asm statement of your own, between its instructions:
 *
 *   asm("..." STAP_PROBE_ASM(provider, name, %eax 4@8(%rsi)) "...");
 *       The arguments are assembler operands as they will be in the note, separated by a blank. In
 *       an asm statement that has operands, write %%eax, or %0 and %[name] for operands. Put the
 *       size before each (1, 2, 4 or 8, negative if signed, and @): libbpf insists on it.
 *
 *   asm("..." STAP_PROBE_ASM(provider, name, STAP_PROBE_ASM_TEMPLATE(2)) "..."
 *       : outputs : inputs, STAP_PROBE_ASM_OPERANDS(2, arg, arg));
 *       The arguments are C expressions, as in STAP_PROBE2.
 *
 * In an assembler file (.S): the macros STAP_PROBE ... STAP_PROBE12 and their DTRACE_ twins, with
 * assembler operands as arguments: STAP_PROBE2(app, request__done, -4@%eax, 8@16(%rsp)).
 *
 * Define before the first #include, or on the command line:
 *
 *   _SDT_HAS_SEMAPHORES      Each probe has a counter of the tracers attached to it, so that a
 *                            program can skip the work for arguments that are not read. Every probe
 *                            of the file then needs one, which the program defines once, as `dtrace
 *                            -G` does:
 *
 *                                unsigned short app_request__start_semaphore
 *                                    __attribute__((section(".probes"), visibility("hidden")));
 *
 *                            and declares, extern, wherever the probe is used.
 *   STAP_SDT_ARG_CONSTRAINT  Where the compiler may leave an argument, as letters without quotes.
 *                            n: a constant stays one; r: register; o: memory, as it is. The
 *                            default is nor, with clang nr (see below).
 *   SDT_USE_VARIADIC         Defines STAP_PROBEV; it may also be defined later, before including
 *                            this file again.
 *
 * Other macros that programs test: _SDT_NOTE_NAME "stapsdt" and _SDT_NOTE_TYPE 3, the name and type
 * of the ELF notes.
 *
 * N.B. gcc describes a global variable as `name(%rip)`, and a[i] with its index register, because
 * that costs nothing; but libbpf and bcc do not understand the former, and only recent versions of
 * libbpf the latter. With -DSTAP_SDT_ARG_CONSTRAINT=nr such arguments are loaded first. libbpf and
 * gdb do not understand floating-point arguments.
 *
 * N.B. What a pointer argument points to is in memory at the site, as with a call. In an asm
 * statement of your own, add "memory" to its clobbers.
 *
 * N.B. A function that the linker drops (--gc-sections) leaves its notes in the file, with lld and
 * mold at address 0; GNU ld keeps the function, and gold refuses to link. This is so with every
 * <sys/sdt.h>: notes that go with their code could not be joined with others by `ld -r`. `strip`
 * keeps notes; `llvm-strip --strip-all` deletes them. With _SDT_HAS_SEMAPHORES, .probes begins a
 * page, which may cost a file up to 8 KiB.
 *
 * N.B. All dialects of C and C++ that gcc 12 and clang 14 have, without a warning of -Wpedantic and
 * its kind (in C89, clang warns about the length of a string that contains a STAP_PROBE_ASM).
 * Probes in inline functions and templates belong to the function's COMDAT group. Expressions that
 * may not stand in sizeof, such as a lambda before C++20, cannot be arguments.
 */
#if !defined(_SYS_SDT_H)

/*
 * Why a system header. It is found by -I, where compilers complain about extensions, and some
 * projects compile with -Werror=undef. A user's argument keeps its own warnings.
 */
#pragma GCC system_header
#define _SYS_SDT_H 1

/* What follows is internal. Names begin with _SDT_, by the custom of this interface. */

#define _SDT_NOTE_NAME "stapsdt"
#define _SDT_NOTE_TYPE 3

#if defined(_SDT_HAS_SEMAPHORES)
#define _SDT_SEMAPHORE(provider, name) provider##_##name##_semaphore
#define _SDT_PAGE _SDT_PAGE_OF_SEMAPHORES
#else
#define _SDT_SEMAPHORE(provider, name) 0
#define _SDT_PAGE
#endif

#define _SDT_TEXT(...) _SDT_TEXT_1(__VA_ARGS__)
#define _SDT_TEXT_1(...) #__VA_ARGS__

/* The 15th argument: with 2 to 14 before a list of macros, one for each number of arguments. */
#define _SDT_PICK(x, y, a, b, c, d, e, f, g, h, i, j, k, l, macro, ...) macro

/*
 * The site is the shortest NOP: a tracer replaces one byte, so no thread can be stopped inside it,
 * and Linux does not turn it into a call, as it does with a NOP of five bytes: that call overwrites
 * what a leaf function keeps below its stack pointer.
 *
 * Each note holds the address of _.stapsdt.base. Consumers compare it with that of the section
 * .stapsdt.base: the difference is how far prelink moved the file, and gdb shows no probe where the
 * section is missing. It is in the text segment (x), because perf computes a site's place in the
 * file from this section's, and lld and mold place read-only data at another distance. No code uses
 * it, so gold, lld and mold would drop it under --gc-sections. Hence a relocation at each site that
 * does nothing but refer to it (R_*_NONE): it is kept exactly if a probe is.
 *
 * Semaphores must not share a page of the file with data that is made read-only after relocation:
 * the kernel counts in the first mapping that covers the semaphore's place in the file, and with
 * lld and mold that may be such a page, which the program never reads. Hence a piece of .probes
 * that is empty but begins a page, kept in the same way.
 *
 * All that is written down twice, as lines of an assembler file and as strings of an asm statement
 * (where no macro of the user can change the words): the same lines, in the same order. The flag ?
 * makes the note a member of the COMDAT group of the code it describes. The note ends with the NUL
 * of the arguments; the rest is padding.
 */
/* clang-format off */
#if defined(__ASSEMBLER__)

#if defined(__LP64__)
#define _SDT_ADDRESS .8byte
#else
#define _SDT_ADDRESS .4byte
#endif
#if defined(__ia64__) || defined(__s390__) || defined(__s390x__)
#define _SDT_NOP nop 0
#else
#define _SDT_NOP nop
#endif
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
#define _SDT_KEEP(symbol) .reloc 990b, BFD_RELOC_NONE, symbol
#else
#define _SDT_KEEP(symbol)
#endif

#define _SDT_PROBE(provider, name, count, args)                                                    \
    990: _SDT_NOP;                                                                                 \
    _SDT_KEEP(_.stapsdt.base);                                                                     \
    .pushsection .note.stapsdt, "?", "note";                                                       \
    .balign 4;                                                                                     \
    .4byte 992f - 991f, 994f - 993f, _SDT_NOTE_TYPE;                                               \
    991: .asciz _SDT_NOTE_NAME;                                                                    \
    992: .balign 4;                                                                                \
    993: _SDT_ADDRESS 990b, _.stapsdt.base, _SDT_SEMAPHORE(provider, name);                        \
    .asciz _SDT_TEXT(provider);                                                                    \
    .asciz _SDT_TEXT(name);                                                                        \
    .ascii _SDT_TEXT(_SDT_JOIN_##count args);                                                      \
    .byte 0;                                                                                       \
    994: .balign 4;                                                                                \
    .popsection;                                                                                   \
    .ifndef _.stapsdt.base;                                                                        \
    .pushsection .stapsdt.base, "axG", "progbits", .stapsdt.base, comdat;                          \
    .weak _.stapsdt.base;                                                                          \
    .hidden _.stapsdt.base;                                                                        \
    _.stapsdt.base: .space 1;                                                                      \
    .size _.stapsdt.base, 1;                                                                       \
    .popsection;                                                                                   \
    .endif;                                                                                        \
    _SDT_PAGE
#define _SDT_PAGE_OF_SEMAPHORES                                                                    \
    _SDT_KEEP(_.stapsdt.probes);                                                                   \
    .ifndef _.stapsdt.probes;                                                                      \
    .pushsection .probes, "awG", "progbits", .stapsdt.probes, comdat;                              \
    .weak _.stapsdt.probes;                                                                        \
    .hidden _.stapsdt.probes;                                                                      \
    .balign 4096;                                                                                  \
    _.stapsdt.probes:;                                                                             \
    .popsection;                                                                                   \
    .endif

#define _SDT_JOIN_0()
#define _SDT_JOIN_1(a) a
#define _SDT_JOIN_2(a, b) a b
#define _SDT_JOIN_3(a, b, c) a b c
#define _SDT_JOIN_4(a, b, c, d) a b c d
#define _SDT_JOIN_5(a, b, c, d, e) a b c d e
#define _SDT_JOIN_6(a, b, c, d, e, f) a b c d e f
#define _SDT_JOIN_7(a, b, c, d, e, f, g) a b c d e f g
#define _SDT_JOIN_8(a, b, c, d, e, f, g, h) a b c d e f g h
#define _SDT_JOIN_9(a, b, c, d, e, f, g, h, i) a b c d e f g h i
#define _SDT_JOIN_10(a, b, c, d, e, f, g, h, i, j) a b c d e f g h i j
#define _SDT_JOIN_11(a, b, c, d, e, f, g, h, i, j, k) a b c d e f g h i j k
#define _SDT_JOIN_12(a, b, c, d, e, f, g, h, i, j, k, l) a b c d e f g h i j k l
#else

#if defined(__LP64__)
#define _SDT_ADDRESS ".8byte"
#else
#define _SDT_ADDRESS ".4byte"
#endif
#if defined(__ia64__) || defined(__s390__) || defined(__s390x__)
#define _SDT_NOP "nop 0"
#else
#define _SDT_NOP "nop"
#endif
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
#define _SDT_KEEP(symbol) ".reloc 990b, BFD_RELOC_NONE, " symbol "\n"
#else
#define _SDT_KEEP(symbol)
#endif

/* The "," of its own is what libstdc++'s configure script looks for in preprocessed code. */
#define _SDT_SITE(provider, name, args)                                                            \
    "990: " _SDT_NOP "\n"                                                                          \
    _SDT_KEEP("_.stapsdt.base")                                                                    \
    ".pushsection .note.stapsdt" "," "\"?\", \"note\"\n"                                           \
    ".balign 4\n"                                                                                  \
    ".4byte 992f-991f, 994f-993f, " _SDT_TEXT(_SDT_NOTE_TYPE) "\n"                                 \
    "991: .asciz " _SDT_TEXT(_SDT_NOTE_NAME) "\n"                                                  \
    "992: .balign 4\n"                                                                             \
    "993: " _SDT_ADDRESS " 990b, _.stapsdt.base, " _SDT_TEXT(_SDT_SEMAPHORE(provider, name)) "\n"  \
    ".asciz " _SDT_TEXT(_SDT_TEXT(provider)) "\n"                                                  \
    ".asciz " _SDT_TEXT(_SDT_TEXT(name)) "\n"                                                      \
    args                                                                                           \
    ".byte 0\n"                                                                                    \
    "994: .balign 4\n"                                                                             \
    ".popsection\n"                                                                                \
    ".ifndef _.stapsdt.base\n"                                                                     \
    ".pushsection .stapsdt.base, \"axG\", \"progbits\", .stapsdt.base, comdat\n"                   \
    ".weak _.stapsdt.base\n"                                                                       \
    ".hidden _.stapsdt.base\n"                                                                     \
    "_.stapsdt.base: .space 1\n"                                                                   \
    ".size _.stapsdt.base, 1\n"                                                                    \
    ".popsection\n"                                                                                \
    ".endif\n"                                                                                     \
    _SDT_PAGE
#define _SDT_PAGE_OF_SEMAPHORES                                                                    \
    _SDT_KEEP("_.stapsdt.probes")                                                                  \
    ".ifndef _.stapsdt.probes\n"                                                                   \
    ".pushsection .probes, \"awG\", \"progbits\", .stapsdt.probes, comdat\n"                       \
    ".weak _.stapsdt.probes\n"                                                                     \
    ".hidden _.stapsdt.probes\n"                                                                   \
    ".balign 4096\n"                                                                               \
    "_.stapsdt.probes:\n"                                                                          \
    ".popsection\n"                                                                                \
    ".endif\n"
/* clang-format on */

/*
 * The clobber: what a pointer argument points to must be in memory at the site. Without it, gcc
 * deletes a store to a local buffer that only the probe gets.
 */
#define _SDT_PROBE(provider, name, count, args)                                                    \
    do {                                                                                           \
        _SDT_USE(provider, name);                                                                  \
        _SDT_QUIET                                                                                 \
        _SDT_ASM(_SDT_SITE(provider, name, _SDT_FORMATS_##count)                                   \
                 :                                                                                 \
                 : _SDT_OPERANDS_##count args                                                      \
                 : "memory");                                                                      \
        _SDT_LOUD                                                                                  \
    } while (0)

/* clang also limits the strings of asm statements (509 characters in C89, 4095 later). */
#if defined(__clang__) && !defined(__cplusplus)
#define _SDT_QUIET                                                                                 \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Woverlength-strings\"")
#define _SDT_LOUD _Pragma("clang diagnostic pop")
#else
#define _SDT_QUIET
#define _SDT_LOUD
#endif

/* `inline`: gcc takes each line for an instruction, and would not inline the function around it. */
#if defined(__clang__) ? __clang_major__ >= 11 : __GNUC__ >= 9
#define _SDT_ASM __asm__ __volatile__ __inline__
#else
#define _SDT_ASM __asm__ __volatile__
#endif

/* The note names the semaphore only in text, unseen by the optimiser: this keeps it alive. */
#if defined(_SDT_HAS_SEMAPHORES)
#define _SDT_USE(provider, name) __asm__ __volatile__("" : : "m"(provider##_##name##_semaphore))
#else
#define _SDT_USE(provider, name) (void)0
#endif

/*
 * An argument is two operands of the asm statement: _SDT_An, the value, which the compiler replaces
 * by its place, and _SDT_Sn, what the note says before it, `4`, `-4` or `4f`, as a number: the
 * characters, and + 0x10000 for each.
 */
#define _SDT_OPERAND(n, x)                                                                         \
    [_SDT_S##n] "n"(_SDT_CODE(x)), [_SDT_A##n] _SDT_TEXT(STAP_SDT_ARG_CONSTRAINT)((x))

/*
 * If clang may use memory, it always does, and stores every argument first (or, on some machines,
 * crashes). So it gets only registers, where twelve are available.
 */
#if !defined(STAP_SDT_ARG_CONSTRAINT)
#if defined(__ia64__) || (defined(__clang__) && defined(__LP64__))
#define STAP_SDT_ARG_CONSTRAINT nr
#elif defined(__powerpc__)
#define STAP_SDT_ARG_CONSTRAINT nZr
#elif defined(__arm__)
#define STAP_SDT_ARG_CONSTRAINT g
#elif defined(__loongarch__)
#define STAP_SDT_ARG_CONSTRAINT nmr
#else
#define STAP_SDT_ARG_CONSTRAINT nor
#endif
#endif

/*
 * How the note says it: `-4@%rax 8f@-8(%rbp)`. General registers have their 64-bit names, since the
 * size is in front and some consumers do not know every short name. Other registers have their own
 * names.
 *
 * gcc's %q does that. clang's is an error for any other register (register int v asm("xmm0"),
 * STAP_SDT_ARG_CONSTRAINT=x), so clang writes the operand's own name and the assembler translates:
 * _sdt_named finds it in the list for its size, and takes the 64-bit name at the same place.
 */
/* clang-format off */
#define _SDT_PREFIXED(n) ".fill 1, " _SDT_NUMBER(n) " >> 16, " _SDT_NUMBER(n) " & 0xffff\n"
#if defined(__riscv) && !defined(__clang__)
#define _SDT_NUMBER(n) "-(%n[_SDT_S" n "])" /* gcc has no %c there */
#else
#define _SDT_NUMBER(n) "%c[_SDT_S" n "]"
#endif
#define _SDT_FORMAT(n) _SDT_FORMAT_1(#n)
#if defined(__clang__) && (defined(__x86_64__) || defined(__i386__))
#define _SDT_FORMAT_1(n)                                                                           \
    _SDT_EITHER("_sdt_named %c[_SDT_S" n "], \"%[_SDT_A" n "]\"", n, "%[_SDT_A" n "]")
#elif defined(__x86_64__) || defined(__i386__)
#define _SDT_FORMAT_1(n)                                                                           \
    _SDT_EITHER(_SDT_PREFIXED(n) ".ascii \"@" _SDT_WHOLE(n) "\"", n, _SDT_WHOLE(n))
#elif defined(__powerpc__)
#define _SDT_FORMAT_1(n) _SDT_PREFIXED(n) ".ascii \"@%I[_SDT_A" n "]%[_SDT_A" n "]\"\n"
#else
#define _SDT_FORMAT_1(n) _SDT_PREFIXED(n) ".ascii \"@%[_SDT_A" n "]\"\n"
#endif

#if defined(__x86_64__)
#define _SDT_WHOLE(n) "%q[_SDT_A" n "]"
#define _SDT_WIDE "rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15"
#else
#define _SDT_WHOLE(n) "%k[_SDT_A" n "]"
#define _SDT_WIDE "eax, ebx, ecx, edx, esi, edi, ebp, esp"
#endif
#define _SDT_NAMED                                                                                 \
    ".ifndef .L_sdt_found\n.set .L_sdt_found, 0\n"                                                 \
    ".macro _sdt_find name list:vararg\n.set .L_sdt_at, 0\n"                                       \
    ".irp each, \\list\n"                                                                          \
    ".ifeqs \"\\name\", \"%%\\each\"\n.set .L_sdt_found, .L_sdt_at\n.endif\n"                      \
    ".set .L_sdt_at, .L_sdt_at + 1\n"                                                              \
    ".endr\n.endm\n"                                                                               \
    ".macro _sdt_named prefix name\n"                                                              \
    ".fill 1, \\prefix >> 16, \\prefix & 0xffff\n.byte 64\n.set .L_sdt_found, -1\n"                \
    ".set .L_sdt_size, \\prefix & 0xff\n"                                                          \
    ".if .L_sdt_size == 45\n.set .L_sdt_size, (\\prefix >> 8) & 0xff\n.endif\n"                    \
    ".if .L_sdt_size == 49\n_sdt_find \"\\name\", al, bl, cl, dl, sil, dil, bpl, spl, "            \
    "r8b, r9b, r10b, r11b, r12b, r13b, r14b, r15b\n.endif\n"                                       \
    ".if .L_sdt_size == 50\n_sdt_find \"\\name\", ax, bx, cx, dx, si, di, bp, sp, "                \
    "r8w, r9w, r10w, r11w, r12w, r13w, r14w, r15w\n.endif\n"                                       \
    ".if .L_sdt_size == 52\n_sdt_find \"\\name\", eax, ebx, ecx, edx, esi, edi, ebp, esp, "        \
    "r8d, r9d, r10d, r11d, r12d, r13d, r14d, r15d\n.endif\n"                                       \
    ".if .L_sdt_found < 0\n.ascii \"\\name\"\n.else\n"                                             \
    ".irp each, " _SDT_WIDE "\n"                                                                   \
    ".ifeq .L_sdt_found\n.ascii \"%%\\each\"\n.endif\n"                                            \
    ".set .L_sdt_found, .L_sdt_found - 1\n"                                                        \
    ".endr\n.endif\n.endm\n.endif\n"

/*
 * With -masm=intel the compiler writes `rax`, `-4` and `QWORD PTR -4[rbp+rax*8]` for %rax, $-4 and
 * -4(%rbp,%rax,8), in the notes as well, where no consumer understands it. Compilers then use the
 * second part of {|}, in which the assembler translates, one character at a time. An operand with
 * one of the letters abcdersx is a register.
 */
#if defined(__x86_64__) || defined(__i386__)
#define _SDT_EITHER(att, n, place)                                                                 \
    "{" att "|.set .L_sdt_prefix, %c[_SDT_S" n "]\n_sdt_place " place "}\n"
#if defined(__clang__)
#define _SDT_DIALECT _SDT_NAMED "{|" _SDT_INTEL "}"
#else
#define _SDT_DIALECT "{|" _SDT_NAMED _SDT_INTEL "}"
#endif
#define _SDT_INTEL                                                                                 \
    ".ifndef .L_sdt_place\n.set .L_sdt_place, 0\n"                                                 \
    ".macro _sdt_place x y z\n"                                                                    \
    ".ifb \\z\n.set .L_sdt_sigil, 36\n"                                                            \
    ".irpc c, \"\\x\"\n"                                                                           \
    ".ifc \\c, a\n.set .L_sdt_sigil, 37\n.endif\n.ifc \\c, b\n.set .L_sdt_sigil, 37\n.endif\n"     \
    ".ifc \\c, c\n.set .L_sdt_sigil, 37\n.endif\n.ifc \\c, d\n.set .L_sdt_sigil, 37\n.endif\n"     \
    ".ifc \\c, e\n.set .L_sdt_sigil, 37\n.endif\n.ifc \\c, r\n.set .L_sdt_sigil, 37\n.endif\n"     \
    ".ifc \\c, s\n.set .L_sdt_sigil, 37\n.endif\n.ifc \\c, x\n.set .L_sdt_sigil, 37\n.endif\n"     \
    ".endr\n"                                                                                      \
    ".if .L_sdt_sigil == 37\n_sdt_named .L_sdt_prefix, \"%%\\x\"\n"                                \
    ".else\n.fill 1, .L_sdt_prefix >> 16, .L_sdt_prefix & 0xffff\n"                                \
    ".byte 64, 36\n.ascii \"\\x\"\n.endif\n"                                                       \
    ".else\n.fill 1, .L_sdt_prefix >> 16, .L_sdt_prefix & 0xffff\n.byte 64\n"                      \
    ".irpc c, \"\\z\"\n"                                                                           \
    ".ifc \\c, [\n.ascii \"(%%\"\n.else\n"                                                         \
    ".ifc \\c, ]\n.ascii \")\"\n.else\n"                                                           \
    ".ifc \\c, +\n.ascii \",%%\"\n.else\n"                                                         \
    ".ifc \\c, *\n.ascii \",\"\n.else\n"                                                           \
    ".ascii \"\\c\"\n"                                                                             \
    ".endif\n.endif\n.endif\n.endif\n"                                                             \
    ".endr\n.endif\n.endm\n.endif\n"
#else
#define _SDT_DIALECT
#endif
/* clang-format on */

#define _SDT_FORMATS_0 ""
#define _SDT_FORMATS_1 _SDT_DIALECT _SDT_FORMAT(1)
#define _SDT_FORMATS_2 _SDT_FORMATS_1 ".ascii \" \"\n" _SDT_FORMAT(2)
#define _SDT_FORMATS_3 _SDT_FORMATS_2 ".ascii \" \"\n" _SDT_FORMAT(3)
#define _SDT_FORMATS_4 _SDT_FORMATS_3 ".ascii \" \"\n" _SDT_FORMAT(4)
#define _SDT_FORMATS_5 _SDT_FORMATS_4 ".ascii \" \"\n" _SDT_FORMAT(5)
#define _SDT_FORMATS_6 _SDT_FORMATS_5 ".ascii \" \"\n" _SDT_FORMAT(6)
#define _SDT_FORMATS_7 _SDT_FORMATS_6 ".ascii \" \"\n" _SDT_FORMAT(7)
#define _SDT_FORMATS_8 _SDT_FORMATS_7 ".ascii \" \"\n" _SDT_FORMAT(8)
#define _SDT_FORMATS_9 _SDT_FORMATS_8 ".ascii \" \"\n" _SDT_FORMAT(9)
#define _SDT_FORMATS_10 _SDT_FORMATS_9 ".ascii \" \"\n" _SDT_FORMAT(10)
#define _SDT_FORMATS_11 _SDT_FORMATS_10 ".ascii \" \"\n" _SDT_FORMAT(11)
#define _SDT_FORMATS_12 _SDT_FORMATS_11 ".ascii \" \"\n" _SDT_FORMAT(12)

#define _SDT_OPERANDS_0() [_SDT_S0] "n"(0)
#define _SDT_OPERANDS_1(a) _SDT_OPERAND(1, a)
#define _SDT_OPERANDS_2(a, b) _SDT_OPERANDS_1(a), _SDT_OPERAND(2, b)
#define _SDT_OPERANDS_3(a, b, c) _SDT_OPERANDS_2(a, b), _SDT_OPERAND(3, c)
#define _SDT_OPERANDS_4(a, b, c, d) _SDT_OPERANDS_3(a, b, c), _SDT_OPERAND(4, d)
#define _SDT_OPERANDS_5(a, b, c, d, e) _SDT_OPERANDS_4(a, b, c, d), _SDT_OPERAND(5, e)
#define _SDT_OPERANDS_6(a, b, c, d, e, f) _SDT_OPERANDS_5(a, b, c, d, e), _SDT_OPERAND(6, f)
#define _SDT_OPERANDS_7(a, b, c, d, e, f, g) _SDT_OPERANDS_6(a, b, c, d, e, f), _SDT_OPERAND(7, g)
#define _SDT_OPERANDS_8(a, b, c, d, e, f, g, h)                                                    \
    _SDT_OPERANDS_7(a, b, c, d, e, f, g), _SDT_OPERAND(8, h)
#define _SDT_OPERANDS_9(a, b, c, d, e, f, g, h, i)                                                 \
    _SDT_OPERANDS_8(a, b, c, d, e, f, g, h), _SDT_OPERAND(9, i)
#define _SDT_OPERANDS_10(a, b, c, d, e, f, g, h, i, j)                                             \
    _SDT_OPERANDS_9(a, b, c, d, e, f, g, h, i), _SDT_OPERAND(10, j)
#define _SDT_OPERANDS_11(a, b, c, d, e, f, g, h, i, j, k)                                          \
    _SDT_OPERANDS_10(a, b, c, d, e, f, g, h, i, j), _SDT_OPERAND(11, k)
#define _SDT_OPERANDS_12(a, b, c, d, e, f, g, h, i, j, k, l)                                       \
    _SDT_OPERANDS_11(a, b, c, d, e, f, g, h, i, j, k), _SDT_OPERAND(12, l)

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define _SDT_PAIR(first, second) (0x20000 + ((first) << 8) + (second))
#else
#define _SDT_PAIR(first, second) (0x20000 + (first) + ((second) << 8))
#endif
#define _SDT_PREFIX(size, is_signed, is_float)                                                     \
    ((is_float)    ? _SDT_PAIR('0' + (size), 'f')                                                  \
     : (is_signed) ? _SDT_PAIR('-', '0' + (size))                                                  \
                   : 0x10000 + '0' + (size))

#if !defined(__cplusplus)

/*
 * The type of a value, in C. A statement expression gives x the type that the asm statement gets:
 * an array or a function decays, a bit-field has the type that the compiler computes with, and
 * nothing else is promoted.
 */
#define _SDT_CODE(x)                                                                               \
    (_SDT_PREFIX(_SDT_SIZE(x), _SDT_IS_SIGNED(x), __builtin_classify_type(x) == 8) +               \
     0 * (int)_SDT_CHECK(x))
#define _SDT_VALUE(x) __extension__({ (x); })
#define _SDT_SIZE(x) (int)sizeof(_SDT_VALUE(x))
#define _SDT_IS_SIGNED(x) ((_SDT_INTEGER(x))(-1) < (_SDT_INTEGER(x))1)
#define _SDT_INTEGER(x) __typeof__(_SDT_VALUE(__builtin_choose_expr(_SDT_IS_INTEGER(x), (x), 0u)))
#define _SDT_IS_INTEGER(x) (__builtin_classify_type(x) >= 1 && __builtin_classify_type(x) <= 4)
#define _SDT_CHECK(x)                                                                              \
    sizeof(struct {                                                                                \
        int SDT_an_argument_must_have_1_2_4_or_8_bytes : _SDT_IS_SIZE(_SDT_SIZE(x)) ? 32 : -1;     \
    })
#define _SDT_IS_SIZE(size) ((size) == 1 || (size) == 2 || (size) == 4 || (size) == 8)

#else

/* The type of a value, in C++: the same number, as the size of an undefined function's result. */
#define _SDT_CODE(x) sizeof(::sdt_compat_::code_of(x))

extern "C++" {
namespace sdt_compat_
{
template <unsigned Size> struct SDT_an_argument_must_have_1_2_4_or_8_bytes;
template <> struct SDT_an_argument_must_have_1_2_4_or_8_bytes<1> {
};
template <> struct SDT_an_argument_must_have_1_2_4_or_8_bytes<2> {
};
template <> struct SDT_an_argument_must_have_1_2_4_or_8_bytes<4> {
};
template <> struct SDT_an_argument_must_have_1_2_4_or_8_bytes<8> {
};

template <bool Signed, bool Float> struct kind {
    enum { is_signed = Signed, is_float = Float };
};
template <typename T> struct integer : kind<(T(-1) < T(1)), false> {
};
template <typename T, bool IsEnum = __is_enum(T)> struct type : kind<false, false> {
};
template <typename T> struct type<T, true> : integer<__underlying_type(T)> {
};
template <> struct type<char, false> : integer<char> {
};
template <> struct type<wchar_t, false> : integer<wchar_t> {
};
template <> struct type<signed char, false> : kind<true, false> {
};
template <> struct type<short, false> : kind<true, false> {
};
template <> struct type<int, false> : kind<true, false> {
};
template <> struct type<long, false> : kind<true, false> {
};
template <> struct type<long long, false> : kind<true, false> {
};
template <> struct type<float, false> : kind<false, true> {
};
template <> struct type<double, false> : kind<false, true> {
};

template <typename T> struct code : SDT_an_argument_must_have_1_2_4_or_8_bytes<sizeof(T)> {
    char bytes[_SDT_PREFIX(sizeof(T), type<T>::is_signed, type<T>::is_float)];
};
/* By value: bit-fields are accepted, arrays and functions decay. */
template <typename T> code<T> code_of(T);
} // namespace sdt_compat_
}

#endif

/*
 * For users' own asm statements. A template is two arguments, which distinguishes it from operands
 * that a user wrote. No macro argument is ever empty, since pedantic compilers forbid that.
 */
#define STAP_PROBE_ASM(...)                                                                        \
    _SDT_PICK(__VA_ARGS__, ~, ~, ~, ~, ~, ~, ~, ~, ~, ~, _SDT_ASM_TEMPLATE, _SDT_ASM_TEXT,         \
              _SDT_ASM_NONE, ~)                                                                    \
    (__VA_ARGS__)
#define _SDT_ASM_NONE(provider, name) _SDT_SITE(provider, name, "")
#define _SDT_ASM_TEXT(provider, name, args)                                                        \
    _SDT_SITE(provider, name, ".ascii " _SDT_TEXT(_SDT_TEXT(args)) "\n")
#define _SDT_ASM_TEMPLATE(provider, name, formats, unused) _SDT_SITE(provider, name, formats)
#define STAP_PROBE_ASM_TEMPLATE(count) _SDT_TEMPLATE(count)
#define _SDT_TEMPLATE(count) _SDT_FORMATS_##count, ~
#define STAP_PROBE_ASM_OPERANDS(...)                                                               \
    _SDT_PICK(~, __VA_ARGS__, _SDT_SOME, _SDT_SOME, _SDT_SOME, _SDT_SOME, _SDT_SOME, _SDT_SOME,    \
              _SDT_SOME, _SDT_SOME, _SDT_SOME, _SDT_SOME, _SDT_SOME, _SDT_SOME, _SDT_NONE, ~)      \
    (__VA_ARGS__)
#define _SDT_SOME(count, ...) _SDT_OPERANDS_##count(__VA_ARGS__)
#define _SDT_NONE(count) _SDT_OPERANDS_##count()

#endif

/* In C and C++ with values, in assembler files with operands. */
#define STAP_PROBE(provider, name) _SDT_PROBE(provider, name, 0, ())
#define STAP_PROBE1(provider, name, a) _SDT_PROBE(provider, name, 1, (a))
#define STAP_PROBE2(provider, name, a, b) _SDT_PROBE(provider, name, 2, (a, b))
#define STAP_PROBE3(provider, name, a, b, c) _SDT_PROBE(provider, name, 3, (a, b, c))
#define STAP_PROBE4(provider, name, a, b, c, d) _SDT_PROBE(provider, name, 4, (a, b, c, d))
#define STAP_PROBE5(provider, name, a, b, c, d, e) _SDT_PROBE(provider, name, 5, (a, b, c, d, e))
#define STAP_PROBE6(provider, name, a, b, c, d, e, f)                                              \
    _SDT_PROBE(provider, name, 6, (a, b, c, d, e, f))
#define STAP_PROBE7(provider, name, a, b, c, d, e, f, g)                                           \
    _SDT_PROBE(provider, name, 7, (a, b, c, d, e, f, g))
#define STAP_PROBE8(provider, name, a, b, c, d, e, f, g, h)                                        \
    _SDT_PROBE(provider, name, 8, (a, b, c, d, e, f, g, h))
#define STAP_PROBE9(provider, name, a, b, c, d, e, f, g, h, i)                                     \
    _SDT_PROBE(provider, name, 9, (a, b, c, d, e, f, g, h, i))
#define STAP_PROBE10(provider, name, a, b, c, d, e, f, g, h, i, j)                                 \
    _SDT_PROBE(provider, name, 10, (a, b, c, d, e, f, g, h, i, j))
#define STAP_PROBE11(provider, name, a, b, c, d, e, f, g, h, i, j, k)                              \
    _SDT_PROBE(provider, name, 11, (a, b, c, d, e, f, g, h, i, j, k))
#define STAP_PROBE12(provider, name, a, b, c, d, e, f, g, h, i, j, k, l)                           \
    _SDT_PROBE(provider, name, 12, (a, b, c, d, e, f, g, h, i, j, k, l))

#define DTRACE_PROBE STAP_PROBE
#define DTRACE_PROBE1 STAP_PROBE1
#define DTRACE_PROBE2 STAP_PROBE2
#define DTRACE_PROBE3 STAP_PROBE3
#define DTRACE_PROBE4 STAP_PROBE4
#define DTRACE_PROBE5 STAP_PROBE5
#define DTRACE_PROBE6 STAP_PROBE6
#define DTRACE_PROBE7 STAP_PROBE7
#define DTRACE_PROBE8 STAP_PROBE8
#define DTRACE_PROBE9 STAP_PROBE9
#define DTRACE_PROBE10 STAP_PROBE10
#define DTRACE_PROBE11 STAP_PROBE11
#define DTRACE_PROBE12 STAP_PROBE12

#endif

#if defined(SDT_USE_VARIADIC) && !defined(STAP_PROBEV)
#define STAP_PROBEV(...)                                                                           \
    _SDT_PICK(__VA_ARGS__, STAP_PROBE12, STAP_PROBE11, STAP_PROBE10, STAP_PROBE9, STAP_PROBE8,     \
              STAP_PROBE7, STAP_PROBE6, STAP_PROBE5, STAP_PROBE4, STAP_PROBE3, STAP_PROBE2,        \
              STAP_PROBE1, STAP_PROBE, ~)                                                          \
    (__VA_ARGS__)
#endif
