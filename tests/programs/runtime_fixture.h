/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of ../asm/runtime_fixture.S, and how the rt_* programs report. */
#ifndef RT_FIXTURE_H
#define RT_FIXTURE_H

#include <errno.h>
#include <inttypes.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t word;

void fx_call(word a, word b, word c, word d, word e, word f);       /* fixture:call */
void fx_call_again(word a, word b, word c, word d, word e, word f); /* fixture:call too */
void fx_twelve(word a, word b, word c, word d, word e, word f, word g, word h, word i, word j,
               word k, word l); /* fixture:twelve */
void fx_tail(word a, word b, word c, word d, word e, word f, word g, word h, word i, word j, word k,
             word l); /* fixture:tail */
int fx_is_enabled(void);
int fx_is_enabled_tail(void);
void fx_guarded(void); /* fixture:guarded */
void fx_untyped(word a, word b, word c, word d, word e, word f);
void fx_dash(word a); /* other:dash__name */

#ifdef __cplusplus
}
#endif

/* RT_MODE in the environment: how a program's plain sdt_enable arms, "trap", "jump" or "auto". */
static inline int fixture_mode(void)
{
    const char *mode = getenv("RT_MODE");
    if (mode && strcmp(mode, "trap") == 0)
        return SDT_MODE_TRAP;
    return mode && strcmp(mode, "jump") == 0 ? SDT_MODE_JUMP : SDT_MODE_AUTO;
}
#define sdt_enable(pattern, handler, data) sdt_enable_mode(pattern, handler, data, fixture_mode())

/* The kind of the sites in fx_call and the other functions that call: as in the assembler. */
#ifndef FX_KIND
#define FX_KIND 1
#endif
enum { FX_CALL = 1, FX_CALL6 = 2, FX_INLINE = 3 };

/* The byte of the site in fx_call that fixture_mode() changes, and its values. */
static inline const volatile uint8_t *fx_byte(void)
{
    const int jump = FX_KIND == FX_CALL ? 0 : FX_KIND == FX_CALL6 ? 1 : 4;
    return (const volatile uint8_t *)(uintptr_t)fx_call + 4 +
           (fixture_mode() == SDT_MODE_TRAP ? 1 : jump);
}
#define FX_ON (fixture_mode() == SDT_MODE_TRAP ? 0xcc : FX_KIND == FX_INLINE ? 0x00 : 0xe8)
#define FX_OFF                                                                                     \
    (FX_KIND == FX_CALL6               ? 0x3e                                                      \
     : fixture_mode() == SDT_MODE_TRAP ? 0x66                                                      \
     : FX_KIND == FX_INLINE            ? 0x84                                                      \
                                       : 0x90)

/*
 * gcc 12's AddressSanitizer does not take its allocator's locks around fork(): if another thread
 * has one at that moment, the child's first malloc() waits for ever, with or without probes.
 */
#ifdef __SANITIZE_ADDRESS__
#define CHILD_MAY_ALLOCATE 0
#else
#define CHILD_MAY_ALLOCATE 1
#endif

/* Checks that failed, in all files of the program. */
__attribute__((weak)) int fixture_failures;

#define CHECK(condition) fixture_check(condition, #condition, __LINE__)
static inline void fixture_check(int ok, const char *what, int line)
{
    if (ok)
        return;
    __atomic_fetch_add(&fixture_failures, 1, __ATOMIC_RELAXED);
    fprintf(stderr, "line %d: failed: %s\n", line, what);
}

#define CHECK_EQUAL(got, expected)                                                                 \
    fixture_check_equal((long long)(got), (long long)(expected), #got, __LINE__)
static inline void fixture_check_equal(long long got, long long expected, const char *what,
                                       int line)
{
    if (got == expected)
        return;
    __atomic_fetch_add(&fixture_failures, 1, __ATOMIC_RELAXED);
    fprintf(stderr, "line %d: %s is %lld, expected %lld\n", line, what, got, expected);
}

static inline int fixture_done(void)
{
    if (fixture_failures == 0)
        puts("ok");
    return fixture_failures != 0;
}

static inline word fixture_bits(double number)
{
    word bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

#endif
