/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments that are enumerations, in the ways that they are spelled; test_enum_dwarf.py knows. */
#include <sdt/probe.h>

enum state { IDLE, BUSY = 3, GONE = -1 };
typedef const enum { RED = 1, GREEN, BLUE } colour;
enum other { ONE = 1, TWO };
enum told { LATER };

struct deep {
    colour shade;
};
struct conn {
    const struct deep *deep;
    volatile enum state state;
    enum other mode : 4;
    int level;
    enum told told;
    enum state both;
};
/* Other things called `kind` and `both`, and a `mode` that is a float: that cannot be meant. */
struct unrelated {
    int kind;
    float mode;
    enum other both;
};

struct unrelated unrelated = {1, 1, TWO};
static colour theme = BLUE;

SDT_ENUM_NAMES(enums, members, told, {0, "as_told"});

static inline __attribute__((always_inline)) void inlined(enum other inside, int n)
{
    SDT_PROBE(enums, inlined, inside, n);
}

__attribute__((noinline)) enum other chosen(int n)
{
    return n > 1 ? TWO : ONE;
}

__attribute__((noinline)) void members(struct conn *conn, int n)
{
    SDT_PROBE(enums, members, conn->state, conn->deep->shade, conn->mode, conn->level, n,
              conn->told);
}

__attribute__((noinline)) void variables(enum state now, enum other *places, int x)
{
    SDT_PROBE(enums, variables, (long)now, places[x], *places, theme, chosen(x), TWO);
    inlined(places[0], x);
}

/* `kind` is also a member with another type; `now` is an enumeration in another function only. */
__attribute__((noinline)) void doubtful(enum state kind, int now, const struct conn *conn)
{
    SDT_PROBE(enums, doubtful, kind, now, now + kind, (int)-kind, conn->both);
}

int main(int argc, char **argv)
{
    (void)argv;
    struct deep deep = {GREEN};
    struct conn conn = {&deep, BUSY, TWO, 1, LATER, BUSY};
    enum other places[] = {ONE, TWO};
    members(&conn, argc);
    variables(GONE, places, argc);
    doubtful(BUSY, 3, &conn);
    doubtful((enum state)77, 77, &conn);
    members(&(struct conn){&deep, (enum state)77, ONE, 1, LATER, IDLE}, argc);
    return 0;
}
