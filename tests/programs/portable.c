/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every macro of every public header, for machines without probes. With -DPLAIN the same functions
 * without the macros: both must become the same code. A declaration that has no use but a probe
 * warns if the macro does not use it.
 */
#include <stddef.h>

#if !defined(PLAIN)
#include <sdt/event.h>
#include <sdt/freebsd.h>
#include <sdt/marker.h>
#include <sdt/probe.h>
#include <sdt/systemtap.h>

enum state { IDLE, BUSY };
SDT_ENUM_NAMES(port, scalars, state, {IDLE, "idle"}, {BUSY, "busy"});
SDT_EVENT(port, event, SDT_FIELD(const void *, address), SDT_FIELD(size_t, size),
          SDT_FIELD_HEX(unsigned, mask), SDT_FIELD_PTR(char *, place), SDT_FIELD_TEXT(text, 8),
          SDT_FIELD_ARRAY(int, numbers, 4), SDT_FIELD_SEQUENCE(int, others));
SDT_PROVIDER_DEFINE(kernel);
SDT_PROBE_DEFINE1(kernel, module, function, name, "int");
#endif

struct item {
    const char *name;
    unsigned bits : 5;
    float weight;
    double volume;
    long long big;
    int numbers[4];
};

#if defined(__cplusplus)
extern "C" {
#endif
int called(int x);
int scalars(int a, struct item *item, unsigned char c);
int asked(int a, struct item *item);
int others(int a, struct item *item);
int event(int a, struct item *item);
#if defined(__cplusplus)
}
#endif

int scalars(int a, struct item *item, unsigned char c)
{
#if !defined(PLAIN)
    int only_for_the_probe = a + 1;
    enum state state = a ? BUSY : IDLE;
    SDT_PROBE(port, nothing);
    SDT_PROBE(port, scalars, state, only_for_the_probe, item->name, item->bits, item->weight,
              item->volume, item->big, item->numbers, c, &called, called(a), a++);
    SDT_PROBE(port, meanings, SDT_HEX(a), SDT_PTR(item->name), SDT_STR(item->numbers),
              SDT_NAMED("size", sizeof *item));
    SDT_PROBE(port, memory, SDT_BYTES(item, sizeof *item), SDT_ARRAY(item->numbers, 4),
              SDT_TEXT(item->name, 3));
#else
    (void)item, (void)c;
#endif
    return a;
}

int asked(int a, struct item *item)
{
#if !defined(PLAIN)
    if (SDT_PROBE_ENABLED(port, asked)) {
        int dear = called(a);
        SDT_PROBE(port, asked, dear, item->name);
    }
    SDT_PROBE_LAZY(port, lazy, called(a), item->name);
#else
    (void)item;
#endif
    return a * 2;
}

int others(int a, struct item *item)
{
#if !defined(PLAIN)
    MARKER(place);
    SDT_PROBE1(kernel, module, function, name, a);
    if (SDT_PROBE_ENABLED(kernel, module, function, name) && SDT_PROBES_ENABLED())
        called(a);
    SYSTEMTAP_PROBE(any, a, item->name);
    SYSTEMTAP_PROBE_NS(letters, a, item->name);
#else
    (void)item;
#endif
    return a * 3;
}

int event(int a, struct item *item)
{
#if !defined(PLAIN)
    SDT_RESERVE(port, event, e);
    if (e) {
        e->address = item;
        e->size = sizeof *item;
        e->text[0] = 'x';
        e->numbers[e->numbers_length++] = a;
        e->others = item->numbers;
        e->others_length = 4;
        SDT_COMMIT(port, event, e);
    }
    if (SDT_EVENT_ENABLED(port, event))
        SDT_DISCARD(port, event, e);
#else
    (void)item;
#endif
    return a * 4;
}
