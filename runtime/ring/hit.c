/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See hit.h. The words of an event are assembled on the stack first, where nothing can interfere,
 * and then stored in the ring in one restartable sequence: so an event is never begun and left
 * unfinished. Each word is loaded as it was stored, and only in the ring do they overlap: a load of
 * bytes that two stores have written waits until both are in the cache. A signal handler that
 * records, a thread that is killed or cancelled, longjmp: none of them finds or leaves anything
 * half done.
 *
 * This file is compiled for general registers only: the program's vector registers are in place.
 */
#include "hit.h"

#include "clock.h"
#include "hit/argument.h"
#include "hit/counters.h"
#include "hit/sync.h"
#include "hit/walk.h"
#include "process/fault.h"
#include "process/pages.h"

#include <errno.h>
#include <machine/layout.h>
#include <machine/thread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    HEADER = 16,      /* of an event: two words */
    MAX_TEXTS = 1776, /* of an event with texts: where the last one ends, at most */
    MAX_TRIES = 100,  /* then a debugger is stepping through here */
    MAX_SNAPSHOT = 10 /* seconds that it may take */
};

/* ---- Rings of threads, where there are no restartable sequences. ---- */

/* The ring of this thread, and whose it was when it was claimed: a child has its parent's. */
static __thread struct {
    uint32_t number;
    int tid;
} own __attribute__((tls_model("initial-exec")));

/* Whether there is no thread OWNER any more. The program's errno is kept. */
static bool is_gone(int owner)
{
    int saved = errno;
    bool gone = syscall(SYS_tkill, owner, 0) != 0 && errno == ESRCH;
    errno = saved;
    return gone;
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
    const char *area = machine_thread() + counters_area;
    return *(const volatile uint32_t *)(const void *)(area + 4); /* cpu_id of struct rseq */
}

static void lose(struct ring *ring)
{
    atomic_fetch_add_explicit(&ring->lost, 1, memory_order_relaxed);
}

static inline uint64_t who(const struct rings *rings, size_t bytes)
{
    int pid = *rings->pid;
    if (__builtin_expect(pid == 0, 0)) /* a child whose fork was not noticed */
        pid = (int)syscall(SYS_getpid);
    uint64_t length = __builtin_expect(bytes <= RING_LOW_BYTES, 1) ? bytes << RING_PROCESS_BITS
                                                                   : ring_second_word(0, 0, bytes);
    return ring_second_word((uint32_t)pid, (uint32_t)sync_thread(), 0) | length;
}

/* Where the event of FIELDS goes in RING at NOW, in words[0] as well. */
static bool aim(const struct rings *rings, struct ring *ring, uint64_t class, size_t bytes,
                struct ring_fields *fields)
{
    fields->head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    /* After the head: no event that it has passed is later. */
    fields->last = rings->is_tsc ? clock_cycles() : clock_monotonic();
    if (fields->last < ring->last) /* time went back: as if it stood still */
        fields->last = ring->last;
    fields->next = fields->head + ((bytes + 7) & ~(size_t)7);
    fields->to = ring_place(rings->file, ring, fields->head);
    fields->words[0] = class | ring_first_word(fields->last, 0);
    return !ring_is_far(ring->last, fields->last) &&
           ring_has_room(rings->file, fields->head, fields->next);
}

/* Begin or end a packet, unless the ring has changed meanwhile. False: there is no room. */
static bool turn(const struct rings *rings, struct ring *ring, uint32_t cpu,
                 const struct ring_fields *fields)
{
    struct ring_packet packet;
    struct ring_write write = {.head = fields->head, .last = fields->last};
    if (!ring_turn(rings->file, ring, cpu, write.last, &packet, &write))
        return false;
    if (rings->is_per_thread)
        ring_commit_alone(ring, &write);
    else
        ring_commit(ring, &write, cpu);
    return true;
}

static bool commit_fields(const struct rings *rings, struct ring *ring, uint32_t cpu,
                          const struct ring_fields *fields)
{
    return rings->is_per_thread ? ring_commit_fields_alone(ring, fields)
                                : ring_commit_fields(ring, fields, cpu);
}

/* The ring that it went to, or that has no room; NULL: there is none. *IS_DONE: it did go there. */
static struct ring *record_in_steps(const struct rings *rings, uint64_t class,
                                    struct ring_fields *fields, bool *is_done)
{
    struct ring *ring = NULL;
    for (unsigned tries = 0; tries < MAX_TRIES && !*is_done; tries++) {
        uint32_t cpu = rings->is_per_thread ? claim_number(rings) : this_cpu();
        if (cpu >= rings->file->cpus)
            break;
        ring = ring_of(rings->file, rings->stride, cpu);
        if (aim(rings, ring, class, HEADER + (size_t)fields->places[fields->count], fields))
            *is_done = commit_fields(rings, ring, cpu, fields);
        else if (!turn(rings, ring, cpu, fields))
            break;
    }
    return ring;
}

/*
 * A flight recorder that has no room waits for its snapshot to be written, but not for ever: who
 * should write it may have been killed. Of threads that find this at once, one forgets it: another
 * would forget what a hit has asked for since.
 */
static void stop_waiting(const struct rings *rings, uint64_t now)
{
    struct ring_file *file = (struct ring_file *)rings->file;
    uint64_t since = atomic_load_explicit(&file->wanted_at, memory_order_relaxed);
    if (atomic_load_explicit(&file->wanted, memory_order_relaxed) && now > since &&
        (now - since) / MAX_SNAPSHOT >= file->frequency &&
        atomic_compare_exchange_strong(&file->wanted_at, &since, now))
        ring_forget_snapshot(file);
}

/*
 * In several steps: once a packet, and where one step is not to be had. A signal handler that
 * records while this thread copies into a ring of its own would have its event, which is in the
 * ring then, overwritten by the rest of the copy; so no signal comes.
 */
static __attribute__((noinline)) void record_slowly(const struct rings *rings, uint64_t class,
                                                    struct ring_fields *fields)
{
    const uint64_t all = UINT64_MAX; /* as the kernel has it: those of the C library as well */
    uint64_t old;
    bool is_done = false;
    if (rings->is_per_thread)
        syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &old, sizeof old);
    struct ring *ring = record_in_steps(rings, class, fields, &is_done);
    if (rings->is_per_thread)
        syscall(SYS_rt_sigprocmask, SIG_SETMASK, &old, NULL, sizeof old);
    if (!is_done) {
        lose(ring ? ring : ring_of(rings->file, rings->stride, 0));
        stop_waiting(rings, fields->last);
    }
}

/* Record the event of WORDS, whose first two are filled in here. */
static inline void put(const struct rings *rings, const struct recipe *recipe, uint64_t *words,
                       size_t count, const uint16_t *places)
{
    words[1] = who(rings, HEADER + (size_t)places[count]);
    if (__builtin_expect(!rings->is_per_thread, 1) &&
        ring_record(rings, words, count, places, recipe->class))
        return;
    struct ring_fields fields = {.count = count, .places = places, .words = words};
    record_slowly(rings, recipe->class, &fields);
}

/* ---- Events. ---- */

/* An event with texts, whose fields are where the ones before them end. */
struct draft {
    uint64_t *word;  /* the next one, */
    uint16_t *place; /* and where it goes */
    size_t end;      /* of the fields so far */
    const struct rings *rings;
};

static inline void put_word(struct draft *draft, uint64_t word, size_t size)
{
    *draft->word++ = word;
    *draft->place++ = (uint16_t)draft->end;
    draft->end += size;
}

long hit_copy(const struct rings *rings, char *to, uintptr_t from, size_t most, bool is_text)
{
    const struct pages_way way = {rings->is_guarded, rings->is_tsc};
    return pages_copy(way, to, from, most, is_text);
}

/* At most MOST bytes at FROM, up to a NUL if IS_TEXT: some words more. Returns how many bytes. */
static inline __attribute__((always_inline)) size_t put_memory(struct draft *draft, uintptr_t from,
                                                               size_t most, bool is_text)
{
    size_t room = draft->end < MAX_TEXTS ? MAX_TEXTS - draft->end : 0;
    most = most < draft->rings->text ? most : draft->rings->text;
    most = most < room ? most : room;
    long length = hit_copy(draft->rings, (char *)draft->word, from, most, is_text);
    if (length < 0 && is_text) { /* there is room for these */
        memcpy(draft->word, from ? "<fault>" : "<null>\0", 8);
        length = from ? 7 : 6;
    }
    for (long i = 0; i < length; i += 8)
        *draft->place++ = (uint16_t)(draft->end + (size_t)i);
    if (length <= 0)
        return 0;
    draft->word += (length + 7) / 8;
    draft->end += (size_t)length;
    return (size_t)length;
}

/* A text of at most MOST bytes, with a NUL. */
static inline void put_text(struct draft *draft, uintptr_t from, size_t most)
{
    put_memory(draft, from, most, true);
    put_word(draft, 0, 1);
}

/* How many of COUNT elements of 1 << SHIFT bytes there is room for, and they. */
static inline void put_array(struct draft *draft, uintptr_t from, size_t count, unsigned shift)
{
    uint64_t *length = draft->word;
    put_word(draft, 0, sizeof(uint16_t));
    size_t room = draft->end < MAX_TEXTS ? MAX_TEXTS - draft->end : 0;
    size_t text = draft->rings->text, most = (room < text ? room : text) >> shift;
    *length = put_memory(draft, from, (count < most ? count : most) << shift, false) >> shift;
}

/* The argument after number I says how long that is; 0: there is none. */
static inline uint64_t length_after(const struct recipe *recipe, const uint64_t *words, unsigned i)
{
    return i + 1 < recipe->count ? words[i + 1] : 0;
}

/* Of the text that is at FROM, a struct sdt_text. */
static void put_view(struct draft *draft, uintptr_t from)
{
    uint64_t view[sizeof(struct sdt_text) / 8 + 2];
    long n = hit_copy(draft->rings, (char *)view, from, sizeof(struct sdt_text), false);
    bool is_there = n == (long)sizeof(struct sdt_text);
    if (is_there && view[1] == 0) /* wherever that is */
        put_text(draft, (uintptr_t) "", 1);
    else
        put_text(draft, is_there ? view[0] : 1, is_there ? view[1] : 1);
}

/* The callers of HIT: how many, and their addresses. */
static void put_callers(struct draft *draft, const struct sdt_event *hit, unsigned most)
{
    const struct pages_way way = {draft->rings->is_guarded, draft->rings->is_tsc};
    struct stack_walk walk;
    uint64_t *length = draft->word, n = 0;
    put_word(draft, 0, sizeof(uint16_t));
    bool has_more = walk_begin(&walk, hit, way);
    for (; has_more && n < most && draft->end < MAX_TEXTS; n++) {
        put_word(draft, walk.pc, sizeof walk.pc);
        has_more = stack_next(&walk);
    }
    *length = n;
}

/* WORDS are those of the arguments, and before them those of the context, if it is recorded. Out of
 * line: this takes stack. All else of it is in line, so that the draft is in registers. */
static __attribute__((noinline)) void record_texts(const struct rings *rings,
                                                   const struct recipe *recipe,
                                                   const uint64_t *words,
                                                   const struct sdt_event *hit)
{
    uint64_t event[2 + CONTEXT_WORDS + MAX_TEXTS / 8 + 3 * SDT_MAX_ARGS + 1];
    uint16_t places[CONTEXT_WORDS + MAX_TEXTS / 8 + 3 * SDT_MAX_ARGS + 1];
    struct draft draft = {event + 2, places, 0, rings};
    for (unsigned i = 0; recipe->has_context && i < CONTEXT_WORDS; i++)
        put_word(&draft, (words - CONTEXT_WORDS)[i], sizeof *words);
    for (unsigned i = 0; i < recipe->count; i++) {
        enum field_kind kind = recipe->kind[i];
        if (recipe->size[i])
            put_word(&draft, words[i], recipe->size[i]);
        else if (kind == FIELD_VIEW)
            put_view(&draft, words[i]);
        else if (kind == FIELD_STRING || kind == FIELD_TEXT)
            put_text(&draft, words[i],
                     kind == FIELD_STRING ? SIZE_MAX : length_after(recipe, words, i));
        else if (kind == FIELD_BYTES || kind == FIELD_ARRAY)
            put_array(&draft, words[i], length_after(recipe, words, i), recipe->shift[i]);
    }
    if (recipe->callers)
        put_callers(&draft, hit, recipe->callers);
    *draft.place = (uint16_t)draft.end;
    put(rings, recipe, event, (size_t)(draft.place - places), places);
}

/* What record_memory() may do at once of a text of at most MOST bytes. */
static inline bool record_text(const struct rings *rings, const struct recipe *recipe,
                               uint64_t *words, uintptr_t from, size_t most)
{
    size_t here = PAGES_SIZE - from % PAGES_SIZE;
    most = most < rings->text ? most : rings->text;
    words[1] = who(rings, 0);
    if (__builtin_expect(most + 7 < here, 1))
        return ring_record_text(rings, words, recipe, from, most, true);
    return here >= 8 && ring_record_text(rings, words, recipe, from, here & ~(size_t)7, false);
}

static inline bool record_array(const struct rings *rings, const struct recipe *recipe,
                                uint64_t *words, uintptr_t from, size_t count)
{
    size_t most = rings->text >> recipe->shift[recipe->memory];
    size_t length = count < most ? count : most;
    size_t bytes = length << recipe->shift[recipe->memory];
    words[1] = who(rings, HEADER + (size_t)recipe->fixed + 2 + bytes);
    return from % PAGES_SIZE + (bytes | 7) < PAGES_SIZE &&
           ring_record_array(rings, words, recipe, from, bytes, length);
}

/*
 * The most frequent event with texts has one, or one array: then all other places are known. False:
 * it is record_texts()'s turn; so it is if the page is new, or it goes on in the next one.
 */
static inline bool record_memory(const struct rings *rings, const struct recipe *recipe,
                                 uint64_t *words)
{
    const uint64_t *memory = words + 2 + recipe->memory;
    if (recipe->way == WAY_ANY || !rings->is_direct || !pages_has(memory[0]))
        return false;
    if (recipe->way == WAY_ARRAY)
        return record_array(rings, recipe, words, memory[0], memory[1]);
    return record_text(rings, recipe, words, memory[0],
                       recipe->way == WAY_TEXT ? memory[1] : SIZE_MAX);
}

/* How RECORD, of PROBE, is recorded; NULL: it is not. */
static inline const struct recipe *recipe_of(const struct probe *probe,
                                             const struct sdt_site *record)
{
    _Atomic(const struct recipe *) *recipes = probe ? probe->recipes : NULL;
    return recipes ? atomic_load_explicit(&recipes[record - probe->records], memory_order_acquire)
                   : NULL;
}

/* Arguments in registers go from where the entry has kept these to the ring. */
static inline bool record_registers(const struct sdt_event *event, const struct rings *rings,
                                    const struct recipe *recipe)
{
    return recipe->way == WAY_REGISTERS && !rings->is_per_thread &&
           ring_record_registers(rings, who(rings, HEADER + (size_t)recipe->fixed), recipe,
                                 event->registers);
}

/* With the context of the thread. Out of line, so that without it nothing takes longer. */
static __attribute__((noinline)) void
record_with_context(struct sdt_event *event, const struct rings *rings, const struct recipe *recipe)
{
    const struct pages_way way = {rings->is_guarded, rings->is_tsc};
    uint64_t words[2 + CONTEXT_ROOM + SDT_MAX_ARGS], *arguments = words + 2 + CONTEXT_WORDS;
    event->site = recipe->site;
    context_read(way, words + 2); /* and what comes after it, which is written next */
    recipe->fetch->all(event, arguments, recipe->fetch);
    if (recipe->way <= WAY_FIXED)
        put(rings, recipe, words, CONTEXT_WORDS + recipe->count, recipe->moved);
    else
        record_texts(rings, recipe, arguments, event);
}

static inline void record(struct sdt_event *event, const struct rings *rings,
                          const struct recipe *recipe)
{
    uint64_t words[2 + SDT_MAX_ARGS];
    if (MACHINE_RECORDS_REGISTERS && record_registers(event, rings, recipe))
        return;
    if (__builtin_expect(recipe->has_context, 0)) {
        record_with_context(event, rings, recipe);
        return;
    }
    event->site = recipe->site;
    recipe->fetch->all(event, words + 2, recipe->fetch);
    if (recipe->way <= WAY_FIXED)
        put(rings, recipe, words, recipe->count, recipe->place);
    else if (!record_memory(rings, recipe, words))
        record_texts(rings, recipe, words + 2, event);
}

/* A hit that is late may find the recipe that an earlier recording had for its site. */
static inline bool is_recorded(const struct rings *rings, const struct recipe *recipe)
{
    return recipe && rings && atomic_load_explicit(&rings->is_on, memory_order_relaxed) &&
           recipe->generation == rings->generation;
}

void recorder_hit(const struct sdt_event *event, void *data)
{
    const struct site *site = event_site(event);
    const struct recipe *recipe =
        site && site->record ? recipe_of(site->probe, site->record) : NULL;
    if (is_recorded(data, recipe))
        record((struct sdt_event *)event, data, recipe);
}

void recorder_cause(const struct rings *rings, const struct sdt_event *event, uint64_t now,
                    uint64_t ns, struct ring_cause *cause)
{
    const struct site *site = event_site(event);
    const struct recipe *recipe =
        site && site->record ? recipe_of(site->probe, site->record) : NULL;
    uint64_t mask = (UINT64_C(1) << RING_PROCESS_BITS) - 1, word = who(rings, 0);
    cause->time = now;
    cause->ns = ns;
    cause->pid = (uint32_t)(word & mask);
    cause->tid = (uint32_t)(word >> 32 & mask);
    bool is_ours = recipe && recipe->generation == rings->generation;
    cause->class = is_ours ? (uint32_t)(recipe->class >> RING_TIME_BITS) : 0;
}

const struct rings *_Atomic recorder_rings;

/* In line twice: which record it is, if its probe has several sites, takes four loads at an entry,
 * and a search at a call. */
static inline __attribute__((always_inline)) void dispatch(struct sdt_event *event, bool is_call)
{
    struct reader *reader = sync_enter();
    if (!reader)
        return;
    const struct rings *rings = atomic_load_explicit(&recorder_rings, memory_order_acquire);
    const struct probe *probe = state_probe(event->probe);
    const struct recipe *recipe =
        probe ? atomic_load_explicit(&probe->only_recipe, memory_order_acquire) : NULL;
    if (!recipe) {
        const struct site *site = is_call && probe ? probe_find(probe, event->patch) : NULL;
        const struct sdt_site *at = !is_call ? event_record(event) : site ? site->record : NULL;
        recipe = at ? recipe_of(probe, at) : NULL;
    }
    if (is_recorded(rings, recipe))
        record(event, rings, recipe);
    sync_leave(reader);
}

void recorder_dispatch(struct sdt_event *event)
{
    dispatch(event, false);
}

void recorder_dispatch_call(struct sdt_event *event)
{
    dispatch(event, true);
}
