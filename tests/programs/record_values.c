/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Arguments of every type, at the ends of each. record_values.cc is the same in C++. What is here
 * stands in test_record_values.py once more.
 */
#include <float.h>
#include <math.h>
#include <sdt/probe.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static void integers(int8_t a, int16_t b, int32_t c, int64_t d, uint8_t e, uint16_t f, uint32_t g,
                     uint64_t h)
{
    SDT_PROBE(rec, integers, a, b, c, d, e, f, g, h);
    SDT_PROBE(rec, hex, SDT_HEX(a), SDT_HEX(b), SDT_HEX(c), SDT_HEX(d), SDT_HEX(e), SDT_HEX(f),
              SDT_HEX(g), SDT_HEX(h));
}

static void reals(double d, int i)
{
    float f = (float)d;
    SDT_PROBE(rec, reals, i, d, f, SDT_NAMED("sum", d + f));
}

static void truths(bool yes, bool no)
{
    SDT_PROBE(rec, truths, yes, no, SDT_NAMED("size", (uint16_t)7));
}

static void pointers(const void *p, const int *q, const char *s)
{
    SDT_PROBE(rec, pointers, p, q, SDT_PTR(s));
}

static void texts(const char *text, const unsigned char *other, int tail)
{
    SDT_PROBE(rec, texts, text, SDT_STR(other), SDT_STR((const void *)text), tail);
}

static void bytes(const void *p, unsigned n)
{
    SDT_PROBE(rec, bytes, SDT_BYTES(p, n), SDT_NAMED("behind", 42));
}

static void all_texts(void)
{
    static char many[301], page_end[] = "the end";
    char *pages =
        (char *)mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(pages + 4096, 4096);
    memcpy(pages + 4096 - 8, page_end, 8); /* with its NUL, right before nothing */
    memset(many, 'x', 300);
    const char *const all[] = {"",           many + 45,        many + 44,
                               many,         "\xff\xfe z\xcc", NULL,
                               pages + 4096, (char *)16,       (char *)0xdead000000000000,
                               pages + 4088, pages + 4090};
    pages[4095] = '\0';
    for (int i = 0; i < 11; i++)
        texts(all[i], (const unsigned char *)all[i], i);
    pages[4095] = '!'; /* and without */
    texts(pages + 4088, NULL, 11);
    bytes(many, 0);
    bytes("a\0b\xff", 4);
    bytes(many, 300);
    bytes(NULL, 5);
    bytes(pages + 4096, 5);
    bytes(pages + 4092, 4);
}

int main(void)
{
    integers(0, 0, 0, 0, 0, 0, 0, 0);
    integers(-1, -1, -1, -1, 1, 1, 1, 1);
    integers(INT8_MIN, INT16_MIN, INT32_MIN, INT64_MIN, UINT8_MAX, UINT16_MAX, UINT32_MAX,
             UINT64_MAX);
    integers(INT8_MAX, INT16_MAX, INT32_MAX, INT64_MAX, 128, 32768, 1u << 31, UINT64_C(1) << 63);
    const double numbers[] = {0.0,          -0.0,     1.5,       -0.1, DBL_MAX,
                              DBL_TRUE_MIN, INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 9; i++)
        reals(numbers[i], i);
    truths(true, false);
    pointers(NULL, (const int *)8, "text");
    pointers((const void *)UINTPTR_MAX, (const int *)(UINTPTR_MAX / 2 + 1), (const char *)1);
    all_texts();
    return 0;
}
