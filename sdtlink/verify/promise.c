/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Handlers that promise to leave vector, mask, MMX and x87 registers alone (SDT_GENERAL_REGS of
 * <sdt/runtime.h>). The compiler keeps the promise in the handler itself, but not in what it calls,
 * and a breach is a wrong number somewhere in the probed program.
 *
 * The code of each handler is read along its control flow, and so are the functions that it calls.
 * Two things are reported, the first of each: an instruction that breaks the promise, and a call
 * whose target is not known, after which nothing is proven. A jump through the table of a switch
 * is one of the latter: it looks like a call through a pointer. So is a call into another file; in
 * an object, also one into another object of the program.
 */
#include "checks.h"
#include "disasm.h"
#include "follow.h"
#include "report.h"
#include "slots.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Instructions read for one handler, and for a whole file: files may be hostile. */
enum { MOST = 1 << 17, MAX_OF_FILE = 1 << 21, SEEN_SIZE = 2 * MOST, MAX_CHAIN = 12 };

/* A function on the way: entered at `entry`, from function `caller` of the walk. */
struct frame {
    struct place entry;
    uint32_t caller;
};
/* Code that must still be read. */
struct item {
    struct place at;
    uint32_t step;
};
struct seen {
    struct place place;
    uint32_t handler; /* number of the walk that has seen it, from 1 on */
};

struct walk {
    struct image *image;
    struct slots slots;
    const char *name; /* of the handler */
    uint32_t handler;
    struct frame *steps; /* MOST of each */
    struct item *items;
    size_t nsteps, nitems;
    struct seen *seen; /* a hash table */
    size_t read, read_of_file;
    bool is_broken, is_unsure;
};

/* ---- Messages. ---- */

static void append(char *text, size_t size, const char *name)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%.160s", length ? " -> " : "", name);
}

/* "on_hit -> helper -> copy", the handler first; a long chain is cut in the middle. */
static const char *chain(const struct walk *walk, uint32_t last)
{
    static char text[MAX_CHAIN * 170];
    uint32_t steps[MAX_CHAIN] = {0};
    unsigned n = 0;
    text[0] = 0;
    for (; last != 0 && n < MAX_CHAIN - 2; last = walk->steps[last].caller)
        steps[n++] = last;
    append(text, sizeof text, walk->name);
    if (last != 0)
        append(text, sizeof text, "...");
    while (n--) {
        struct place entry = walk->steps[steps[n]].entry;
        const struct symbol *function = image_function(walk->image, entry);
        append(text, sizeof text, function ? function->name : report_place(walk->image, entry));
    }
    return text;
}

static void break_promise(struct walk *walk, const struct item *at, const struct insn *insn)
{
    if (walk->is_broken)
        return;
    walk->is_broken = true;
    report_defect(walk->image, at->at, walk->name,
                  "expected general registers only, found `%s` (%s)", insn->text,
                  chain(walk, at->step));
}

static void lose(struct walk *walk, const struct item *at, const char *what, const char *name)
{
    if (walk->is_unsure)
        return;
    walk->is_unsure = true;
    report_defect(walk->image, at->at, walk->name, "cannot be followed: %s%.200s (%s)", what, name,
                  chain(walk, at->step));
}

/* ---- Branches. ---- */

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* Functions of libsdt that keep the promise: as in <sdt/runtime.h>. */
static bool is_allowed(const char *name)
{
    static const char *const names[] = {
        "sdt_arg",  "sdt_args",     "sdt_arg_name", "sdt_arg_type", "sdt_nargs", "sdt_provider",
        "sdt_name", "sdt_function", "sdt_module",   "sdt_pc",       NULL};
    return is_one_of(name, names);
}

/* Functions that never return to the probed function. */
static bool is_last(const char *name)
{
    static const char *const names[] = {"abort",         "_exit", "_Exit", "__stack_chk_fail",
                                        "__assert_fail", NULL};
    return is_one_of(name, names);
}

/* Calls of probes: as in a linked file, where they are NOPs. Entries are made by sdtlink. */
static bool is_probe(const char *name)
{
    return strncmp(name, "__dtrace_sdt", strlen("__dtrace_sdt")) == 0;
}

/* False: seen before. The table never fills: it is twice as large as what is read. */
static bool see(struct walk *walk, struct place place)
{
    uint64_t mixed = place.offset ^ (uint64_t)place.section << 40;
    for (uint64_t i = mixed * 0x9e3779b97f4a7c15u >> 40;; i++) {
        struct seen *seen = &walk->seen[i % SEEN_SIZE];
        if (seen->handler != walk->handler) {
            *seen = (struct seen){place, walk->handler};
            return true;
        }
        if (place_is_same(seen->place, place))
            return false;
    }
}

/* Read PLACE later; IS_CALL, or when it is another function's: as a step of its own. */
static void go_to(struct walk *walk, const struct item *from, struct place place, bool is_call)
{
    uint32_t step = from->step;
    if (!image_is_code(walk->image, place, 1)) {
        lose(walk, from, "a branch to something that is not code", "");
        return;
    }
    const struct symbol *there = image_function(walk->image, place);
    if (there && is_allowed(there->name) && there->value == place.offset)
        return;
    if (walk->nsteps == MOST || walk->nitems == MOST) {
        lose(walk, from, "there is too much code", "");
        return;
    }
    if (is_call || there != image_function(walk->image, from->at)) {
        step = (uint32_t)walk->nsteps++;
        walk->steps[step] = (struct frame){place, from->step};
    }
    walk->items[walk->nitems++] = (struct item){place, step};
}

/* A call or jump out of the file. False: it does not return. */
static bool go_out(struct walk *walk, const struct item *at, const char *name)
{
    bool is_object = walk->image->is_relocatable;
    if (is_last(name))
        return false;
    if (!is_allowed(name) && !(is_object && is_probe(name)))
        lose(walk, at, is_object ? "another file has " : "another library has ", name);
    return true;
}

static bool has(const struct walk *walk, const struct insn *insn, enum property property)
{
    return walk->image->arch->has(insn, property);
}

/* False: it does not return. */
static bool follow_branch(struct walk *walk, const struct item *at, const struct insn *insn)
{
    struct branch branch = target_find(walk->image, &walk->slots, at->at, insn);
    switch (branch.leads) {
    case LEADS_TO_PLACE:
        go_to(walk, at, branch.place, has(walk, insn, INSN_CALL));
        return true;
    case LEADS_OUT:
        return go_out(walk, at, branch.name);
    case LEADS_TO_IFUNC:
        lose(walk, at, "chosen at start-up (ifunc): ", insn->text);
        return true;
    case LEADS_UNKNOWN:
        break;
    }
    lose(walk, at, "unknown target of ", insn->text);
    return true;
}

/* Whether a call at AT can be followed by what lies after it: not at the end of its function. */
static bool is_inside(const struct walk *walk, struct place at, unsigned length)
{
    const struct symbol *function = image_function(walk->image, at);
    at.offset += length;
    return !function || function == image_function(walk->image, at);
}

/* Judge INSN at AT. False: the code ends here. */
static bool judge(struct walk *walk, const struct item *at, const struct insn *insn)
{
    bool goes_on = !has(walk, insn, INSN_END);
    if (insn->length == 0) {
        lose(walk, at, "these bytes are not an instruction", "");
        return false;
    }
    if (has(walk, insn, INSN_VECTORS)) {
        break_promise(walk, at, insn);
        return false;
    }
    if (has(walk, insn, INSN_LEAVES))
        goes_on = follow_branch(walk, at, insn) && goes_on;
    return goes_on && (!has(walk, insn, INSN_CALL) || is_inside(walk, at->at, insn->length));
}

/* Read on from AT until the code ends or was seen before. */
static void read_code(struct walk *walk, struct item at)
{
    struct insn insn;
    while (!walk->is_broken && see(walk, at.at)) {
        bool has_bytes = disasm_at(walk->image, at.at, &insn);
        if (++walk->read >= MOST || ++walk->read_of_file >= MAX_OF_FILE || !has_bytes) {
            lose(walk, &at, has_bytes ? "there is too much code" : "the code has no end", "");
            return;
        }
        if (!judge(walk, &at, &insn))
            return;
        at.at.offset += insn.length;
    }
}

/* The handler that has PLACE in it. */
static void read_handler(struct walk *walk, struct place place)
{
    const struct symbol *function = image_function(walk->image, place);
    if (function)
        place.offset = function->value;
    walk->handler++;
    walk->read = 0;
    walk->is_broken = walk->is_unsure = false;
    walk->steps[0] = (struct frame){place, 0};
    walk->items[0] = (struct item){place, 0};
    walk->nsteps = walk->nitems = 1;
    for (size_t i = 0; i < walk->nitems && !walk->is_broken && walk->read < MOST; i++)
        read_code(walk, walk->items[i]);
}

/* ---- The records: a distance to the handler, and its name. ---- */

static void read_records(struct walk *walk, uint32_t section, size_t *handlers)
{
    struct image *image = walk->image;
    struct place at = {section, 0};
    while (at.offset < image->sections[section].size) {
        struct target target;
        const char *name = image_string(image, (struct place){section, at.offset + 4});
        if (!name || image_follow(image, at, &target) != FOLLOW_PLACE ||
            !image_is_code(image, target.place, 1)) {
            report_defect(image, at, NULL, "expected a handler and its name");
            return;
        }
        if (walk->read_of_file >= MAX_OF_FILE) {
            report_defect(image, at, name, "cannot be followed: there is too much code");
            return;
        }
        ++*handlers;
        walk->read_of_file++;
        walk->name = name;
        read_handler(walk, target.place);
        at.offset += 4 + strlen(name) + 1;
    }
}

static bool has_records(const struct section *section)
{
    return strcmp(section->name, ".sdt_handlers") == 0 && section->data;
}

/* No handler can promise anything on this machine: SDT_GENERAL_REGS is 0, and the macro leaves no
 * record. */
static int refuse_all(struct image *image)
{
    for (uint32_t i = 1; i < image->nsections; i++)
        if (has_records(&image->sections[i]))
            report_defect(image, (struct place){i, 0}, NULL,
                          "expected no handlers of general registers on this machine");
    return 0;
}

int check_promises(struct image *image, size_t *handlers)
{
    struct walk walk = {.image = image};
    bool has_any = false;
    int result = -1;
    for (uint32_t i = 1; i < image->nsections; i++)
        has_any |= has_records(&image->sections[i]);
    if (!has_any)
        return 0;
    if (!image->arch->has_promises)
        return refuse_all(image);
    walk.steps = calloc(MOST, sizeof *walk.steps);
    walk.items = calloc(MOST, sizeof *walk.items);
    walk.seen = calloc(SEEN_SIZE, sizeof *walk.seen);
    if (!walk.steps || !walk.items || !walk.seen)
        report_failure(image, "out of memory");
    else if (slots_read(image, &walk.slots) == 0)
        result = 0;
    for (uint32_t i = 1; result == 0 && i < image->nsections; i++) /* an object may have many */
        if (has_records(&image->sections[i]))
            read_records(&walk, i, handlers);
    free(walk.steps);
    free(walk.items);
    free(walk.seen);
    free(walk.slots.all);
    return result;
}
