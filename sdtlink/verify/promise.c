/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Handlers that promise to leave vector, mask, MMX and x87 registers alone (SDT_GENERAL_REGS of
 * <sdt/runtime.h>). The compiler keeps the promise in the handler itself, but not in what it calls,
 * and a breach is a wrong number somewhere in the probed program.
 *
 * The code is read along its flow from each handler on, into direct calls, and by the dynamic
 * relocations out of the file. The first instruction that breaks the promise is told, and the first
 * call of which nobody knows where it leads: then nothing is proven. A jump through a table of a
 * switch is one of these, too, as it cannot be told from a call through a pointer.
 *
 * Objects are left alone: what they call is known when they are linked.
 */
#include "checks.h"
#include "disasm.h"
#include "report.h"
#include "slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Instructions read for one handler, and for all of a file, which may be anybody's. */
enum { MOST = 1 << 17, MOST_OF_FILE = 1 << 21, SEEN_SIZE = 2 * MOST, CHAIN_MOST = 12 };

/* A function on the way: entered at `entry`, from function `caller` of the walk. */
struct step {
    uint64_t entry;
    uint32_t caller;
};
/* Code that must still be read. */
struct item {
    uint64_t at;
    uint32_t step;
};
struct seen {
    uint64_t address;
    uint32_t handler; /* number of the walk that has seen it, from 1 on */
};

struct walk {
    struct image *image;
    struct slots slots;
    const char *name; /* of the handler */
    uint32_t handler;
    struct step *steps; /* MOST of each */
    struct item *items;
    size_t nsteps, nitems;
    struct seen *seen; /* a hash table */
    size_t read, read_of_file;
    bool is_broken, is_unsure;
};

static struct place place_of(const struct walk *walk, uint64_t address)
{
    uint32_t section = image_section_at(walk->image, address);
    return (struct place){section, address - walk->image->sections[section].address};
}

static const struct symbol *function_at(const struct walk *walk, uint64_t address)
{
    return image_function(walk->image, place_of(walk, address));
}

/* ---- What is said. ---- */

static void append(char *text, size_t size, const char *name)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%.160s", length ? " -> " : "", name);
}

/* "on_hit -> helper -> copy", the outermost first; of a long chain both ends. */
static const char *chain(const struct walk *walk, uint32_t last)
{
    static char text[CHAIN_MOST * 170];
    uint32_t steps[CHAIN_MOST];
    unsigned n = 0;
    text[0] = 0;
    for (; last != 0 && n < CHAIN_MOST - 2; last = walk->steps[last].caller)
        steps[n++] = last;
    append(text, sizeof text, walk->name);
    if (last != 0)
        append(text, sizeof text, "...");
    while (n--) {
        uint64_t entry = walk->steps[steps[n]].entry;
        const struct symbol *function = function_at(walk, entry);
        append(text, sizeof text,
               function ? function->name : report_place(walk->image, place_of(walk, entry)));
    }
    return text;
}

static void break_promise(struct walk *walk, const struct item *at, const struct insn *insn)
{
    if (walk->is_broken)
        return;
    walk->is_broken = true;
    report_defect(walk->image, place_of(walk, at->at), walk->name,
                  "expected general registers only, found `%s` (%s)", insn->text,
                  chain(walk, at->step));
}

static void lose(struct walk *walk, const struct item *at, const char *what, const char *name)
{
    if (walk->is_unsure)
        return;
    walk->is_unsure = true;
    report_defect(walk->image, place_of(walk, at->at), walk->name,
                  "cannot be followed: %s%.200s (%s)", what, name, chain(walk, at->step));
}

/* ---- Where it goes on. ---- */

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

/* False: seen before. The table never fills: it is twice as large as what is read. */
static bool see(struct walk *walk, uint64_t address)
{
    uint64_t i = address * 0x9e3779b97f4a7c15u >> 40;
    for (;; i++) {
        struct seen *seen = &walk->seen[i % SEEN_SIZE];
        if (seen->handler != walk->handler) {
            *seen = (struct seen){address, walk->handler};
            return true;
        }
        if (seen->address == address)
            return false;
    }
}

/* Read ADDRESS later; IS_CALL, or when it is another function's: as a step of its own. */
static void go_to(struct walk *walk, const struct item *from, uint64_t address, bool is_call)
{
    const struct symbol *there = function_at(walk, address);
    uint32_t step = from->step;
    if (!image_is_code(walk->image, place_of(walk, address), 1)) {
        lose(walk, from, "a branch to what is no code", "");
        return;
    }
    if (there && is_allowed(there->name) && there->value == place_of(walk, address).offset)
        return;
    if (walk->nsteps == MOST || walk->nitems == MOST) {
        lose(walk, from, "there is too much code", "");
        return;
    }
    if (is_call || there != function_at(walk, from->at)) {
        step = (uint32_t)walk->nsteps++;
        walk->steps[step] = (struct step){address, from->step};
    }
    walk->items[walk->nitems++] = (struct item){address, step};
}

/* An indirect call or jump. False: it does not return. */
static bool go_through(struct walk *walk, const struct item *at, const struct insn *insn)
{
    const struct slot *slot = insn->has_target && strstr(insn->text, "(%rip)")
                                  ? slots_find(&walk->slots, insn->target)
                                  : NULL;
    if (!slot) {
        lose(walk, at, "the target is not known of ", insn->text);
    } else if (slot->name) {
        if (!is_allowed(slot->name) && !is_last(slot->name))
            lose(walk, at, "another library has ", slot->name);
        return !is_last(slot->name);
    } else if (slot->target == 0) {
        lose(walk, at, "chosen at start-up (ifunc): ", insn->text);
    } else {
        go_to(walk, at, slot->target, insn_is_call(insn));
    }
    return true;
}

/* Whether a call at AT can be followed by what lies behind it: not at the end of its function. */
static bool is_inside(const struct walk *walk, uint64_t at, uint64_t next)
{
    const struct symbol *function = function_at(walk, at);
    return !function || function == function_at(walk, next);
}

/* Judge INSN at AT. False: the code ends here. */
static bool judge(struct walk *walk, const struct item *at, const struct insn *insn)
{
    bool goes_on = !insn_is_end(insn);
    if (insn->length == 0) {
        lose(walk, at, "these bytes are no instruction", "");
        return false;
    }
    if (insn_touches_vectors(insn)) {
        break_promise(walk, at, insn);
        return false;
    }
    if (insn_is_indirect(insn))
        goes_on = go_through(walk, at, insn) && goes_on;
    else if (insn->has_target && (insn_is_branch(insn) || strncmp(insn->text, "loop", 4) == 0 ||
                                  strncmp(insn->text, "xbegin", 6) == 0))
        go_to(walk, at, insn->target, insn_is_call(insn));
    return goes_on && (!insn_is_call(insn) || is_inside(walk, at->at, at->at + insn->length));
}

/* Read on from AT until the code ends or was seen before. */
static void read_code(struct walk *walk, struct item at)
{
    struct insn insn;
    uint64_t available;
    while (!walk->is_broken && see(walk, at.at)) {
        struct place place = place_of(walk, at.at);
        const uint8_t *bytes = image_bytes(walk->image, place, &available);
        if (++walk->read >= MOST || ++walk->read_of_file >= MOST_OF_FILE || !bytes) {
            lose(walk, &at, bytes ? "there is too much code" : "the code has no end", "");
            return;
        }
        disasm_one(bytes, available, at.at, &insn);
        if (!judge(walk, &at, &insn))
            return;
        at.at += insn.length;
    }
}

/* The handler that has ADDRESS in it. */
static void read_handler(struct walk *walk, uint64_t address)
{
    const struct symbol *function = function_at(walk, address);
    if (function)
        address -= place_of(walk, address).offset - function->value;
    walk->handler++;
    walk->read = 0;
    walk->is_broken = walk->is_unsure = false;
    walk->steps[0] = (struct step){address, 0};
    walk->items[0] = (struct item){address, 0};
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
        if (walk->read_of_file >= MOST_OF_FILE) {
            report_defect(image, at, name, "cannot be followed: there is too much code");
            return;
        }
        ++*handlers;
        walk->read_of_file++;
        walk->name = name;
        read_handler(walk, image->sections[target.place.section].address + target.place.offset);
        at.offset += 4 + strlen(name) + 1;
    }
}

int check_promises(struct image *image, size_t *handlers)
{
    struct walk walk = {.image = image};
    uint32_t section = 0;
    int result = -1;
    for (uint32_t i = 1; i < image->nsections && !image->is_relocatable; i++)
        if (strcmp(image->sections[i].name, ".sdt_handlers") == 0 && image->sections[i].data)
            section = i;
    if (section == 0)
        return 0;
    walk.steps = calloc(MOST, sizeof *walk.steps);
    walk.items = calloc(MOST, sizeof *walk.items);
    walk.seen = calloc(SEEN_SIZE, sizeof *walk.seen);
    if (!walk.steps || !walk.items || !walk.seen)
        report_failure(image, "out of memory");
    else if (slots_read(image, &walk.slots) == 0)
        result = 0;
    if (result == 0)
        read_records(&walk, section, handlers);
    free(walk.steps);
    free(walk.items);
    free(walk.seen);
    free(walk.slots.all);
    return result;
}
