/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes of every kind in a program of 32 bits that needs no library, so that any machine with an
 * x86-64 compiler can build and run it: test_i386.py. Linked with -Wl,-N, it can also change its
 * own text: `arm` makes it write the one byte that turns a tail call on.
 */
#include <stddef.h>
#include <stdint.h>

#define HIDDEN __attribute__((visibility("hidden")))
#define OWN __attribute__((noinline)) HIDDEN

extern void __dtrace_sdt_web___begin(int number, const char *path);
extern void __dtrace_sdt_web___end(void);
extern int __dtrace_sdtenabled_web___begin(void);

static int call(int number, int a, const void *b, size_t c)
{
    int result;
    __asm__ volatile("push %%ebx\n\tmov %2,%%ebx\n\tint $0x80\n\tpop %%ebx"
                     : "=a"(result)
                     : "a"(number), "S"(a), "c"(b), "d"(c)
                     : "memory");
    return result;
}

static void say(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    call(4, 1, text, length); /* write */
}

OWN void at_the_end(int x)
{
    say("at the end\n");
    __dtrace_sdt_web___begin(x, "tail");
}

OWN void perhaps(int x)
{
    if (x)
        __dtrace_sdt_web___end();
}

OWN int asks(void)
{
    return __dtrace_sdtenabled_web___begin();
}

OWN int work(int x)
{
    say("before\n");
    __dtrace_sdt_web___begin(x, "path");
    if (__dtrace_sdtenabled_web___begin() || asks())
        say("enabled\n");
    at_the_end(x);
    perhaps(x);
    __dtrace_sdt_web___end();
    say("after\n");
    return x;
}

#ifdef ARM
/* As <sdt/format.h> has it. */
struct site {
    int32_t pc, probe, others[6];
    uint32_t line;
    uint8_t kind, nargs;
    uint16_t flags;
};
extern struct site __start_sdt_sites[] HIDDEN, __stop_sdt_sites[] HIDDEN;
extern void handler(void) HIDDEN;

/* A stub jumps here: %eax the site's patch byte, %ecx the probe, %edx this function. */
__asm__(".text\n"
        "handler: cmpb $0xe9,(%eax)\n"
        "        jne  1f\n"
        "        cmp  %edx,(%ecx)\n"
        "        jne  1f\n"
        "        call hit\n"
        "1:      ret\n");
__attribute__((used)) OWN void hit(void)
{
    say("hit\n");
}

static void arm(void)
{
    for (struct site *site = __start_sdt_sites; site < __stop_sdt_sites; site++) {
        uint8_t *pc = (uint8_t *)&site->pc + site->pc;
        void **way = (void **)(void *)((uint8_t *)&site->probe + site->probe);
        *way = (void *)handler;
        if (*pc == 0xc3)
            *pc = 0xe9;
    }
}
#endif

#ifdef REGISTER
extern void (*__init_array_start[])(void) HIDDEN, (*__init_array_end[])(void)HIDDEN;

__attribute__((regparm(1))) void __sdt_register(const uint32_t *dso);
__attribute__((regparm(1))) void __sdt_register(const uint32_t *dso)
{
    say(*dso == 0x4c544453 ? "registered\n" : "something else\n");
}
#endif

void _start(void);
void _start(void)
{
#ifdef REGISTER
    for (size_t i = 0; i < (size_t)(__init_array_end - __init_array_start); i++)
        __init_array_start[i]();
#endif
#ifdef ARM
    arm();
#endif
    call(1, work(7) == 7 ? 0 : 1, NULL, 0); /* exit */
    for (;;)
        ;
}
