/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a probe costs while it is disabled: functions in whose machine code the instructions are
 * counted, with our header, with SystemTap's, and (NONE) without probes.
 */
#if defined(NONE)
#define PROBE(count, ...) (void)0
#else
#include <sys/sdt.h>
#define PROBE(count, ...) STAP_PROBE##count(cost, __VA_ARGS__)
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct node {
    struct node *next;
    long key;
    int size;
    char tag;
    double weight;
    short s[4];
    unsigned char *bytes;
};
extern int global_i;
static long counter;
extern int external(int);

void none(void)
{
    PROBE(, none);
}

int leaf(int a, int b)
{
    PROBE(2, leaf, a, b);
    return a + b;
}

int before_call(int a, int b)
{
    PROBE(2, bc, a, b);
    return external(a) + b;
}

int after_call(int a, int b)
{
    int r = external(a);
    PROBE(3, ac, a, b, r);
    return r;
}

long field(struct node *n)
{
    PROBE(3, field, n->key, n->size, n->tag);
    return n->key;
}

long pointer(struct node *n)
{
    PROBE(2, pointer, n, n->next);
    return n->key;
}

int globals(int a)
{
    PROBE(3, globals, global_i, counter, a);
    counter += a;
    return global_i;
}

long loop(struct node *n)
{
    long sum = 0;
    for (; n; n = n->next) {
        PROBE(2, loop, n, sum);
        sum += n->key;
    }
    return sum;
}

double fp(double a, double b)
{
    double c = a * b;
    PROBE(2, fp, a, c);
    return c + b;
}

double fploop(const double *v, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += v[i] * 2;
        PROBE(2, fpl, s, i);
    }
    return s;
}

int many(int a, int b, int c, int d, int e, int f)
{
    PROBE(6, many, a, b, c, d, e, f);
    return a;
}

long twelve(long a, long b, long c, long d, long e, long f, long g, long h)
{
    PROBE(12, twelve, a, b, c, d, e, f, g, h, a + b, c, d, 12);
    return a ^ h;
}

long twelvefields(struct node *n, struct node *m)
{
    PROBE(12, tf, n, m, n->key, n->size, n->tag, n->s[0], n->s[1], n->bytes, m->key, m->size,
          m->tag, m->bytes);
    return 0;
}

int constant(void)
{
    PROBE(3, constant, 1, -2L, "text");
    return 0;
}

int local_array(int n)
{
    char buf[100];
    PROBE(2, la, buf, n);
    external((int)buf[n]);
    return buf[n];
}

int index_(const int *v, long i)
{
    PROBE(1, index, v[i]);
    return v[i + 1];
}

short shorts(struct node *n, int i)
{
    PROBE(2, shorts, n->s[i], n->s[0]);
    return n->s[i];
}

int branch(int a, int b)
{
    if (a > b) {
        PROBE(1, br1, a);
        return external(a);
    }
    PROBE(1, br2, b);
    return b;
}

int computed(int a, int b)
{
    PROBE(2, computed, a * b, a - b);
    return a;
}

int sw(int a)
{
    switch (a) {
    case 1:
        PROBE(1, sw, a);
        return 5;
    case 2:
        PROBE(1, sw, a + 1);
        return 7;
    default:
        return external(a);
    }
}

float flt(float a, struct node *n)
{
    PROBE(2, flt, a, n->weight);
    return a;
}

void byref(int *out, int v)
{
    *out = v;
    PROBE(2, byref, out, *out);
}
#ifdef __cplusplus
}
#endif
