/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/inline.h> -- a part of <sdt/probe.h>: SDT_PROBE as an inline site. Do not include it
 * yourself; all names in it are internal.
 *
 * The site is an asm statement that states its inputs and changes nothing, except, with gcc,
 * registers into which the assembler may have to load an argument:
 *
 *     990: nop                                 the tracers' byte
 *          nopw (%rax)                         makes room: see <sdt/format.h>
 *          call __dtrace_sdtasm_run_sdtlink___<provider>___<name>
 *
 * The call is never executed: sdtlink makes it a NOP in the file, or refuses the object. A
 * forgotten object does not link, since the symbol is undefined. So the arguments stay where the
 * compiler has them, and a probe that is off is two NOPs. Section .sdt_args tells sdtlink where the
 * arguments are (<sdt/format.h>, SDT_ARGS_INLINE).
 *
 * Problems that the statement avoids:
 *
 *   - Symbols and index registers. Tracers read constants, registers and `d(%reg)`; of
 *     `counter(%rip)` or `(%rax,%rbx,8)` some read nonsense, and some give up the whole file. clang
 *     is allowed registers and constants only ("nr"; given a choice, it spills). gcc may use memory
 *     ("nor", no load is needed for p->field), and then the assembler examines the operand, and
 *     loads those two kinds into a scratch register: one instruction, only for them. The scratch
 *     registers are fixed: those that the compiler uses last. When it could choose any free one
 *     ("=&r"), it discarded copies of arguments that it needed after the site. How many arguments
 *     may be in memory depends on how many registers there are, see SDT_INPUTS_.
 *   - Stores to what an argument points to, which gcc drops if it sees them overwritten after the
 *     probe: a separate, empty statement that precedes the site uses the pointee. (clang assumes
 *     that such a statement reads all memory.)
 *   - The name of the probe, which link-time optimisation does not see in asm text: an operand
 *     mentions SDT_SYMBOL_MARK (<sdt/format.h>), so that intermediate code with probes can be
 *     recognised. It needs no definition.
 *   - C90: declarations come first; and it guarantees only strings of up to 509 characters, which
 *     -Wpedantic also reports for the asm text, but not in an expression after __extension__.
 *
 * A floating-point argument is passed as its bits: no tracer reads the vector registers.
 */
#ifndef SDT_INLINE_H
#define SDT_INLINE_H

#if !defined(SDT_PROBE_H)
#error "include <sdt/probe.h>"
#endif

#if defined(__i386__) /* no operand can be an address there */
#define SDT_MARKED_ "i"(0)
#else
/* Not an array: that might be far away in -mcmodel=medium. */
#if defined(__cplusplus)
extern "C" {
#endif
extern const char sdt_mark_ __asm__("__dtrace_sdtmark") __attribute__((__visibility__("hidden")));
#if defined(__cplusplus)
}
#endif
#define SDT_MARKED_ SDT_SYMBOLIC_(&sdt_mark_)
#endif

#if defined(SDT_STANDALONE) /* no symbol */
#define SDT_FAMILY_
#define SDT_ASKED_FAMILY_
#else
#define SDT_FAMILY_ "__dtrace_sdtasm_" SDT_REMEDY_
#endif

/* clang-format off */
#define SDT_SITE_(count, text, function, symbol, provider, name, ...)                              \
    do {                                                                                           \
        SDT_DIALECT_QUIET_                                                                         \
        SDT_NUMBERED_(count, SDT_KEEP_, __VA_ARGS__)                                               \
        SDT_LIMIT_(count)                                                                          \
        SDT_CHECK_NAMES_(provider, name)                                                           \
        __extension__(SDT_NUMBERED_(count, SDT_SET_, __VA_ARGS__)({                                \
            SDT_POINTEES_(count, __VA_ARGS__)                                                      \
            SDT_ASM_(SDT_SYNTAX_ SDT_HAVE_COUNTER_(provider, name) SDT_LOADER_##count##_           \
                     SDT_ARGS_SECTION_                                                             \
                     "\t.long 990f - .\n\t.byte " SDT_INLINE_FORM_ ", " SDT_TYPES_##count##_       \
                     "\n" SDT_SPELLING_                                                            \
                     "\t.asciz \"" provider "\"\n\t.asciz \"" name "\"\n\t.popsection\n"           \
                     SDT_NOTE_HEAD_(provider, name) SDT_TELLS_##count##_ SDT_NOTE_TAIL_            \
                     "990:\n" SDT_SITE_BYTES_(symbol)                                              \
                     :                                                                             \
                     : SDT_INPUTS_(count, __VA_ARGS__) SDT_SPELLING_OPERAND_(text)                 \
                       [mark] SDT_MARKED_                                                          \
                     : SDT_SCRATCH_##count##_ SDT_MEMORY_ SDT_SITE_CHANGES_);                      \
        }));                                                                                       \
        SDT_DIALECT_LOUD_                                                                          \
    } while (0)
/* clang-format on */

#if !defined(SDT_STANDALONE)
/*
 * SDT_PROBE_ENABLED is also an asm statement: in the file, the call becomes an instruction that
 * sets %eax, and the compiler loses nothing else. Its entry in .sdt_args (SDT_ARGS_ASKED) only says
 * so. Compilers assume that flags change. (On aarch64 it stays a call, of code that only sets w0;
 * linkers may insert a veneer.)
 */
#define SDT_ASK_(function, symbol, provider, name)                                                 \
    (__extension__({                                                                               \
        SDT_ANSWER_VARIABLE_;                                                                      \
        SDT_CHECK_NAMES_(provider, name)                                                           \
        SDT_ASM_(SDT_ARGS_SECTION_ "\t.long 992f - .\n"                                            \
                                   "\t.byte 3, 0\n"                                                \
                                   "\t.asciz \"" provider "\"\n"                                   \
                                   "\t.asciz \"" name "\"\n"                                       \
                                   "\t.popsection\n"                                               \
                                   "992:\n" SDT_ASK_BYTES_(symbol)                                 \
                 : SDT_ANSWER_IN_(sdt_answer_)                                                     \
                 : [mark] SDT_MARKED_ SDT_ASK_CHANGES_);                                           \
        SDT_OR_COUNTED_(__builtin_expect(sdt_answer_, 0) != 0, provider, name);                    \
    }))
#endif

/*
 * What handlers may do to memory. With the clobber, all stores before the probe are done when it is
 * reached, and what a handler stored is seen after it. Over 633 functions and two loops
 * (docs/benchmarks.md) it had no measurable cost, so it is the default. Without it, only what an
 * argument points to is up to date: with gcc by a separate statement, since its address may take
 * two more registers (no compiler moves a store from after a volatile statement to before it);
 * clang assumes that such a statement reads all memory.
 */
#if !defined(SDT_NO_MEMORY_CLOBBER)
#define SDT_MEMORY_ "memory", "cc"
#define SDT_POINTEES_(count, ...)
#else
#define SDT_MEMORY_ "cc" /* as in any case; a list must not end in a comma */
#if defined(__clang__) || !defined(__OPTIMIZE__)
#define SDT_POINTEES_(count, ...)
#else
#define SDT_POINTEES_(count, ...) SDT_NUMBERED_(count, SDT_POINTEE_, __VA_ARGS__)
#define SDT_POINTEE_(i, x)                                                                         \
    if (SDT_IS_POINTER_(i, x))                                                                     \
        SDT_ASM_("" : : "m"(*(const char(*)[])(unsigned long)(sdt_v##i##_)));
#endif
#endif

#if defined(__aarch64__)

/* The whole site is one instruction, which will be a NOP. */
#define SDT_ROOM_
#define SDT_CALL_BYTES_(symbol) "\t.hidden " symbol "\n\tbl " symbol
#define SDT_ANSWER_VARIABLE_ register int sdt_answer_ __asm__("w0")
#define SDT_ANSWER_IN_ "=r"
#define SDT_ASK_CHANGES_ : "x16", "x17", "x30"
#define SDT_ASK_BYTES_(symbol) SDT_CALL_BYTES_(symbol)
#define SDT_SITE_CHANGES_
#define SDT_SYNTAX_

#elif defined(__riscv)

/*
 * The whole site is two instructions, of four bytes each, whatever linkers do elsewhere. The first
 * one is executed also while the site is off, and changes t1; the second one becomes a NOP.
 */
#define SDT_ROOM_
#define SDT_CALL_BYTES_(symbol) "\t.hidden " symbol "\n\tjump " symbol ", t1"
#if defined(SDT_STANDALONE)
#define SDT_SITE_CHANGES_
#else
#define SDT_SITE_CHANGES_ , "t1"
#endif
/* Also two instructions, which become a NOP and one that sets a0. */
#define SDT_ASK_BYTES_(symbol) "\t.hidden " symbol "\n\tcall " symbol
#define SDT_ANSWER_VARIABLE_ register int sdt_answer_ __asm__("a0")
#define SDT_ANSWER_IN_ "=r"
#define SDT_ASK_CHANGES_
#define SDT_SYNTAX_

#else

#define SDT_ROOM_ "\tnop\n\t.byte 0x66, 0x0f, 0x1f, 0\n"
#define SDT_ANSWER_VARIABLE_ int sdt_answer_
#define SDT_ANSWER_IN_ "=a"
#define SDT_ASK_CHANGES_
#define SDT_ASK_BYTES_(symbol) SDT_CALL_BYTES_(symbol)
#define SDT_SITE_CHANGES_
/*
 * `call SYMBOL`, as bytes: an assembler that is told to align calls (-malign-branch=call) would put
 * NOPs before the instruction, inside the site. clang puts a symbol of .reloc into the symbol table
 * only if another directive mentions it.
 */
#define SDT_CALL_BYTES_(symbol)                                                                    \
    "\t.hidden " symbol "\n"                                                                       \
    "\t.byte 0xe8\n"                                                                               \
    "\t.reloc ., R_X86_64_PLT32, " symbol " - 4\n"                                                 \
    "\t.long 0"

/* Tracers cannot read operands in Intel's syntax. */
#if defined(SDT_STANDALONE)
#define SDT_INTEL_ "SDT_DISABLE"
#else
#define SDT_INTEL_ "SDT_CALL_SITES"
#endif
#define SDT_SYNTAX_ "{|\t.error \"<sdt/probe.h>: with -masm=intel, define " SDT_INTEL_ "\"\n}"

#endif

#if defined(SDT_STANDALONE)
#include <sdt/note.h>
#else
#define SDT_INLINE_FORM_ SDT_FORM_("2", "5")
#define SDT_NOTE_HEAD_(provider, name)
#define SDT_NOTE_TAIL_
#define SDT_SITE_BYTES_(symbol) SDT_ROOM_ SDT_CALL_BYTES_(symbol)
#define SDT_TELL_(i, type, operand) SDT_ARGS_SECTION_ "\t.asciz \"" operand "\"\n\t.popsection\n"
#endif
#define SDT_TEXT_(i) SDT_TELL_(#i, "%c[t" #i "]", "%[v" #i "]")

#if defined(__clang__) || !defined(__OPTIMIZE__) || defined(__aarch64__) || defined(__riscv) ||    \
    defined(__i386__)

/*
 * aarch64, riscv64: registers and constants; there are enough registers for any number of
 * arguments. clang: at most 12 registers; there are 13 besides the pointers to stack, frame and
 * locals. gcc without optimisation has each argument in a variable on the stack, and drops no
 * store.
 *
 * i386: three registers are free in any function. So the first three arguments are registers or
 * constants, and all others are variables on the stack; so are those of 64 bits, which would take
 * two registers, of which an operand names one. Each of the first three has both operands, and the
 * assembler takes the one that its size asks for; the other one is the constant 0, or an address
 * that takes no register. A byte is in a whole register, since %esi has no part for it.
 */
#if defined(__i386__)
#define SDT_IN_MEMORY_(i, x) [t##i] "i"(SDT_TYPE_(i, x)), [v##i] "m"(SDT_PLACE_(i)),
#define SDT_EITHER_(i, x)                                                                          \
    [t##i] "i"(SDT_TYPE_(i, x)), [v##i] "nr"(SDT_IS_LONG_(i) ? 0ul : (unsigned long)SDT_BITS_(i)), \
        [m##i] "m"(SDT_PLACE_IF_LONG_(i)),
#define SDT_FIRST_TEXT_(i)                                                                         \
    "\t.if (%c[t" #i "] & 15) == 8\n" SDT_TELL_(                                                   \
        #i, "%c[t" #i "]", "%[m" #i "]") "\t.else\n" SDT_TEXT_(i) "\t.endif\n"
#define SDT_INPUTS_(count, ...) SDT_INPUTS_##count##_(__VA_ARGS__)
#define SDT_INPUTS_0_(name)
#define SDT_INPUTS_1_(name, a) SDT_EITHER_(0, a)
#define SDT_INPUTS_2_(name, a, b) SDT_EITHER_(0, a) SDT_EITHER_(1, b)
#define SDT_INPUTS_3_(name, a, b, c) SDT_EITHER_(0, a) SDT_EITHER_(1, b) SDT_EITHER_(2, c)
#define SDT_INPUTS_4_(name, a, b, c, d) SDT_INPUTS_3_(name, a, b, c) SDT_IN_MEMORY_(3, d)
#define SDT_INPUTS_5_(name, a, b, c, d, e) SDT_INPUTS_4_(name, a, b, c, d) SDT_IN_MEMORY_(4, e)
#define SDT_INPUTS_6_(name, a, b, c, d, e, f)                                                      \
    SDT_INPUTS_5_(name, a, b, c, d, e) SDT_IN_MEMORY_(5, f)
#define SDT_INPUTS_7_(name, a, b, c, d, e, f, g)                                                   \
    SDT_INPUTS_6_(name, a, b, c, d, e, f) SDT_IN_MEMORY_(6, g)
#define SDT_INPUTS_8_(name, a, b, c, d, e, f, g, h)                                                \
    SDT_INPUTS_7_(name, a, b, c, d, e, f, g) SDT_IN_MEMORY_(7, h)
#define SDT_INPUTS_9_(name, a, b, c, d, e, f, g, h, i)                                             \
    SDT_INPUTS_8_(name, a, b, c, d, e, f, g, h) SDT_IN_MEMORY_(8, i)
#define SDT_INPUTS_10_(name, a, b, c, d, e, f, g, h, i, j)                                         \
    SDT_INPUTS_9_(name, a, b, c, d, e, f, g, h, i) SDT_IN_MEMORY_(9, j)
#define SDT_INPUTS_11_(name, a, b, c, d, e, f, g, h, i, j, k)                                      \
    SDT_INPUTS_10_(name, a, b, c, d, e, f, g, h, i, j) SDT_IN_MEMORY_(10, k)
#define SDT_INPUTS_12_(name, a, b, c, d, e, f, g, h, i, j, k, l)                                   \
    SDT_INPUTS_11_(name, a, b, c, d, e, f, g, h, i, j, k) SDT_IN_MEMORY_(11, l)
#define SDT_INPUTS_13_(...)
#else
#define SDT_FIRST_TEXT_(i) SDT_TEXT_(i)
#define SDT_INPUTS_(count, ...) SDT_NUMBERED_(count, SDT_INPUT_, __VA_ARGS__)
#endif
#if defined(__clang__) || defined(__aarch64__) || defined(__riscv)
#define SDT_INPUT_(i, x) [t##i] "i"(SDT_TYPE_(i, x)), [v##i] "nr"(SDT_BITS_(i)),
#else
#define SDT_INPUT_(i, x) [t##i] "i"(SDT_TYPE_(i, x)), [v##i] "nor"(SDT_BITS_(i)),
#endif
#define SDT_LOADER_0_
#define SDT_LOADER_1_
#define SDT_LOADER_2_
#define SDT_LOADER_3_
#define SDT_LOADER_4_
#define SDT_LOADER_5_
#define SDT_LOADER_6_
#define SDT_LOADER_7_
#define SDT_LOADER_8_
#define SDT_LOADER_9_
#define SDT_LOADER_10_
#define SDT_LOADER_11_
#define SDT_LOADER_12_
#define SDT_LOADER_13_
#define SDT_TELLS_0_ ""
#define SDT_TELLS_1_ SDT_TELLS_0_ SDT_FIRST_TEXT_(0)
#define SDT_TELLS_2_ SDT_TELLS_1_ SDT_FIRST_TEXT_(1)
#define SDT_TELLS_3_ SDT_TELLS_2_ SDT_FIRST_TEXT_(2)
#define SDT_TELLS_4_ SDT_TELLS_3_ SDT_TEXT_(3)
#define SDT_TELLS_5_ SDT_TELLS_4_ SDT_TEXT_(4)
#define SDT_TELLS_6_ SDT_TELLS_5_ SDT_TEXT_(5)
#define SDT_TELLS_7_ SDT_TELLS_6_ SDT_TEXT_(6)
#define SDT_TELLS_8_ SDT_TELLS_7_ SDT_TEXT_(7)
#define SDT_TELLS_9_ SDT_TELLS_8_ SDT_TEXT_(8)
#define SDT_TELLS_10_ SDT_TELLS_9_ SDT_TEXT_(9)
#define SDT_TELLS_11_ SDT_TELLS_10_ SDT_TEXT_(10)
#define SDT_TELLS_12_ SDT_TELLS_11_ SDT_TEXT_(11)
#define SDT_TELLS_13_ ""
#define SDT_SCRATCH_0_
#define SDT_SCRATCH_1_
#define SDT_SCRATCH_2_
#define SDT_SCRATCH_3_
#define SDT_SCRATCH_4_
#define SDT_SCRATCH_5_
#define SDT_SCRATCH_6_
#define SDT_SCRATCH_7_
#define SDT_SCRATCH_8_
#define SDT_SCRATCH_9_
#define SDT_SCRATCH_10_
#define SDT_SCRATCH_11_
#define SDT_SCRATCH_12_
#define SDT_SCRATCH_13_
#else

/*
 * sdt_operand_ number, type, byte, word, long, quad register, operand: emits the operand, or, if no
 * tracer understands it, loads it and emits the register. Tracers understand plain operands: those
 * that begin with a digit, a sign, `$`, `(` or `%`, and hold neither `,` nor `:` nor `+`. Nearly
 * all are registers, which are looked up: testing them letter by letter took a fifth of gcc's time
 * for a probe.
 *
 * Not in .ifndef: the assembler parses quoted names even in text that it skips.
 */
/* clang-format off */
#define SDT_LOADER_1_                                                                              \
    "\t.ifndef .Lsdt_loader_\n"                                                                    \
    "\t.set .Lsdt_loader_, 0\n"                                                                    \
    "\t.endif\n"                                                                                   \
    "\t.rept 1 - .Lsdt_loader_\n"                                                                  \
    "\t.set .Lsdt_loader_, 1\n"                                                                    \
    "\t.irp r, rax,eax,ax,al,rbx,ebx,bx,bl,rcx,ecx,cx,cl,rdx,edx,dx,dl,rsi,esi,si,sil,rdi,"        \
    "edi,di,dil,rbp,ebp,bp,bpl,r8,r8d,r8w,r8b,r9,r9d,r9w,r9b,r10,r10d,r10w,r10b,r11,r11d,"         \
    "r11w,r11b,r12,r12d,r12w,r12b,r13,r13d,r13w,r13b,r14,r14d,r14w,r14b,r15,r15d,r15w,"            \
    "r15b\n"                                                                                       \
    "\t.set \".Lsdt_%%\\r\", 1\n"                                                                  \
    "\t.endr\n"                                                                                    \
    "\t.macro sdt_operand_ i, type, b, w, l, q, operand:vararg\n"                                  \
    "\t.ifdef \".Lsdt_\\operand\"\n"                                                               \
    "\t.set .Lsdt_plain_, 1\n"                                                                     \
    "\t.else\n"                                                                                    \
    "\t.set .Lsdt_plain_, 0\n"                                                                     \
    "\t.set .Lsdt_first_, 1\n"                                                                     \
    "\t.irpc c, \\operand\n"                                                                       \
    "\t.if .Lsdt_first_\n"                                                                         \
    "\t.irpc d, 0123456789-$(%%\n"                                                                 \
    "\t.ifeqs \"\\c\", \"\\d\"\n"                                                                  \
    "\t.set .Lsdt_plain_, 1\n"                                                                     \
    "\t.endif\n"                                                                                   \
    "\t.endr\n"                                                                                    \
    "\t.set .Lsdt_first_, 0\n"                                                                     \
    "\t.endif\n"                                                                                   \
    "\t.ifeqs \"\\c\", \",\"\n"                                                                    \
    "\t.set .Lsdt_plain_, 0\n"                                                                     \
    "\t.endif\n"                                                                                   \
    "\t.ifeqs \"\\c\", \":\"\n"                                                                    \
    "\t.set .Lsdt_plain_, 0\n"                                                                     \
    "\t.endif\n"                                                                                   \
    "\t.ifeqs \"\\c\", \"+\"\n"                                                                    \
    "\t.set .Lsdt_plain_, 0\n"                                                                     \
    "\t.endif\n"                                                                                   \
    "\t.endr\n"                                                                                    \
    "\t.endif\n"                                                                                   \
    "\t.if .Lsdt_plain_\n" SDT_TELL_("\\i", "\\type", "\\operand") "\t.else\n"                    \
    "\t.if (\\type & 15) == 1\n\tmovb \\operand, \\b\n\t.endif\n"                                  \
    "\t.if (\\type & 15) == 2\n\tmovw \\operand, \\w\n\t.endif\n"                                  \
    "\t.if (\\type & 15) == 4\n\tmovl \\operand, \\l\n\t.endif\n"                                  \
    "\t.if (\\type & 15) == 8\n\tmovq \\operand, \\q\n\t.endif\n"                                  \
    SDT_TELL_("\\i", "\\type", "\\q") "\t.endif\n"                                                 \
    "\t.endm\n"                                                                                    \
    "\t.endr\n"
/* clang-format on */
#define SDT_LOADER_2_ SDT_LOADER_1_
#define SDT_LOADER_3_ SDT_LOADER_1_
#define SDT_LOADER_4_ SDT_LOADER_1_
#define SDT_LOADER_5_ SDT_LOADER_1_
#define SDT_LOADER_6_ SDT_LOADER_1_
#define SDT_LOADER_7_ SDT_LOADER_1_
#define SDT_LOADER_8_ SDT_LOADER_1_
#define SDT_LOADER_9_ SDT_LOADER_1_
#define SDT_LOADER_10_ SDT_LOADER_1_
#define SDT_LOADER_11_ SDT_LOADER_1_
#define SDT_LOADER_0_
#define SDT_LOADER_12_
#define SDT_LOADER_13_
#define SDT_LOAD_(i, b, w, l, q)                                                                   \
    "\tsdt_operand_ " #i ", %c[t" #i "], %%" #b ", %%" #w ", %%" #l ", %%" #q ", %[v" #i "]\n"

/*
 * No compile may fail for lack of registers, so the statement's worst-case demand must fit. A free
 * argument, one that may be in memory, takes three registers: the base and the index of its
 * address, and the scratch one (r11, r10, r9, r8), which must be none of them. A tied argument
 * (register or constant) takes one, and a constant none. Variables of the function do not count:
 * the compiler can keep them on the stack. Of the 16 registers two are the pointers to stack and
 * frame, and one may be reserved (-ffixed-r15, a global register variable, the pointer to the
 * arguments of a function with an over-aligned stack): 13 remain. So up to four arguments are all
 * free; of more, only as many as 3 * free + tied <= 13 allows.
 */
/* clang-format off */
#define SDT_FREE_(i, x) [t##i] "i"(SDT_TYPE_(i, x)), [v##i] "nor"(SDT_BITS_(i)),
#define SDT_TIED_(i, x) [t##i] "i"(SDT_TYPE_(i, x)), [v##i] "nr"(SDT_BITS_(i)),
#define SDT_FREE_1_(a) SDT_FREE_(0, a)
#define SDT_FREE_2_(a, b) SDT_FREE_1_(a) SDT_FREE_(1, b)
#define SDT_FREE_3_(a, b, c) SDT_FREE_2_(a, b) SDT_FREE_(2, c)
#define SDT_FREE_4_(a, b, c, d) SDT_FREE_3_(a, b, c) SDT_FREE_(3, d)
#define SDT_INPUTS_(count, ...) SDT_INPUTS_##count##_(__VA_ARGS__)
#define SDT_INPUTS_0_(name)
#define SDT_INPUTS_1_(name, a) SDT_FREE_1_(a)
#define SDT_INPUTS_2_(name, a, b) SDT_FREE_2_(a, b)
#define SDT_INPUTS_3_(name, a, b, c) SDT_FREE_3_(a, b, c)
#define SDT_INPUTS_4_(name, a, b, c, d) SDT_FREE_4_(a, b, c, d)
#define SDT_INPUTS_5_(name, a, b, c, d, e) SDT_FREE_4_(a, b, c, d) SDT_TIED_(4, e)
#define SDT_INPUTS_6_(name, a, b, c, d, e, f)                                                      \
    SDT_FREE_3_(a, b, c) SDT_TIED_(3, d) SDT_TIED_(4, e) SDT_TIED_(5, f)
#define SDT_INPUTS_7_(name, a, b, c, d, e, f, g)                                                   \
    SDT_FREE_3_(a, b, c) SDT_TIED_(3, d) SDT_TIED_(4, e) SDT_TIED_(5, f) SDT_TIED_(6, g)
#define SDT_INPUTS_8_(name, a, b, c, d, e, f, g, h)                                                \
    SDT_FREE_2_(a, b) SDT_TIED_(2, c) SDT_TIED_(3, d) SDT_TIED_(4, e) SDT_TIED_(5, f)              \
    SDT_TIED_(6, g) SDT_TIED_(7, h)
#define SDT_INPUTS_9_(name, a, b, c, d, e, f, g, h, i)                                             \
    SDT_FREE_2_(a, b) SDT_TIED_(2, c) SDT_TIED_(3, d) SDT_TIED_(4, e) SDT_TIED_(5, f)              \
    SDT_TIED_(6, g) SDT_TIED_(7, h) SDT_TIED_(8, i)
#define SDT_INPUTS_10_(name, a, b, c, d, e, f, g, h, i, j)                                         \
    SDT_FREE_1_(a) SDT_TIED_(1, b) SDT_TIED_(2, c) SDT_TIED_(3, d) SDT_TIED_(4, e) SDT_TIED_(5, f) \
    SDT_TIED_(6, g) SDT_TIED_(7, h) SDT_TIED_(8, i) SDT_TIED_(9, j)
#define SDT_INPUTS_11_(name, a, b, c, d, e, f, g, h, i, j, k)                                      \
    SDT_FREE_1_(a) SDT_TIED_(1, b) SDT_TIED_(2, c) SDT_TIED_(3, d) SDT_TIED_(4, e) SDT_TIED_(5, f) \
    SDT_TIED_(6, g) SDT_TIED_(7, h) SDT_TIED_(8, i) SDT_TIED_(9, j) SDT_TIED_(10, k)
#define SDT_INPUTS_12_(name, a, b, c, d, e, f, g, h, i, j, k, l)                                   \
    SDT_TIED_(0, a) SDT_TIED_(1, b) SDT_TIED_(2, c) SDT_TIED_(3, d) SDT_TIED_(4, e)                \
    SDT_TIED_(5, f) SDT_TIED_(6, g) SDT_TIED_(7, h) SDT_TIED_(8, i) SDT_TIED_(9, j)                \
    SDT_TIED_(10, k) SDT_TIED_(11, l)
#define SDT_INPUTS_13_(...)
/* clang-format on */
#define SDT_SCRATCH_0_
#define SDT_SCRATCH_1_ "r11",
#define SDT_SCRATCH_2_ "r11", "r10",
#define SDT_SCRATCH_3_ "r11", "r10", "r9",
#define SDT_SCRATCH_4_ "r11", "r10", "r9", "r8",
#define SDT_SCRATCH_5_ SDT_SCRATCH_4_
#define SDT_SCRATCH_6_ SDT_SCRATCH_3_
#define SDT_SCRATCH_7_ SDT_SCRATCH_3_
#define SDT_SCRATCH_8_ SDT_SCRATCH_2_
#define SDT_SCRATCH_9_ SDT_SCRATCH_2_
#define SDT_SCRATCH_10_ SDT_SCRATCH_1_
#define SDT_SCRATCH_11_ SDT_SCRATCH_1_
#define SDT_SCRATCH_12_
#define SDT_SCRATCH_13_
#define SDT_TELLS_0_ ""
#define SDT_TELLS_1_ SDT_TELLS_0_ SDT_LOAD_(0, r11b, r11w, r11d, r11)
#define SDT_TELLS_2_ SDT_TELLS_1_ SDT_LOAD_(1, r10b, r10w, r10d, r10)
#define SDT_TELLS_3_ SDT_TELLS_2_ SDT_LOAD_(2, r9b, r9w, r9d, r9)
#define SDT_TELLS_4_ SDT_TELLS_3_ SDT_LOAD_(3, r8b, r8w, r8d, r8)
#define SDT_TELLS_5_ SDT_TELLS_4_ SDT_TEXT_(4)
#define SDT_TELLS_6_ SDT_TELLS_3_ SDT_TEXT_(3) SDT_TEXT_(4) SDT_TEXT_(5)
#define SDT_TELLS_7_ SDT_TELLS_3_ SDT_TEXT_(3) SDT_TEXT_(4) SDT_TEXT_(5) SDT_TEXT_(6)
#define SDT_TELLS_8_                                                                               \
    SDT_TELLS_2_ SDT_TEXT_(2) SDT_TEXT_(3) SDT_TEXT_(4) SDT_TEXT_(5) SDT_TEXT_(6) SDT_TEXT_(7)
#define SDT_TELLS_9_                                                                               \
    SDT_TELLS_2_ SDT_TEXT_(2) SDT_TEXT_(3) SDT_TEXT_(4) SDT_TEXT_(5) SDT_TEXT_(6) SDT_TEXT_(7)     \
        SDT_TEXT_(8)
#define SDT_TELLS_10_                                                                              \
    SDT_TELLS_1_ SDT_TEXT_(1) SDT_TEXT_(2) SDT_TEXT_(3) SDT_TEXT_(4) SDT_TEXT_(5) SDT_TEXT_(6)     \
        SDT_TEXT_(7) SDT_TEXT_(8) SDT_TEXT_(9)
#define SDT_TELLS_11_                                                                              \
    SDT_TELLS_1_ SDT_TEXT_(1) SDT_TEXT_(2) SDT_TEXT_(3) SDT_TEXT_(4) SDT_TEXT_(5) SDT_TEXT_(6)     \
        SDT_TEXT_(7) SDT_TEXT_(8) SDT_TEXT_(9) SDT_TEXT_(10)
#define SDT_TELLS_12_                                                                              \
    SDT_TELLS_0_ SDT_TEXT_(0) SDT_TEXT_(1) SDT_TEXT_(2) SDT_TEXT_(3) SDT_TEXT_(4) SDT_TEXT_(5)     \
        SDT_TEXT_(6) SDT_TEXT_(7) SDT_TEXT_(8) SDT_TEXT_(9) SDT_TEXT_(10) SDT_TEXT_(11)
#define SDT_TELLS_13_ ""

#endif

#endif
