/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All macros of <sys/sdt.h>, in words that C89 and C++98 know. With ORIGINAL, only what SystemTap's
 * header compiles at all; with NO_ASM, without probes in asm statements.
 */
#define SDT_USE_VARIADIC
#include <sys/sdt.h>

#if defined(__cplusplus)
extern "C" {
#endif

enum state { IDLE, BUSY };
struct bits {
    unsigned u : 3;
    int s : 5;
};
extern int counter;
int dialects(int a, char b, long *p, double d, struct bits *bits, enum state state);

int dialects(int a, char b, long *p, double d, struct bits *bits, enum state state)
{
    char array[10];
    const volatile short qualified = 3;

    STAP_PROBE(dialects, none);
    STAP_PROBE1(dialects, catch, p); /* libstdc++ has probes called catch and throw */
    STAP_PROBE1(dialects, evaluated_once, a++);
    STAP_PROBE2(dialects, mixed, d, (float)d);
    STAP_PROBE3(dialects, state, state, a < 3, b == 'x' ? 1 : 2);
    STAP_PROBE4(dialects, four, array, "text", qualified, p);
    STAP_PROBE5(dialects, five, a, b, p[1], counter, -1);
    STAP_PROBE6(dialects, six, a, 2, 3, 4, 5, 6);
    STAP_PROBE7(dialects, seven, a, 2, 3, 4, 5, 6, 7);
    STAP_PROBE8(dialects, eight, a, 2, 3, 4, 5, 6, 7, 8);
    STAP_PROBE9(dialects, nine, a, 2, 3, 4, 5, 6, 7, 8, 9);
    STAP_PROBE10(dialects, ten, a, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    STAP_PROBE11(dialects, eleven, a, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    STAP_PROBE12(dialects, twelve, a, b, p, d, p[0], p[a], 7, 8, 9, 10, 11, 12);
    DTRACE_PROBE(dialects, dtrace_none);
    DTRACE_PROBE1(dialects, dtrace_one, a);
    DTRACE_PROBE12(dialects, dtrace_twelve, a, b, p, d, p[0], p[a], 7, 8, 9, 10, 11, 12);
#if !defined(ORIGINAL)
    STAP_PROBEV(dialects, counted_none);
    STAP_PROBE2(dialects, bits, bits->u, bits->s);
#else
    (void)bits;
#endif
    STAP_PROBEV(dialects, counted_two, a, b);
#if !defined(NO_ASM)
    /* clang-format off */
    __asm__("# before\n" STAP_PROBE_ASM(dialects, plain, -4@%eax 8@4(%rsi,%rdi,4)) "# after");
    __asm__ __volatile__("# %0\n" STAP_PROBE_ASM(dialects, operands, 4@%q0 8@%%rax) : : "r"(a));
    /* clang-format on */
    __asm__ __volatile__(
        "# %[in]\n" STAP_PROBE_ASM(dialects, values, STAP_PROBE_ASM_TEMPLATE(3)) "# after"
        :
        : [in] "r"(a), STAP_PROBE_ASM_OPERANDS(3, a, b, d));
#if !defined(ORIGINAL)
    __asm__("# before\n" STAP_PROBE_ASM(dialects, nothing) "# after");
    __asm__ __volatile__(STAP_PROBE_ASM(dialects, zero, STAP_PROBE_ASM_TEMPLATE(0))
                         :
                         : STAP_PROBE_ASM_OPERANDS(0));
#endif
#endif
    return a;
}

#if defined(__cplusplus)
}
#endif
