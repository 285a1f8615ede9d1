/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See hit.h: the steps of a program, and then its action. Texts take more than a kilobyte of the
 * thread's stack, so programs without texts do not reserve it.
 *
 * This file is compiled for general registers only: the program's vector registers are in place.
 */
#include "hit.h"

#include "calls.h"
#include "exemplar.h"
#include "hit/sync.h"
#include "in_flight.h"
#include "interpret.h"
#include "outlier.h"
#include "ring/conditional.h"
#include "tally.h"
#include "tests.h"
#include "texts.h"

enum { MAX_WORDS = 2 * (1 + LIVE_MAX_KEY_TEXT / 8) };

static inline void put(uint64_t *word, uint64_t value, uint64_t *hash)
{
    *word = value;
    *hash = tally_hash(*hash, value);
}

/* The length of TEXT, at most MOST, and its words, without what is after its end in the last one.
 * Returns how many words that is. */
static inline uint32_t put_text(uint64_t *word, const struct text *text, size_t most,
                                uint64_t *hash)
{
    size_t length = text->length < most ? text->length : most, n = length / 8;
    put(word++, length, hash);
    for (size_t i = 0; i < n; i++)
        put(word++, text->word[i], hash);
    if (length % 8)
        put(word, text->word[n] & ((UINT64_C(1) << 8 * (length % 8)) - 1), hash);
    return (uint32_t)(1 + (length + 7) / 8);
}

/* A number or a text, at WORD. Returns how many words that is. */
static inline uint32_t put_key(const struct run *run, uint8_t number, uint8_t type, size_t most,
                               uint64_t *word, uint64_t *hash)
{
    uint64_t value = run->reg[number];
    if (__builtin_expect(type == LIVE_STRING, 0))
        return put_text(word, (const struct text *)(uintptr_t)value, most, hash);
    put(word, value, hash);
    return 1;
}

/* The row of the keys; NO_ROW, which was counted: there is no place for it. */
static inline uint64_t row_of(const struct live_aggregation *aggregation, const struct run *run)
{
    const uint8_t *type = aggregation->key_type;
    const uint32_t text = aggregation->view.key_text;
    struct tally_key key = {.word = run->word};
    if (!aggregation->view.directory)
        return 0;
    key.begin[1] = type[0] == LIVE_STRING ? 1 + text / 8 : 1;
    for (unsigned i = 0; i < 2 && type[i]; i++)
        key.used[i] =
            put_key(run, aggregation->key[i], type[i], text, run->word + key.begin[i], &key.hash);
    return tally_row(&aggregation->view, &key);
}

/* ---- Latencies. ---- */

/* What matches: a number, or a text's hash. */
struct match {
    uint64_t key, hash;
};

static inline struct match match_number(uint64_t number)
{
    return (struct match){number, tally_hash(0, number)};
}

static struct match match_of(const struct live_aggregation *aggregation, const struct run *run)
{
    struct match match = {0, 0};
    put_key(run, aggregation->value, aggregation->value_type, LIVE_MAX_KEY_TEXT, run->word,
            &match.hash);
    match.key = aggregation->value_type == LIVE_STRING ? match.hash : run->word[0];
    return match;
}

static inline void start(const struct live_aggregation *aggregation, const struct sdt_event *event,
                         struct match match, uint64_t row)
{
    const struct table_view *view = &aggregation->view;
    struct live_flight *flight =
        in_flight_start_quickly(view, aggregation->process, match.key, match.hash);
    if (!flight)
        return;
    if (view->sides)
        outlier_pack(aggregation, event, outlier_side(view, flight));
    in_flight_put(flight, aggregation->process, match.key, match.hash, run_now(aggregation), row);
}

/* The row of what has stopped, which began with FLIGHT, if the keys are not those of RUN. */
static inline uint64_t row_of_stop(const struct live_aggregation *aggregation,
                                   const struct run *run, const struct live_flight *flight)
{
    return run                            ? row_of(aggregation, run)
           : !aggregation->view.directory ? 0
           : flight->row == NO_ROW        ? NO_ROW
                                          : flight->row & aggregation->view.mask;
}

/* RUN: if there are keys. */
static inline __attribute__((always_inline)) void stop(const struct live_aggregation *aggregation,
                                                       const struct sdt_event *event, uint64_t now,
                                                       struct match match, const struct run *run,
                                                       bool is_plain, bool offers)
{
    const struct table_view *view = &aggregation->view;
    struct live_flight *flight =
        in_flight_stop_quickly(view, aggregation->process, match.key, match.hash);
    if (!flight)
        return;
    /* The table is untrusted, and time may go back from CPU to CPU. */
    uint64_t ns = now > flight->time ? run_ns(aggregation, now - flight->time) : 0;
    uint64_t row = row_of_stop(aggregation, run, flight);
    if (__builtin_expect(ns > atomic_load_explicit(&view->table->slowest, memory_order_relaxed), 0))
        outlier_keep(aggregation, event, flight, ns, now);
    if (offers && row != NO_ROW)
        exemplar_offer(aggregation, event, outlier_side(view, flight), row, ns, now);
    in_flight_release(flight);
    if (row == NO_ROW) /* it was counted, if it was row_of()'s */
        return;
    if (is_plain)
        tally_observe_plainly(view, row, ns, 0);
    else
        tally_observe(view, row, ns, 0);
}

static inline __attribute__((always_inline)) void
latency(const struct live_aggregation *aggregation, const struct run *run, bool offers)
{
    bool has_key = aggregation->key_type[0] != LIVE_NONE;
    uint64_t now = aggregation->action == LIVE_STOP ? run_now(aggregation) : 0, row = NO_ROW;
    struct match match = match_of(aggregation, run);
    if (aggregation->action == LIVE_STOP)
        stop(aggregation, run->event, now, match, has_key ? run : NULL, false, offers);
    else if (!has_key || (row = row_of(aggregation, run)) != NO_ROW)
        start(aggregation, run->event, match, row);
}

static __attribute__((noinline)) void act_on_latency(const struct live_aggregation *aggregation,
                                                     const struct run *run)
{
    latency(aggregation, run, false);
}

static __attribute__((noinline)) void
act_on_latency_and_offer(const struct live_aggregation *aggregation, const struct run *run)
{
    latency(aggregation, run, true);
}

/* ---- Hits. ---- */

static inline __attribute__((always_inline)) void act(const struct live_aggregation *aggregation,
                                                      const struct run *run, bool offers)
{
    uint64_t row;
    if (__builtin_expect(run->missing & aggregation->needed, 0)) {
        tally_missed(&aggregation->view.table->missing);
        return;
    }
    if (aggregation->action >= LIVE_START) {
        (offers ? act_on_latency_and_offer : act_on_latency)(aggregation, run);
        return;
    }
    if ((row = row_of(aggregation, run)) == NO_ROW)
        return;
    bool is_count = aggregation->action == LIVE_COUNT;
    uint64_t value = is_count ? 1 : run->reg[aggregation->value];
    if (is_count)
        tally_count(&aggregation->view, row);
    else
        tally_observe(&aggregation->view, row, value, aggregation->bias);
    if (offers)
        exemplar_offer(aggregation, run->event, NULL, row, value, run_now(aggregation));
}

/* The steps and the action, with room for texts. */
static inline __attribute__((always_inline)) void
with_texts(const struct live_aggregation *aggregation, struct run *run, bool offers)
{
    struct text texts[LIVE_MAX_TEXTS];
    uint64_t room[LIVE_MAX_TEXTS][LIVE_TEXT / 8 + 2], word[MAX_WORDS];
    run->word = word;
    run->texts = texts;
    run->room = room;
    if (interpret_steps(run))
        act(aggregation, run, offers);
}

static __attribute__((noinline)) void hit_with_texts(const struct live_aggregation *aggregation,
                                                     struct run *run)
{
    with_texts(aggregation, run, false);
}

static __attribute__((noinline)) void
hit_with_texts_and_offer(const struct live_aggregation *aggregation, struct run *run)
{
    with_texts(aggregation, run, true);
}

static inline __attribute__((always_inline)) void in_steps(const struct sdt_event *event,
                                                           const void *data, bool offers)
{
    const struct live_aggregation *aggregation = data;
    struct run run;
    uint64_t word[2];
    run.event = event;
    run.aggregation = aggregation;
    run.word = word;
    ((struct sdt_event *)event)->fetch = event_fetch(event);
    if (aggregation->loads)
        (offers ? hit_with_texts_and_offer : hit_with_texts)(aggregation, &run);
    else if (interpret_steps(&run))
        act(aggregation, &run, offers);
}

static void hit_in_steps(const struct sdt_event *event, void *data)
{
    in_steps(event, data, false);
}

/* Another function, so that without exemplars a hit does not even ask for them. */
static void hit_and_offer(const struct sdt_event *event, void *data)
{
    in_steps(event, data, true);
}

/* ---- Programs of the most frequent form. ---- */

/* The row of the text at FROM, which becomes the key where it was read to, as put_text() would make
 * it. Out of line, as its room is needed for texts only. */
static __attribute__((noinline)) uint64_t row_of_text(const struct live_aggregation *aggregation,
                                                      uintptr_t from)
{
    const struct table_view *view = &aggregation->view;
    uint64_t word[1 + LIVE_TEXT / 8 + 2], hash = 0;
    size_t length = texts_read_quickly(aggregation, word + 1, from);
    length = length < view->key_text ? length : view->key_text;
    word[0] = length;
    word[1 + length / 8] &= (UINT64_C(1) << 8 * (length % 8)) - 1; /* or a word that is no key's */
    size_t words = 1 + (length + 7) / 8;
    for (size_t i = 0; i < words; i++)
        hash = tally_hash(hash, word[i]);
    return tally_text_row(view, word, words, hash);
}

static inline uint64_t number(const struct sdt_event *event,
                              const struct live_aggregation *aggregation, uint8_t which)
{
    return which == QUICK_TID ? aggregation->quick.space | (uint64_t)(unsigned)sync_thread()
                              : tests_argument(event, which);
}

/* All that there is to do, of which a function knows what is not there, and whether the table is
 * plain. */
static inline __attribute__((always_inline)) void
hit_quickly(const struct sdt_event *event, const struct live_aggregation *aggregation, bool has_key,
            bool has_value, bool is_text, bool is_plain)
{
    const struct quick *quick = &aggregation->quick;
    const struct table_view *view = &aggregation->view;
    uint64_t row = 0;
    if (is_text)
        row = row_of_text(aggregation, tests_argument(event, quick->key));
    else if (has_key)
        row = tally_number_row(view, number(event, aggregation, quick->key));
    if (has_key && row == NO_ROW)
        return;
    uint64_t value = has_value ? tests_argument(event, quick->value) : 0;
    if (has_value && is_plain)
        tally_observe_plainly(view, row, value, aggregation->bias);
    else if (has_value)
        tally_observe(view, row, value, aggregation->bias);
    else if (is_plain)
        tally_count_plainly(view, row);
    else
        tally_count(view, row);
}

static void hit_count(const struct sdt_event *event, void *data)
{
    hit_quickly(event, data, false, false, false, true);
}

static void hit_key(const struct sdt_event *event, void *data)
{
    hit_quickly(event, data, true, false, false, true);
}

static void hit_text(const struct sdt_event *event, void *data)
{
    hit_quickly(event, data, true, false, true, true);
}

static void hit_value(const struct sdt_event *event, void *data)
{
    hit_quickly(event, data, false, true, false, true);
}

static void hit_any(const struct sdt_event *event, void *data)
{
    const struct live_aggregation *aggregation = data;
    const struct quick *quick = &aggregation->quick;
    hit_quickly(event, aggregation, quick->key != QUICK_NONE, quick->value != QUICK_NONE,
                quick->is_text, false);
}

static void hit_start(const struct sdt_event *event, void *data)
{
    const struct live_aggregation *aggregation = data;
    start(aggregation, event, match_number(number(event, aggregation, aggregation->quick.value)),
          NO_ROW);
}

static inline __attribute__((always_inline)) void
stop_quickly(const struct sdt_event *event, const struct live_aggregation *aggregation,
             bool is_plain)
{
    uint64_t now = run_now(aggregation);
    stop(aggregation, event, now,
         match_number(number(event, aggregation, aggregation->quick.value)), NULL, is_plain, false);
}

static void hit_stop(const struct sdt_event *event, void *data)
{
    stop_quickly(event, data, true);
}

static void hit_stop_any(const struct sdt_event *event, void *data)
{
    stop_quickly(event, data, false);
}

/* The rest of a hit with a predicate: out of line, as it is there for not being reached. */
static __attribute__((noinline)) void hit_after_tests(const struct sdt_event *event, void *data)
{
    const struct live_aggregation *aggregation = data;
    if (!tests_others_hold(event, &aggregation->quick))
        return;
    if (aggregation->action == LIVE_START)
        hit_start(event, data);
    else if (aggregation->action == LIVE_STOP)
        hit_stop_any(event, data);
    else
        hit_any(event, data);
}

static void hit_tested(const struct sdt_event *event, void *data)
{
    const struct live_aggregation *aggregation = data;
    if (tests_hold_integer(event, &aggregation->quick.test[0]))
        hit_after_tests(event, data);
}

static void hit_tested_real(const struct sdt_event *event, void *data)
{
    const struct live_aggregation *aggregation = data;
    if (aggregation->quick.test[0].holds(event, &aggregation->quick.test[0]))
        hit_after_tests(event, data);
}

/* Of a program without tests. */
static sdt_handler *untested(const struct live_aggregation *aggregation)
{
    bool has_key = aggregation->quick.key != QUICK_NONE;
    bool has_value = aggregation->quick.value != QUICK_NONE;
    bool is_plain = tally_is_plain(&aggregation->view);
    return aggregation->action == LIVE_START     ? hit_start
           : aggregation->action == LIVE_STOP    ? (is_plain ? hit_stop : hit_stop_any)
           : aggregation->action == LIVE_ENTER   ? calls_enter
           : aggregation->action == LIVE_LEAVE   ? calls_leave
           : !is_plain || (has_key && has_value) ? hit_any
           : aggregation->quick.is_text          ? hit_text
           : has_key                             ? hit_key
           : has_value                           ? hit_value
                                                 : hit_count;
}

sdt_handler *hit_function(const struct live_aggregation *aggregation)
{
    const struct quick *quick = &aggregation->quick;
    bool may_offer = aggregation->view.exemplars && aggregation->action != LIVE_START;
    return may_offer                              ? hit_and_offer
           : !aggregation->is_quick               ? hit_in_steps
           : !quick->tests                        ? untested(aggregation)
           : quick->test[0].kind != QUICK_INTEGER ? hit_tested_real
                                                  : hit_tested;
}

/* ---- Conditions. ---- */

/* The rest: out of line, so that the first needs no room for anything. */
static __attribute__((noinline)) void decide_after_tests(const struct sdt_event *event,
                                                         const struct conditional *conditional)
{
    const struct live_aggregation *aggregation = conditional->condition;
    if (tests_others_hold(event, &aggregation->quick))
        conditional->then(event, conditional, 0);
}

static void decide_tested(const struct sdt_event *event, const struct conditional *conditional)
{
    const struct live_aggregation *aggregation = conditional->condition;
    if (tests_hold_integer(event, &aggregation->quick.test[0]))
        decide_after_tests(event, conditional);
}

static void decide_tested_real(const struct sdt_event *event, const struct conditional *conditional)
{
    const struct live_aggregation *aggregation = conditional->condition;
    if (aggregation->quick.test[0].holds(event, &aggregation->quick.test[0]))
        decide_after_tests(event, conditional);
}

/* Take what matches out of flight; *NS since it was started. Whether that exceeds the limit. */
static bool is_late(const struct live_aggregation *aggregation, const struct run *run, uint64_t *ns)
{
    uint64_t now = run_now(aggregation);
    if (run->missing & aggregation->needed)
        return false;
    struct match match = match_of(aggregation, run);
    struct live_flight *flight =
        in_flight_stop(&aggregation->view, aggregation->process, match.key, match.hash);
    if (!flight)
        return false;
    *ns = now > flight->time ? run_ns(aggregation, now - flight->time) : 0;
    in_flight_release(flight);
    return *ns > aggregation->limit;
}

static bool ends_well(const struct live_aggregation *aggregation, struct run *run, uint64_t *ns)
{
    return interpret_steps(run) &&
           (aggregation->action != LIVE_STOP || is_late(aggregation, run, ns));
}

static __attribute__((noinline)) bool passes_texts(const struct live_aggregation *aggregation,
                                                   struct run *run, uint64_t *ns)
{
    struct text texts[LIVE_MAX_TEXTS];
    uint64_t room[LIVE_MAX_TEXTS][LIVE_TEXT / 8 + 2], word[MAX_WORDS];
    run->word = word;
    run->texts = texts;
    run->room = room;
    return ends_well(aggregation, run, ns);
}

static __attribute__((noinline)) bool passes_steps(const struct sdt_event *event,
                                                   const struct live_aggregation *aggregation,
                                                   uint64_t *ns)
{
    struct run run;
    uint64_t word[2];
    run.event = event;
    run.aggregation = aggregation;
    run.word = word;
    ((struct sdt_event *)event)->fetch = event_fetch(event);
    return aggregation->loads ? passes_texts(aggregation, &run, ns)
                              : ends_well(aggregation, &run, ns);
}

static void decide_in_steps(const struct sdt_event *event, const struct conditional *conditional)
{
    uint64_t ns = 0;
    if (passes_steps(event, conditional->condition, &ns))
        conditional->then(event, conditional, ns);
}

void live_decide(struct conditional *conditional, const struct live_aggregation *aggregation)
{
    bool is_tested = aggregation->is_quick && aggregation->quick.tests;
    conditional->condition = aggregation;
    conditional->decide = !is_tested || aggregation->action != LIVE_COUNT    ? decide_in_steps
                          : aggregation->quick.test[0].kind != QUICK_INTEGER ? decide_tested_real
                                                                             : decide_tested;
}

void live_hit(const struct sdt_event *event, void *data)
{
    ((const struct live_aggregation *)data)->run(event, data);
}
