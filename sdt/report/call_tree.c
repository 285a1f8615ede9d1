/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See call_tree.h. A thread has a stack of what is open in it, as a process has for `sdt tree`
 * (runtime/bytecode/calls.c): a call whose frame is not below that of a call that begins has ended,
 * by an exception or longjmp(). Both passes do the same to the stacks, so the second one meets what
 * the first one has seen.
 */
#include "call_tree.h"

#include "base/function_name.h"
#include "base/probe_words.h"

#include <inttypes.h>
#include <sdt/format.h>
#include <shared/pattern.h>
#include <stdlib.h>
#include <string.h>

/* A damaged recording may have begins only. */
enum { MOST_OPEN = 1 << 16 };

struct open_call {
    uint64_t number;        /* of its begin */
    uint64_t frame;         /* 0: unknown */
    struct tree_node *node; /* NULL: it has none, */
    uint32_t depth;         /* 1: outermost */
    bool is_inside;         /* a root is above it, or it is one */
    bool is_late;           /* it ends after what it began in, so nothing is below it */
};

struct call_thread {
    struct open_call *stack;
    size_t count, capacity;
    struct tree_node *outermost; /* by_thread: its own node */
};

void call_tree_start(struct call_tree *tree, const struct call_tree_request *asked,
                     const struct pairs *pairs)
{
    *tree = (struct call_tree){.asked = *asked, .pairs = pairs};
    if (!tree->asked.depth)
        tree->asked.depth = LIVE_MAX_DEPTH;
}

/* ---- Names. ---- */

/* Of a function its symbol, as sdt tree has it. */
static const char *name_of(const struct pair *pair, const struct event_class *class)
{
    return pair->is_functions ? class->function : pairs_slice_name(pair, class);
}

static bool is_called(const struct pair *pair, const struct event_class *class, const char *part)
{
    struct probe_words words;
    if (!pair->is_functions && pattern_part(part, pairs_slice_name(pair, class)))
        return true;
    if (!probe_words_function(&words, part, SDT_FUNCTION_PROVIDER))
        return false;
    bool is = pattern_part(words.word[WORD_MODULE], class->module) &&
              function_name_part(words.word[WORD_FUNCTION], name_of(pair, class));
    probe_words_free(&words);
    return is;
}

static bool is_any_root(const char *roots, const struct pair *pair, const struct event_class *class)
{
    char *copy = memory_format("%s", roots), *rest = copy;
    bool is_any = false;
    for (char *part; !is_any && (part = probe_words_next(&rest));)
        is_any = is_called(pair, class, part);
    free(copy);
    return is_any;
}

/* Whether a tree may begin with slices of EVENT's class: it takes a look at names once a class. */
static bool is_root(struct call_tree *tree, const struct pair *pair, const struct event *event)
{
    size_t trace = (size_t)(event->trace - event->recording->traces);
    if (!tree->asked.roots)
        return true;
    if (!tree->roots) {
        tree->trace_count = event->recording->trace_count;
        tree->roots = memory_zeroed(tree->trace_count, sizeof *tree->roots);
    }
    if (!tree->roots[trace])
        tree->roots[trace] = memory_zeroed(event->trace->class_limit, 1);
    signed char *known = &tree->roots[trace][event->class->id];
    if (!*known)
        *known = is_any_root(tree->asked.roots, pair, event->class) ? 1 : -1;
    return *known > 0;
}

/* ---- Threads. ---- */

static struct call_thread *thread_of(struct call_tree *tree, const struct event *event)
{
    bool is_new;
    uint64_t id = track_id(TRACK_THREAD, event->process, event->tid);
    uint32_t number = tracks_find(&tree->numbers, id, &is_new)->number;
    if (is_new) {
        tree->threads =
            memory_with_room(tree->threads, number, &tree->thread_capacity, sizeof *tree->threads);
        tree->threads[number] = (struct call_thread){0};
    }
    return &tree->threads[number];
}

/* How many of THREAD's are open before NUMBER, which is open as well; its count: NUMBER is not. */
static size_t find_open(const struct call_thread *thread, uint64_t number)
{
    size_t depth = thread->count;
    while (depth > 0 && thread->stack[depth - 1].number != number)
        depth--;
    return depth ? depth - 1 : thread->count;
}

/* How many are still open when a call begins at FRAME. Stacks grow downwards. */
static size_t still_open(const struct call_thread *thread, uint64_t frame)
{
    size_t open = thread->count;
    for (size_t i = thread->count; i > 0; i--) {
        const struct open_call *call = &thread->stack[i - 1];
        if (call->frame > frame)
            break;
        if (call->frame)
            open = i - 1;
    }
    return open;
}

/* COUNT remain open; of the others there is no end. */
static void drop(struct call_tree *tree, struct call_thread *thread, size_t count)
{
    for (; thread->count > count; thread->count--)
        tree->lost.endless += thread->stack[thread->count - 1].is_inside;
}

/* What EVENT begins, on top of THREAD's stack; NULL: there is no room. */
static struct open_call *push(struct call_tree *tree, struct call_thread *thread,
                              const struct pair *pair, const struct event *event, uint64_t number)
{
    uint64_t frame = pairing_frame(pair, event);
    if (frame)
        drop(tree, thread, still_open(thread, frame));
    if (thread->count == MOST_OPEN)
        return NULL;
    thread->stack =
        memory_with_room(thread->stack, thread->count, &thread->capacity, sizeof *thread->stack);
    struct open_call *call = &thread->stack[thread->count++];
    *call = (struct open_call){.number = number, .frame = frame};
    return call;
}

/* NULL: it is in none. */
static const struct pair *pair_of(const struct call_tree *tree, const struct paired *paired)
{
    return paired->kind == ROLE_NONE ? NULL : &tree->pairs->list[paired->pair];
}

/* ---- The first pass. ---- */

void call_tree_look(struct call_tree *tree, const struct event *event, const struct paired *paired,
                    uint64_t number)
{
    const struct pair *pair = pair_of(tree, paired);
    if (!pair || pair_is_async(pair))
        return;
    struct call_thread *thread = thread_of(tree, event);
    if (paired->kind == ROLE_BEGIN) {
        push(tree, thread, pair, event, number);
    } else if (paired->has_begin) {
        size_t depth = find_open(thread, paired->number);
        if (depth < thread->count)
            drop(tree, thread, depth);
        else
            event_set_add(&tree->late, paired->number);
    }
}

static void forget_threads(struct call_tree *tree)
{
    for (size_t i = 0; i < tree->numbers.count; i++)
        free(tree->threads[i].stack);
    free(tree->threads);
    tree->threads = NULL;
    tree->thread_capacity = 0;
    tracks_free(&tree->numbers);
}

void call_tree_again(struct call_tree *tree)
{
    forget_threads(tree);
    tree->lost = (struct call_tree_lost){0};
}

/* ---- The second. ---- */

/* The child of PARENT, at DEPTH; NULL: there is no room. */
static struct tree_node *child_of(struct call_tree *tree, struct tree_node *parent,
                                  const char *name, uint32_t depth)
{
    struct tree_node *found = depth <= tree->asked.depth ? tree_find(parent, name) : NULL;
    if (found)
        return found;
    if (depth > tree->asked.depth)
        tree->lost.deeper++;
    else if (tree->paths == CALL_TREE_PATHS)
        tree->lost.roomless++;
    else {
        tree->paths++;
        return tree_child(parent, name);
    }
    return NULL;
}

/* What the outermost slices of EVENT's thread are below. */
static struct tree_node *outermost(struct call_tree *tree, struct call_thread *thread,
                                   const struct event *event)
{
    if (!tree->asked.by_thread)
        return &tree->whole;
    if (!thread->outermost) {
        char *name =
            memory_format("%s %u/%u", event->trace->program, (unsigned)event->pid, event->tid);
        if (tree_find(&tree->whole, name)) { /* of another host */
            free(name);
            name = memory_format("%s %u/%u on %s", event->trace->program, (unsigned)event->pid,
                                 event->tid, event->trace->host);
        }
        thread->outermost = tree_child(&tree->whole, name);
        free(name);
    }
    return thread->outermost;
}

static void add(struct tree_node *node, const struct event *event, const struct paired *paired)
{
    /* In a damaged recording, time may go back. */
    uint64_t ns = event->time > paired->time ? (uint64_t)event->time - (uint64_t)paired->time : 0;
    node->calls++;
    node->ns += ns;
    node->max = ns > node->max ? ns : node->max;
}

/* Of a slice that is in no thread's stack. */
static void take_alone(struct call_tree *tree, const struct event *event,
                       const struct paired *paired)
{
    const struct pair *pair = pair_of(tree, paired);
    if (paired->kind != ROLE_END || !is_root(tree, pair, event))
        return;
    tree->lost.late += !pair_is_async(pair);
    struct tree_node *node = child_of(tree, outermost(tree, thread_of(tree, event), event),
                                      name_of(pair, event->class), 1);
    if (node && !paired->overlaps)
        add(node, event, paired);
}

/* What the topmost of THREAD is in; NULL: nothing. */
static const struct open_call *above_of(const struct call_thread *thread)
{
    size_t i = thread->count - 1;
    while (i > 0 && thread->stack[i - 1].is_late)
        i--;
    return i > 0 ? &thread->stack[i - 1] : NULL;
}

static void take_begin(struct call_tree *tree, const struct event *event, const struct pair *pair,
                       uint64_t number)
{
    struct call_thread *thread = thread_of(tree, event);
    struct open_call *call = push(tree, thread, pair, event, number);
    if (!call)
        return;
    call->is_late = event_set_has(&tree->late, number);
    if (call->is_late)
        return;
    const struct open_call *above = above_of(thread);
    bool is_below = above && above->is_inside;
    call->is_inside = is_below || is_root(tree, pair, event);
    call->depth = is_below ? above->depth + 1 : 1;
    if (is_below && !above->node) { /* there is none for what it is in */
        tree->lost.deeper += above->depth >= tree->asked.depth;
        tree->lost.roomless += above->depth < tree->asked.depth;
    } else if (call->is_inside) {
        call->node = child_of(tree, is_below ? above->node : outermost(tree, thread, event),
                              name_of(pair, event->class), call->depth);
    }
}

static void take_end(struct call_tree *tree, const struct event *event, const struct paired *paired)
{
    struct call_thread *thread = thread_of(tree, event);
    size_t depth = find_open(thread, paired->number);
    if (depth == thread->count)
        return;
    drop(tree, thread, depth + 1);
    const struct open_call *call = &thread->stack[--thread->count];
    if (call->node && !paired->overlaps)
        add(call->node, event, paired);
}

void call_tree_take(struct call_tree *tree, const struct event *event, const struct paired *paired,
                    uint64_t number)
{
    const struct pair *pair = pair_of(tree, paired);
    bool is_begin = paired->kind == ROLE_BEGIN;
    if (!pair)
        return;
    if (!is_begin && !paired->has_begin)
        tree->lost.beginless += is_root(tree, pair, event);
    else if (pair_is_async(pair) || (!is_begin && event_set_has(&tree->late, paired->number)))
        take_alone(tree, event, paired);
    else if (is_begin)
        take_begin(tree, event, pair, number);
    else
        take_end(tree, event, paired);
}

/* ---- After them. ---- */

/* A thread's own row is the sum of its outermost slices. */
static void sum_thread(struct tree_node *thread)
{
    for (size_t i = 0; i < thread->count; i++) {
        thread->calls += thread->children[i]->calls;
        thread->ns += thread->children[i]->ns;
        if (thread->children[i]->max > thread->max)
            thread->max = thread->children[i]->max;
    }
}

void call_tree_end(struct call_tree *tree)
{
    for (size_t i = 0; i < tree->numbers.count; i++)
        for (size_t k = 0; k < tree->threads[i].count; k++)
            tree->lost.open += tree->threads[i].stack[k].is_inside;
    for (size_t i = 0; i < tree->whole.count && tree->asked.by_thread; i++)
        sum_thread(tree->whole.children[i]);
    tree_sort(&tree->whole);
}

void call_tree_free(struct call_tree *tree)
{
    forget_threads(tree);
    tree_free(&tree->whole);
    event_set_free(&tree->late);
    for (size_t i = 0; i < tree->trace_count; i++)
        free(tree->roots[i]);
    free(tree->roots);
    *tree = (struct call_tree){0};
}

/* TEXT has the number's place, and what one slice does, and several. */
static void note(char **notes, size_t *count, uint64_t number, const char *one, const char *many)
{
    if (number)
        notes[(*count)++] = memory_format("%" PRIu64 " slice%s %s", number, number == 1 ? "" : "s",
                                          number == 1 ? one : many);
}

size_t call_tree_notes(const struct call_tree *tree, char *notes[CALL_TREE_NOTES])
{
    const struct call_tree_lost *lost = &tree->lost;
    size_t count = 0;
    note(notes, &count, lost->open, "had not ended when the recording did: it is in no number",
         "had not ended when the recording did: they are in no number");
    note(notes, &count, lost->endless,
         "has no end, which an exception or longjmp() skips, or which is lost: it is in no number",
         "have no end, which an exception or longjmp() skips, or which is lost: they are in no "
         "number");
    note(notes, &count, lost->beginless,
         "has no begin, which was before the recording, or is lost: it is in no number",
         "have no begin, which was before the recording, or is lost: they are in no number");
    note(notes, &count, lost->late, "ended after what it began in: it is outermost",
         "ended after what they began in: they are outermost");
    note(notes, &count, lost->roomless,
         "found no room: a tree has at most 65536 paths, and it is in no number",
         "found no room: a tree has at most 65536 paths, and they are in no number");
    if (tree->asked.depth == LIVE_MAX_DEPTH)
        note(notes, &count, lost->deeper, "was deeper than 128: it is in no number",
             "were deeper than 128: they are in no number");
    return count;
}
