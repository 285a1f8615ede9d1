/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/event.h> -- typed events: a struct, its description and its probe, from one list of fields.
 *
 *     #include <sdt/event.h>
 *
 *     SDT_EVENT(mem, alloc,                        once, at file scope
 *               SDT_FIELD(const void *, address),
 *               SDT_FIELD(size_t, size),
 *               SDT_FIELD_TEXT(pool, 32),
 *               SDT_FIELD_ARRAY(uint32_t, sizes, 8));
 *
 *     void *pool_get(struct pool *pool, size_t size)
 *     {
 *         ...
 *         SDT_RESERVE(mem, alloc, e);              declares e
 *         if (e) {                                 the event is on
 *             e->address = result;
 *             e->size = size;
 *             snprintf(e->pool, sizeof e->pool, "pool %d", pool->number);
 *             for (; e->sizes_length < pool->count && e->sizes_length < 8; e->sizes_length++)
 *                 e->sizes[e->sizes_length] = pool->sizes[e->sizes_length];
 *             SDT_COMMIT(mem, alloc, e);
 *         }
 *         ...
 *     }
 *
 * An event is for data that does not fit a line of SDT_PROBE: fields that are filled in one after
 * the other, perhaps in several functions, formatted text, collected arrays. While the event is
 * off, SDT_RESERVE is a test of a constant, and touches no memory.
 *
 *   SDT_EVENT(provider, name, field...)
 *       Declares the event `provider:name` with 1 to 12 fields. At file or namespace scope, in a
 *       header or in a source file. Provider and name are as in <sdt/probe.h>.
 *   SDT_RESERVE(provider, name, e)
 *       Declares `e`, a pointer to the fields of an event, all of them zero or empty; NULL while
 *       the event is off. They are on the stack of this function, and live until the end of the
 *       enclosing block.
 *   SDT_COMMIT(provider, name, e)
 *       The event happens now, with the current fields. Nothing happens if e is NULL. The fields
 *       keep their values, and may be changed and committed again, as another event.
 *   SDT_DISCARD(provider, name, e)
 *       The event does not happen; e becomes NULL.
 *   SDT_EVENT_ENABLED(provider, name)
 *       Not 0 while the event is on.
 *   SDT_EVENT_TYPE(provider, name)
 *       The type of its fields, `struct sdt_event_<provider>_<name>`, for functions that fill in
 *       some of them.
 *
 * The fields of the struct, by their form in the list:
 *
 *   SDT_FIELD(type, f)              type f: a number, bool, enum or pointer. A char * stands for
 *                                   the text that it points to when the event is committed
 *   SDT_FIELD_HEX(type, f)          type f: an integer to be shown in base 16
 *   SDT_FIELD_PTR(type, f)          type f: an address, also of a char
 *   SDT_FIELD_TEXT(f, most)         char f[most]: text in the event itself. The last byte becomes 0
 *   SDT_FIELD_ARRAY(type, f, most)  type f[most], and size_t f_length: numbers in the event itself,
 *                                   of which the first f_length count
 *   SDT_FIELD_SEQUENCE(type, f)     const type *f, and size_t f_length: numbers somewhere else, as
 *                                   they are when the event is committed
 *
 * A type is one name, or one with `*` after it: what `type f;` may declare.
 *
 * Consumers. The event is a probe: where it is committed is a site of the probe `provider:name`,
 * and its fields are the arguments. So patterns switch it on and off as they do with any probe, in
 * libraries that are loaded later as well; sdt_enable() passes the fields to handlers, with their
 * names and types; recorders, tracers and `sdtlink list` also see them. ARRAY and SEQUENCE are
 * three arguments each (an address, a length, and the type of the elements); an event has at most
 * 12 arguments. External tracers see the event while sdt_enable() or a recorder has it on, or with
 * SDT_SEMAPHORES.
 *
 * In a recording, an event is written in one piece when it is committed, with the time of that
 * moment. Until then only the fields on the function's stack exist. So an event may be reserved
 * while others are, in signal handlers, in any thread and in handlers of other probes; and one that
 * is never committed, because of longjmp, an exception, or SIGKILL, has not happened, and blocks
 * nothing (docs/decisions/0031-typed-events.md).
 *
 * N.B. The source location of an event is that of SDT_EVENT; its function is the one that commits
 * it.
 *
 * N.B. A recorder limits texts and arrays to the size of any text: <sdt/record.h>.
 *
 * N.B. With SDT_NO_NAMES fields are arg0, arg1, ..., and arrays are addresses and lengths.
 *
 * How to build, SDT_DISABLE, dialects: as in <sdt/probe.h>.
 */
#ifndef SDT_EVENT_H
#define SDT_EVENT_H

#include <sdt/probe.h>
#include <stddef.h>

#if defined(__GNUC__)
#pragma GCC system_header /* for the reasons given in <sdt/probe.h> */
#endif

#define SDT_EVENT(provider, name, ...)                                                             \
    SDT_EVENT_DECLARE_(SDT_COUNT_(~, __VA_ARGS__), provider, name, __VA_ARGS__)
#define SDT_RESERVE(provider, name, e)                                                             \
    SDT_EVENT_TYPE(provider, name) e##_room_;                                                      \
    SDT_EVENT_TYPE(provider, name) *e =                                                            \
        SDT_EVENT_ENABLED(provider, name) ? SDT_EVENT_CALL_(clear, provider, name)(&e##_room_) : 0
#define SDT_COMMIT(provider, name, e) SDT_EVENT_CALL_(commit, provider, name)(e)
#define SDT_DISCARD(provider, name, e) ((void)((e) = 0))
#define SDT_EVENT_ENABLED(provider, name) SDT_PROBE_ENABLED(provider, name)
#define SDT_EVENT_TYPE(provider, name) struct SDT_EVENT_CALL_(event, provider, name)

/*
 * What follows is internal. An item of the list, `SDT_FIELD(size_t, size)`, is not a macro: pasted
 * to a prefix, it becomes one.
 *
 *   SDT_MEMBER_   its members of the struct
 *   SDT_CLEAR_    statements that make it empty
 *   SDT_CLOSE_    statements that run before it is read
 *   SDT_VALUES_   its arguments of the probe, each after a comma
 *   SDT_TEXT_OF_  how <sdt/probe.h> would spell them
 */
#define SDT_EVENT_CALL_(what, provider, name) SDT_EVENT_GLUE_(sdt_##what##_, provider, name)
#define SDT_EVENT_GLUE_(prefix, provider, name) prefix##provider##_##name

#define SDT_EVENT_DECLARE_(count, ...) SDT_EVENT_DECLARE2_(count, __VA_ARGS__)
#define SDT_EVENT_DECLARE2_(count, provider, name, ...)                                            \
    struct sdt_event_##provider##_##name {                                                         \
        SDT_NUMBERED_(count, SDT_MEMBER_OF_, ~, __VA_ARGS__)                                       \
    };                                                                                             \
    SDT_EVENT_FUNCTION_ struct sdt_event_##provider##_##name *sdt_clear_##provider##_##name(       \
        struct sdt_event_##provider##_##name *sdt_e)                                               \
    {                                                                                              \
        SDT_NUMBERED_(count, SDT_CLEAR_OF_, ~, __VA_ARGS__)                                        \
        return sdt_e;                                                                              \
    }                                                                                              \
    SDT_EVENT_FUNCTION_ void sdt_commit_##provider##_##name(                                       \
        struct sdt_event_##provider##_##name *sdt_e)                                               \
    {                                                                                              \
        SDT_EVENT_LIMIT_(count)                                                                    \
        if (!sdt_e)                                                                                \
            return;                                                                                \
        SDT_NUMBERED_(count, SDT_CLOSE_OF_, ~, __VA_ARGS__)                                        \
        SDT_SPELLED_(#name SDT_NUMBERED_(count, SDT_TEXT_OF_OF_, ~, __VA_ARGS__), provider,        \
                     name SDT_NUMBERED_(count, SDT_VALUES_OF_, ~, __VA_ARGS__));                   \
    }                                                                                              \
    struct sdt_event_##provider##_##name

#if defined(SDT_DISABLE)
#define SDT_EVENT_LIMIT_(count)
#else
#define SDT_EVENT_LIMIT_(count) SDT_LIMIT_(count)
#endif

/* Inline even without optimisation: the site is in the function that commits. */
#define SDT_EVENT_FUNCTION_                                                                        \
    static __inline__ __attribute__((__always_inline__, __unused__, __nothrow__))

#define SDT_MEMBER_OF_(i, item) SDT_MEMBER_##item
#define SDT_MEMBER_SDT_FIELD(type, f) type f;
#define SDT_MEMBER_SDT_FIELD_HEX(type, f) type f;
#define SDT_MEMBER_SDT_FIELD_PTR(type, f) type f;
#define SDT_MEMBER_SDT_FIELD_TEXT(f, most) char f[most];
#define SDT_MEMBER_SDT_FIELD_ARRAY(type, f, most)                                                  \
    type f[most];                                                                                  \
    size_t f##_length;
#define SDT_MEMBER_SDT_FIELD_SEQUENCE(type, f)                                                     \
    const type *f;                                                                                 \
    size_t f##_length;

#if defined(__cplusplus)
namespace sdt_detail_
{
template <typename T> inline __attribute__((__always_inline__)) void clear(T &x)
{
    x = T();
}
} // namespace sdt_detail_
#define SDT_EVENT_CLEAR_(type, x) ::sdt_detail_::clear(x)
#else
#define SDT_EVENT_CLEAR_(type, x) x = (type)0
#endif

#define SDT_CLEAR_OF_(i, item) SDT_CLEAR_##item
#define SDT_CLEAR_SDT_FIELD(type, f) SDT_EVENT_CLEAR_(type, sdt_e->f);
#define SDT_CLEAR_SDT_FIELD_HEX(type, f) SDT_EVENT_CLEAR_(type, sdt_e->f);
#define SDT_CLEAR_SDT_FIELD_PTR(type, f) SDT_EVENT_CLEAR_(type, sdt_e->f);
#define SDT_CLEAR_SDT_FIELD_TEXT(f, most) sdt_e->f[0] = 0;
#define SDT_CLEAR_SDT_FIELD_ARRAY(type, f, most) sdt_e->f##_length = 0;
#define SDT_CLEAR_SDT_FIELD_SEQUENCE(type, f)                                                      \
    sdt_e->f = 0;                                                                                  \
    sdt_e->f##_length = 0;

#define SDT_CLOSE_OF_(i, item) SDT_CLOSE_##item
#define SDT_CLOSE_SDT_FIELD(type, f)
#define SDT_CLOSE_SDT_FIELD_HEX(type, f)
#define SDT_CLOSE_SDT_FIELD_PTR(type, f)
#define SDT_CLOSE_SDT_FIELD_TEXT(f, most) sdt_e->f[sizeof sdt_e->f - 1] = 0;
#define SDT_CLOSE_SDT_FIELD_ARRAY(type, f, most)                                                   \
    if (sdt_e->f##_length > sizeof sdt_e->f / sizeof sdt_e->f[0])                                  \
        sdt_e->f##_length = sizeof sdt_e->f / sizeof sdt_e->f[0];
#define SDT_CLOSE_SDT_FIELD_SEQUENCE(type, f)

#define SDT_VALUES_OF_(i, item) SDT_VALUES_##item
#define SDT_VALUES_SDT_FIELD(type, f) , sdt_e->f
#define SDT_VALUES_SDT_FIELD_HEX(type, f) , sdt_e->f
#define SDT_VALUES_SDT_FIELD_PTR(type, f) , sdt_e->f
#define SDT_VALUES_SDT_FIELD_TEXT(f, most) , sdt_e->f
#define SDT_VALUES_SDT_FIELD_ARRAY(type, f, most) , sdt_e->f, sdt_e->f##_length, (type)0
#define SDT_VALUES_SDT_FIELD_SEQUENCE(type, f) , sdt_e->f, sdt_e->f##_length, (type)0

#define SDT_TEXT_OF_OF_(i, item) SDT_TEXT_OF_##item
#define SDT_TEXT_OF_SDT_FIELD(type, f) ", SDT_NAMED(\"" #f "\", f)"
#define SDT_TEXT_OF_SDT_FIELD_HEX(type, f) ", SDT_NAMED(\"" #f "\", SDT_HEX(f))"
#define SDT_TEXT_OF_SDT_FIELD_PTR(type, f) ", SDT_NAMED(\"" #f "\", SDT_PTR(f))"
#define SDT_TEXT_OF_SDT_FIELD_TEXT(f, most) ", SDT_NAMED(\"" #f "\", SDT_STR(f))"
#define SDT_TEXT_OF_SDT_FIELD_ARRAY(type, f, most)                                                 \
    ", SDT_NAMED(\"" #f "\", SDT_ARRAY(f, " #f "_length))"
#define SDT_TEXT_OF_SDT_FIELD_SEQUENCE(type, f)                                                    \
    ", SDT_NAMED(\"" #f "\", SDT_ARRAY(f, " #f "_length))"

#endif
