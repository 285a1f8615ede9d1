/* SPDX-License-Identifier: BSD-2-Clause */
/* Code of a kernel: every kind of site, and one that is freed after the start.
 * freestanding_kernel.c is what it is linked with. */
#include <sdt/probe.h>

void __dtrace_sdt_kernel___call(long number, const char *text);
void __dtrace_sdt_kernel___last(long number);
int __dtrace_sdtenabled_kernel___asked(void);

int work(const char *what, int number);
void last(int number);
void last_perhaps(int number);
int asked_last(void);
int begin(int number);
long keep(long value);

#define SEPARATE __attribute__((noinline))

SEPARATE int work(const char *what, int number)
{
    SDT_PROBE(kernel, work, SDT_STR(what), number);
    __dtrace_sdt_kernel___call(number, what);
    SDT_PROBE_LAZY(kernel, lazy, number * 3);
    return number * 2;
}

#ifdef KEEPS
struct pair {
    long first, second;
};
void follow(const struct pair *pair);
void local(long value);

SEPARATE void follow(const struct pair *pair)
{
    SDT_PROBE(kernel, follow, pair->second);
}

/* The argument is on the stack. */
SEPARATE void local(long value)
{
    struct pair pair = {value, 2 * value};
    __asm__ volatile("" ::"r"(&pair) : "memory");
    SDT_PROBE(kernel, local, pair.second);
    __asm__ volatile("" ::"r"(&pair) : "memory");
}

long kept; /* of the arguments of kernel:keep */

/* More values than registers: some are in every one of them. */
SEPARATE long keep(long value)
{
    long a = value, b = a * 3 + 1, c = b ^ a, d = c + b * 5, e = d - a, f = e * 7, g = f ^ d;
    long h = g + 11, i = h * a, j = i - c, k = j ^ b, l = k + f, m = l * 3, n = m - g, o = n ^ e;
    for (volatile int round = 0; round < 3; round++) { /* one site, however it is compiled */
        kept = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k;
        SDT_PROBE(kernel, keep, a, b, c, d, e, f, g, h, i, j, k);
        a += b ^ o, b += c, c ^= d, d += e, e -= f, f ^= g, g += h, h ^= i, i += j, j -= k, k ^= l;
        l += m, m ^= n, n += o, o -= a;
    }
    return a + b * 3 + c * 5 + d * 7 + e + f + g + h + i + j + k + l + m + n + o;
}
#endif

SEPARATE void last(int number)
{
    __dtrace_sdt_kernel___last(number);
}

/* clang -Os makes one instruction of it, a conditional jump. */
SEPARATE void last_perhaps(int number)
{
    if (number > 3)
        __dtrace_sdt_kernel___last(number);
}

SEPARATE int asked_last(void)
{
    return __dtrace_sdtenabled_kernel___asked();
}

SEPARATE __attribute__((section(".init.text"))) int begin(int number)
{
    SDT_PROBE(kernel, begin, number);
    return number + 1;
}
