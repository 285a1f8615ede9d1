/* SPDX-License-Identifier: BSD-2-Clause */
/* See stack.h. This file is compiled for general registers only, as it runs in hits. */
#define _GNU_SOURCE
#include "stack.h"

#include "stack_table.h"

#include "shared/lower_bound.h"

#include <machine/context.h>
#include <machine/frame.h>

struct stack_table *_Atomic stack_table;

/* More than that is no frame: also of a thread with a large stack. */
#define MAX_FRAME ((uintptr_t)64 << 20)

/* ---- Rows. ---- */

static const struct stack_module *find_module(const struct stack_table *table, uintptr_t pc)
{
    size_t low = LOWER_BOUND(i, table->count, table->module[i].start <= pc);
    return low && pc < table->module[low - 1].end ? &table->module[low - 1] : NULL;
}

static const struct stack_row *find_row(const struct stack_rows *rows, uintptr_t pc)
{
    size_t low = LOWER_BOUND(i, rows->count, rows->row[i].pc <= pc);
    return low ? &rows->row[low - 1] : NULL;
}

/* ---- Frames. ---- */

bool stack_load(const struct stack_walk *walk, uintptr_t from, uintptr_t *to)
{
    uint64_t room[3];
    if (pages_copy(walk->way, (char *)room, from, sizeof *room, false) != (long)sizeof *room)
        return false;
    *to = room[0];
    return true;
}

/* Whether a frame that begins at CFA can be the next one; EMPTY: it may have taken no stack. */
static bool is_frame(const struct stack_walk *walk, uintptr_t cfa, bool empty)
{
    return (cfa > walk->sp || (empty && cfa == walk->sp)) && cfa - walk->sp <= MAX_FRAME;
}

/* A frame that begins at CFA, and whose caller has BP and goes on at PC. */
static bool leave(struct stack_walk *walk, uintptr_t cfa, uintptr_t bp, uintptr_t pc)
{
    walk->pc = frame_return(pc);
    walk->sp = cfa;
    walk->bp = bp;
    walk->is_exact = walk->has_link = walk->is_sp_least = false;
    return walk->pc != 0;
}

/* What a signal has interrupted; its stack may be another one. */
static bool leave_signal(struct stack_walk *walk)
{
    uintptr_t pc, sp, bp, link = 0, frame = walk->sp;
    if (!stack_load(walk, frame + CONTEXT_PC, &pc) || !stack_load(walk, frame + CONTEXT_SP, &sp) ||
        !stack_load(walk, frame + CONTEXT_BP, &bp) ||
        (FRAME_HAS_LINK && !stack_load(walk, frame + CONTEXT_RETURN, &link)))
        return false;
    walk->pc = pc;
    walk->sp = sp;
    walk->bp = bp;
    walk->link = link;
    walk->is_exact = true;
    walk->has_link = FRAME_HAS_LINK;
    return pc != 0;
}

/* Without a row: the frame pointer, if the code keeps one. */
static bool leave_by_pointer(struct stack_walk *walk)
{
    uintptr_t bp, pc, end = walk->bp + FRAME_POINTER_CFA;
    if (walk->bp % 8 || walk->bp < walk->sp || !is_frame(walk, end, false) ||
        !stack_load(walk, end + FRAME_POINTER_AT, &bp) ||
        !stack_load(walk, end + FRAME_RETURN_AT, &pc) || !leave(walk, end, bp, pc))
        return false;
    walk->is_sp_least = !FRAME_POINTER_TELLS_CFA;
    return true;
}

/* Without a row that says more. */
static bool leave_unknown(struct stack_walk *walk, bool has_row)
{
    uintptr_t code;
    if (FRAME_HAS_LINK && stack_load(walk, walk->pc, &code) && frame_is_of_signal(code))
        return leave_signal(walk);
    return !has_row && leave_by_pointer(walk);
}

static bool find_cfa(const struct stack_walk *walk, const struct stack_row *row, uintptr_t *cfa)
{
    uintptr_t offset = (uintptr_t)(intptr_t)row->offset;
    switch ((enum stack_cfa)row->cfa) {
    case CFA_STACK: /* else the frame pointer leads to where it saved the caller's */
        *cfa = walk->is_sp_least ? walk->bp - (uintptr_t)row->pointer_offset : walk->sp + offset;
        return !walk->is_sp_least || row->pointer == POINTER_AT_CFA;
    case CFA_POINTER:
        *cfa = walk->bp + offset;
        return true;
    case CFA_AT_POINTER:
        return stack_load(walk, walk->bp + offset, cfa);
    case CFA_PLT:
        *cfa = frame_of_plt(walk->sp, walk->pc, offset);
        return true;
    default:
        return false;
    }
}

/* Where ROW says that the return address of the frame at CFA is. */
static bool find_return(const struct stack_walk *walk, const struct stack_row *row, uintptr_t cfa,
                        uintptr_t *pc)
{
    bool is_link = row->back == BACK_LINK;
    *pc = walk->link;
    return is_frame(walk, cfa, is_link) &&
           (is_link ? walk->has_link : stack_load(walk, cfa + (uintptr_t)row->back_offset, pc));
}

bool stack_next(struct stack_walk *walk)
{
    uintptr_t at = walk->pc - !walk->is_exact, cfa, bp = walk->bp, pc;
    const struct stack_module *module = find_module(walk->table, at);
    const struct stack_row *row = module ? find_row(&module->rows, at - module->base) : NULL;
    if (!row || row->cfa == CFA_NONE)
        return leave_unknown(walk, row != NULL);
    if (row->cfa == CFA_SIGNAL)
        return leave_signal(walk);
    if (!find_cfa(walk, row, &cfa) || !find_return(walk, row, cfa, &pc))
        return false;
    uintptr_t offset = (uintptr_t)(intptr_t)row->pointer_offset;
    if (row->pointer != POINTER_KEPT &&
        !stack_load(walk, (row->pointer == POINTER_AT_CFA ? cfa : walk->bp) + offset, &bp))
        return false;
    return leave(walk, cfa, bp, pc);
}

/* ---- Where it begins. ---- */

bool stack_begin(struct stack_walk *walk, struct pages_way way)
{
    walk->table = atomic_load_explicit(&stack_table, memory_order_acquire);
    walk->way = way;
    walk->is_exact = true;
    walk->is_sp_least = false;
    return walk->table != NULL;
}
