/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See hit.h. An event is put together on the stack first, where nothing can come in between, and
 * then copied into the ring in one restartable sequence: for what an event is long, that costs a
 * nanosecond or two, and there is no such thing as an event that was begun and not finished. A
 * signal handler that records, a thread that is killed or cancelled, longjmp: none of them finds
 * or leaves anything half done.
 *
 * This file is compiled for general registers only: the program's vector registers are in place.
 */
#include "hit.h"

#include "../argument.h"
#include "../counters.h"
#include "../dispatch.h"
#include "../fault.h"
#include "../peek.h"
#include "../sync.h"
#include "clock.h"

#include <arch/layout_x86_64.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(offsetof(struct ring, head) == RING_HEAD, "layout_x86_64.h");
_Static_assert(offsetof(struct ring, last) == RING_LAST, "layout_x86_64.h");
_Static_assert(offsetof(struct ring_write, head) == WRITE_HEAD, "layout_x86_64.h");
_Static_assert(offsetof(struct ring_write, next) == WRITE_NEXT, "layout_x86_64.h");
_Static_assert(offsetof(struct ring_write, last) == WRITE_LAST, "layout_x86_64.h");
_Static_assert(offsetof(struct ring_write, to) == WRITE_TO, "layout_x86_64.h");
_Static_assert(offsetof(struct ring_write, from) == WRITE_FROM, "layout_x86_64.h");
_Static_assert(offsetof(struct ring_write, words) == WRITE_WORDS, "layout_x86_64.h");
_Static_assert(offsetof(struct ring_fields, head) == WRITE_HEAD, "layout_x86_64.h");
_Static_assert(offsetof(struct ring_fields, next) == WRITE_NEXT, "layout_x86_64.h");
_Static_assert(offsetof(struct ring_fields, last) == WRITE_LAST, "layout_x86_64.h");
_Static_assert(offsetof(struct ring_fields, to) == WRITE_TO, "layout_x86_64.h");
_Static_assert(offsetof(struct ring_fields, count) == FIELDS_COUNT, "layout_x86_64.h");
_Static_assert(offsetof(struct ring_fields, places) == FIELDS_PLACES, "layout_x86_64.h");
_Static_assert(offsetof(struct ring_fields, words) == FIELDS_WORDS, "layout_x86_64.h");

enum {
    HEADER = 16,       /* of an event: two words */
    MOST_BYTES = 2048, /* of an event with strings */
    MOST_TRIES = 100   /* then a debugger is stepping through here */
};

/* ---- Rings of threads, where there are no restartable sequences. ---- */

/* The ring of this thread, and whose it was when it was claimed: a child has its parent's. */
static __thread struct {
    uint32_t number;
    int tid;
} own __attribute__((tls_model("initial-exec")));

/* Whether there is no thread OWNER any more. */
static bool is_gone(int owner)
{
    return syscall(SYS_tkill, owner, 0) != 0;
}

/* Its number; out of line: once for each thread. One that is above all: there is none left. */
static __attribute__((noinline)) uint32_t claim_another(const struct rings *rings, int tid)
{
    for (int steal = 0; steal < 2; steal++)
        for (uint32_t i = 0; i < rings->file->cpus; i++) {
            struct ring *ring = ring_of(rings->file, rings->stride, i);
            int owner = atomic_load(&ring->owner);
            if ((owner == 0 || (steal && is_gone(owner))) &&
                atomic_compare_exchange_strong(&ring->owner, &owner, tid)) {
                own.number = i;
                own.tid = tid;
                return i;
            }
        }
    return UINT32_MAX;
}

static uint32_t claim_number(const struct rings *rings)
{
    int tid = sync_thread();
    return own.tid == tid ? own.number : claim_another(rings, tid);
}

/* ---- Into the ring. ---- */

/* The CPU, or a number above all. */
static inline uint32_t this_cpu(void)
{
    const char *area = (const char *)__builtin_thread_pointer() + counters_area;
    return *(const volatile uint32_t *)(const void *)(area + 4); /* cpu_id of struct rseq */
}

static void lose(struct ring *ring)
{
    atomic_fetch_add_explicit(&ring->lost, 1, memory_order_relaxed);
}

/*
 * Into a ring of this thread. A signal handler that records in the middle of the copy would have
 * its event, which is in the ring then, overwritten by the rest of it; so there is none.
 */
static __attribute__((noinline)) bool commit_alone(struct ring *ring,
                                                   const struct ring_write *write)
{
    const uint64_t all = UINT64_MAX; /* as the kernel has it: those of the C library as well */
    uint64_t old;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &old, sizeof old);
    bool is_done = ring_commit_alone(ring, write);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &old, NULL, sizeof old);
    return is_done;
}

static inline bool commit(const struct rings *rings, struct ring *ring,
                          const struct ring_write *write, uint32_t cpu)
{
    return __builtin_expect(rings->is_per_thread, 0) ? commit_alone(ring, write)
                                                     : ring_commit(ring, write, cpu);
}

static inline uint64_t who(const struct rings *rings, size_t bytes)
{
    int pid = *rings->pid;
    if (__builtin_expect(pid == 0, 0)) /* a child, and nobody was told */
        pid = (int)syscall(SYS_getpid);
    return ring_second_word((uint32_t)pid, (uint32_t)sync_thread(), bytes);
}

/* Record an event of CLASS, which ends at END in IMAGE; its first two words are filled in here. */
static inline void put(const struct rings *rings, uint32_t class, uint64_t *image, const char *end)
{
    const struct ring_file *file = rings->file;
    struct ring_write write;
    struct ring_packet packet;
    struct ring *ring = NULL;
    size_t bytes = (size_t)(end - (char *)image), words = (bytes + 7) / 8;
    image[1] = who(rings, bytes);
    for (unsigned tries = 0; tries < MOST_TRIES; tries++) {
        uint32_t cpu = rings->is_per_thread ? claim_number(rings) : this_cpu();
        if (cpu >= file->cpus)
            break;
        ring = ring_of(file, rings->stride, cpu);
        write.head = atomic_load_explicit(&ring->head, memory_order_relaxed);
        /* Behind the head: nobody's event that it has passed is later. */
        write.last = clock_read(rings->is_tsc);
        if (write.last < ring->last)
            write.last = ring->last;
        image[0] = ring_first_word(write.last, class);
        bool fits =
            !ring_is_far(ring->last, write.last) && ring_append(file, ring, image, words, &write);
        if (!fits && ring_turn(file, ring, cpu, write.last, &packet, &write) == RING_FULL)
            break;
        if (commit(rings, ring, &write, cpu) && fits)
            return;
    }
    lose(ring ? ring : ring_of(file, rings->stride, 0));
}

/* ---- Events. ---- */

/* In several steps. Out of line: this takes stack. */
static __attribute__((noinline)) void
record_slowly(const struct rings *rings, const struct recipe *recipe, const uint64_t *words)
{
    uint64_t image[2 + SDT_MAX_ARGS + 1];
    char *to = (char *)(image + 2);
    for (unsigned i = 0; i < recipe->count; i++) {
        memcpy(to, &words[i], sizeof words[i]);
        to += recipe->size[i];
    }
    memset(to, 0, sizeof(uint64_t));
    put(rings, recipe->class, image, to);
}

/* An event of a fixed size is not put together first, but in its place. */
static inline void record_fixed(const struct rings *rings, const struct recipe *recipe,
                                struct ring_fields *fields)
{
    const struct ring_file *file = rings->file;
    uint32_t cpu = this_cpu();
    fields->count = recipe->count;
    fields->places = recipe->place;
    fields->words[1] = who(rings, HEADER + (size_t)recipe->place[recipe->count]);
    if (__builtin_expect(cpu < file->cpus && !rings->is_per_thread, 1)) {
        struct ring *ring = ring_of(file, rings->stride, cpu);
        fields->head = atomic_load_explicit(&ring->head, memory_order_relaxed);
        fields->last = clock_read(rings->is_tsc);
        fields->next = fields->head + recipe->length * 8u;
        fields->to = ring_place(file, ring, fields->head);
        fields->words[0] = ring_first_word(fields->last, recipe->class);
        /* Time that goes back is far as well. */
        if (!ring_is_far(ring->last, fields->last) &&
            ring_has_room(file, fields->head, fields->next) &&
            ring_commit_fields(ring, fields, cpu))
            return;
    }
    record_slowly(rings, recipe, fields->words + 2);
}

/* Where an event with strings is put together. */
struct draft {
    char *to, *end;
    uint32_t text; /* most bytes of a string */
    bool is_guarded;
};

/* What no program has mapped need not be tried. */
static bool is_address(uintptr_t from)
{
    return from >= FIRST_PAGES && from >> 56 == 0;
}

/* At most MOST bytes at FROM, up to a NUL if IS_TEXT; what comes behind them stays free. */
static void put_memory(struct draft *draft, uintptr_t from, size_t most, bool is_text)
{
    size_t room = (size_t)(draft->end - draft->to);
    if (most > room)
        most = room;
    long length = !is_address(from)   ? -1
                  : draft->is_guarded ? copy_text(draft->to, from, most, is_text)
                                      : peek_text(draft->to, from, most, is_text);
    if (length < 0 && is_text) { /* there is room for these */
        memcpy(draft->to, from ? "<fault>" : "<null>\0", 8);
        length = from ? 7 : 6;
    }
    if (length > 0)
        draft->to += length;
}

static void put_string(struct draft *draft, uintptr_t from, size_t most)
{
    put_memory(draft, from, most < draft->text ? most : draft->text, true);
    *draft->to++ = '\0';
}

static void put_bytes(struct draft *draft, uintptr_t from, size_t most)
{
    char *length = draft->to;
    draft->to += sizeof(uint16_t);
    put_memory(draft, from, most < draft->text ? most : draft->text, false);
    uint16_t n = (uint16_t)(draft->to - length - sizeof n);
    memcpy(length, &n, sizeof n);
}

/* Out of line: this takes stack. */
static __attribute__((noinline)) void record_any(const struct rings *rings,
                                                 const struct recipe *recipe, const uint64_t *words)
{
    uint64_t image[MOST_BYTES / 8];
    enum { LEFT = SDT_MAX_ARGS * 16 }; /* for what is not text, lengths, NULs, "<fault>" */
    struct draft draft = {(char *)image + HEADER, (char *)image + sizeof image - LEFT, rings->text,
                          rings->is_guarded};
    for (unsigned i = 0; i < recipe->count; i++) {
        switch (recipe->kind[i]) {
        case FIELD_STRING:
            put_string(&draft, words[i], SIZE_MAX);
            break;
        case FIELD_TEXT:
            put_string(&draft, words[i], i + 1 < recipe->count ? words[i + 1] : 0);
            break;
        case FIELD_BYTES:
            put_bytes(&draft, words[i], i + 1 < recipe->count ? words[i + 1] : 0);
            break;
        default:
            memcpy(draft.to, &words[i], recipe->size[i]);
            draft.to += recipe->size[i];
        }
    }
    memset(draft.to, 0, sizeof(uint64_t));
    put(rings, recipe->class, image, draft.to);
}

/* How RECORD, of PROBE, is recorded; NULL: it is not. */
static inline const struct recipe *recipe_of(const struct probe *probe,
                                             const struct sdt_site *record)
{
    _Atomic(const struct recipe *) *recipes = probe ? probe->recipes : NULL;
    return recipes && record
               ? atomic_load_explicit(&recipes[record - probe->records], memory_order_acquire)
               : NULL;
}

static inline void record(struct sdt_event *event, const struct rings *rings,
                          const struct recipe *recipe)
{
    struct ring_fields fields;
    event->site = recipe->site;
    recipe->fetch->all(event, fields.words + 2, recipe->fetch);
    if (__builtin_expect(recipe->is_fixed, 1))
        record_fixed(rings, recipe, &fields);
    else
        record_any(rings, recipe, fields.words + 2);
}

static inline bool is_on(const struct rings *rings)
{
    return rings && atomic_load_explicit(&rings->is_on, memory_order_relaxed);
}

void recorder_hit(const struct sdt_event *event, void *data)
{
    const struct site *site = event_site(event);
    const struct recipe *recipe = site ? recipe_of(site->probe, site->record) : NULL;
    if (recipe && is_on(data))
        record((struct sdt_event *)event, data, recipe);
}

const struct rings *_Atomic recorder_rings;

void recorder_dispatch(struct sdt_event *event)
{
    struct reader *reader = sync_enter();
    if (!reader)
        return;
    const struct rings *rings = atomic_load_explicit(&recorder_rings, memory_order_acquire);
    const struct probe *probe = __atomic_load_n(&event->record->runtime, __ATOMIC_ACQUIRE);
    const struct recipe *recipe = recipe_of(probe, event_record(event));
    if (recipe && is_on(rings))
        record(event, rings, recipe);
    sync_leave(reader);
}
