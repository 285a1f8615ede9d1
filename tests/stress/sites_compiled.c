/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sites of the stress test for aarch64 and riscv64, as compilers write them and sdtlink
 * processes them: 5000 functions. On aarch64 a site is an aligned word, so that no place is harder
 * than another; on riscv64 the compiler's compressed instructions put sites at 2 modulo 4 as well.
 *
 * Function stress_<n>, of four digits, holds site number n. The last digit is the class, the one
 * before it says the kind. Sections stress_text and stress_table are where the linker lets
 * stress_begin, stress_functions and their ends be (run.py).
 */
#include "stress.h"

#include <sdt/probe.h>

#define FUNCTION(n, c) static __attribute__((noinline, section("stress_text"))) ENTER(n)
#define ENTER(n) uint64_t stress_##n(uint64_t number)
#define LIST(n)                                                                                    \
    static stress_function *const p_##n __attribute__((used, section("stress_table"))) = stress_##n

#define DECLARE(c)                                                                                 \
    extern void __dtrace_sdt_class##c##___call_##c(uint64_t number);                               \
    extern uint64_t __dtrace_sdt_class##c##___tail_##c(uint64_t number);                           \
    extern uint64_t __dtrace_sdtenabled_class##c##___asked_##c(void);
DECLARE(0)
DECLARE(1)
DECLARE(2)
DECLARE(3)
DECLARE(4)
DECLARE(5)
DECLARE(6)
DECLARE(7)
DECLARE(8)
DECLARE(9)

/* Its number is in a register that survives calls. */
#define CALL(n, c)                                                                                 \
    FUNCTION(n, c)                                                                                 \
    {                                                                                              \
        __dtrace_sdt_class##c##___call_##c(number);                                                \
        return number;                                                                             \
    }                                                                                              \
    LIST(n);
/* In a function that calls no other, in x0. */
#define INLINE(n, c)                                                                               \
    FUNCTION(n, c)                                                                                 \
    {                                                                                              \
        SDT_PROBE(class##c, live_##c, number);                                                     \
        return number;                                                                             \
    }                                                                                              \
    LIST(n);
#define TAIL(n, c)                                                                                 \
    FUNCTION(n, c)                                                                                 \
    {                                                                                              \
        return __dtrace_sdt_class##c##___tail_##c(number);                                         \
    }                                                                                              \
    LIST(n);
#define ENABLED(n, c)                                                                              \
    FUNCTION(n, c)                                                                                 \
    {                                                                                              \
        volatile uint64_t kept = number;                                                           \
        uint64_t answer = __dtrace_sdtenabled_class##c##___asked_##c();                            \
        return (kept == number) ? answer : 2;                                                      \
    }                                                                                              \
    LIST(n);
#define ENABLED_TAIL(n, c)                                                                         \
    FUNCTION(n, c)                                                                                 \
    {                                                                                              \
        (void)number;                                                                              \
        return __dtrace_sdtenabled_class##c##___asked_##c();                                       \
    }                                                                                              \
    LIST(n);

#define TEN(kind, n)                                                                               \
    kind(n##0, 0) kind(n##1, 1) kind(n##2, 2) kind(n##3, 3) kind(n##4, 4) kind(n##5, 5)            \
        kind(n##6, 6) kind(n##7, 7) kind(n##8, 8) kind(n##9, 9)
#define HUNDRED(n)                                                                                 \
    TEN(CALL, n##0)                                                                                \
    TEN(INLINE, n##1)                                                                              \
    TEN(TAIL, n##2)                                                                                \
    TEN(ENABLED, n##3)                                                                             \
    TEN(ENABLED_TAIL, n##4)                                                                        \
    TEN(INLINE, n##5)                                                                              \
    TEN(CALL, n##6) TEN(TAIL, n##7) TEN(INLINE, n##8) TEN(CALL, n##9)
#define THOUSAND(n)                                                                                \
    HUNDRED(n##0)                                                                                  \
    HUNDRED(n##1)                                                                                  \
    HUNDRED(n##2)                                                                                  \
    HUNDRED(n##3)                                                                                  \
    HUNDRED(n##4) HUNDRED(n##5) HUNDRED(n##6) HUNDRED(n##7) HUNDRED(n##8) HUNDRED(n##9)

THOUSAND(0)
THOUSAND(1)
THOUSAND(2)
THOUSAND(3)
THOUSAND(4)

#if defined(__aarch64__)
/* Such a site is where its branch leads: `mov w0, #0`; `b .+8`, or a NOP before `mov w0, #1`. */
unsigned sites_answer(const uint8_t *pc)
{
    const uint32_t nop = 0xd503201f;
    return __atomic_load_n((const uint32_t *)(const void *)(pc + 4), __ATOMIC_RELAXED) == nop;
}
#else
/* After a NOP: `li a0, 1` of four bytes, or `c.li a0, 1`. */
unsigned sites_answer(const uint8_t *pc)
{
    const uint16_t *parcels = (const void *)(pc + 4);
    return parcels[0] == 0x4505 || (parcels[0] == 0x0513 && parcels[1] == 0x0010);
}
#endif

/* All kinds are there. */
void sites_check_places(void)
{
    unsigned found[SDT_KIND_NOP1 + 1] = {0};
    for (unsigned n = 0; n < stress_count; n++)
        found[stress_sites[n].kind]++;
    static const unsigned kinds[] = {SDT_KIND_CALL, SDT_KIND_INLINE, SDT_KIND_TAIL,
                                     SDT_KIND_ENABLED, SDT_KIND_ENABLED_TAIL};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        CHECK(found[kinds[i]] >= 500);
}
