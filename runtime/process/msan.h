/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs under MemorySanitizer (clang), which knows of each byte whether it was initialised: by
 * instrumented code, and this library is none. So what the library hands to functions of the C
 * library that the sanitizer intercepts would be reported, and the program ended; and so would what
 * it has written for the program, once that is used.
 *
 * These functions are the sanitizer's own, for such libraries. Elsewhere they are not there.
 */
#ifndef SDT_MSAN_H
#define SDT_MSAN_H

#include <stdbool.h>
#include <stddef.h>

extern void __msan_scoped_disable_interceptor_checks(void) __attribute__((weak));
extern void __msan_scoped_enable_interceptor_checks(void) __attribute__((weak));
extern void __msan_unpoison(const volatile void *memory, size_t n) __attribute__((weak));
extern void __msan_unpoison_string(const volatile char *text) __attribute__((weak));
extern void __msan_unpoison_param(size_t n) __attribute__((weak));

static inline bool msan_is_there(void)
{
    return __msan_unpoison && __msan_unpoison_string && __msan_unpoison_param;
}

/* What this thread gives to functions of the C library is not checked until msan_end(). */
static inline int msan_begin(void)
{
    if (__msan_scoped_disable_interceptor_checks)
        __msan_scoped_disable_interceptor_checks();
    return 0;
}

static inline void msan_end(const int *scope)
{
    (void)scope;
    if (__msan_scoped_enable_interceptor_checks)
        __msan_scoped_enable_interceptor_checks();
}

/* The same from here to the end of the block: at the beginning of what others call. */
#define MSAN_LOOKS_AWAY                                                                            \
    __attribute__((cleanup(msan_end), unused)) const int msan_scope = msan_begin()

/* The program may use the N bytes at MEMORY, and TEXT, which may be NULL. */
static inline void msan_knows(const void *memory, size_t n)
{
    if (__msan_unpoison && memory)
        __msan_unpoison(memory, n);
}

static inline void msan_knows_text(const char *text)
{
    if (__msan_unpoison_string && text)
        __msan_unpoison_string(text);
}

/* The next function that is called has N parameters, all initialised. */
static inline void msan_knows_parameters(size_t n)
{
    if (__msan_unpoison_param)
        __msan_unpoison_param(n);
}

#endif
