/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The runtime's seam, proven by a machine that there is not (fake_code.h): records of its sites are
 * checked, indexed and found, and the sites armed and disarmed, in every way that there is. The
 * files of the runtime that use the seam are compiled for it; nothing of x86-64 takes part. No
 * thread runs this text: it is only read and written.
 */
#include "set.h"

#include <errno.h>
#include <patch/patch.h>
#include <patch/resolve.h>
#include <sdt/runtime.h>
#include <string.h>

enum { CALLS = 100, INLINE = CALLS, TAIL, ENABLED, SITES };

/* Text, set and probe in one image, so that 32-bit distances reach. The sites of calls are side by
 * side; after them come the other three, each with a word of a stranger's after it. */
__asm__(".text\n"
        ".balign 32\n"
        "the_stub:\n"
        "  .byte 0x51, 0, 0, 0\n"
        "  .long the_probe - .\n"
        "  .fill 24, 1, 0\n"
        "the_entry:\n"
        "  .byte 0x53, 0, 0, 0\n"
        "  .fill 20, 1, 0\n"
        "  .long records + 100 * 40 - .\n"
        "  .long the_inline_probe - .\n"
        "the_loader:\n"
        "  .byte 0x52, 0, 0, 0\n"
        "  .long the_tail - .\n"
        "  .long the_stub - .\n"
        "  .fill 20, 1, 0\n"
        "the_calls:\n"
        "  .rept 100\n"
        "  .byte 0x22, 0, 0, 0\n"
        "  .endr\n"
        "  .byte 0x77, 0, 0, 0\n"
        "the_inline:\n"
        "  .byte 0x20, 0, 0, 0\n"
        "1: .byte 0x24, 0\n"
        "  .short (the_entry - 1b) / 4\n"
        "  .byte 0x77, 0, 0, 0\n"
        "the_tail:\n"
        "  .byte 0x23, 0\n"
        "  .short (the_loader - the_tail) / 4\n"
        "  .byte 0x77, 0, 0, 0\n"
        "the_question:\n"
        "  .byte 0x33, 0, 0, 0\n"
        "  .byte 0x77, 0, 0, 0\n"
        "the_end:\n"
        "  .fill 32, 1, 0\n");
extern uint8_t the_stub[], the_entry[], the_loader[], the_calls[], the_inline[], the_tail[],
    the_question[], the_end[];

struct sdt_site records[SITES];

static void build(void)
{
    for (unsigned i = 0; i < CALLS; i++) /* the last one first: the index sorts them */
        fill_in(&records[i], SDT_KIND_CALL, the_calls + (size_t)FAKE_WORD * (CALLS - 1 - i),
                the_stub);
    fill_in(&records[INLINE], SDT_KIND_INLINE, the_inline, the_entry);
    fill_in(&records[TAIL], SDT_KIND_TAIL, the_tail, the_stub);
    fill_in(&records[ENABLED], SDT_KIND_ENABLED, the_question, the_stub);
    fill_in_set(records, SITES);
}

static struct site *site_of(const struct object *object, unsigned record)
{
    return &object->sites[object->by_record[record]];
}

static void write_half(uint8_t *address, site_word expect, site_word value)
{
    struct text_writer writer;
    struct text_edit edit = {address, expect, value, 0, NULL};
    text_begin(&writer);
    text_write(&writer, &edit, 1);
    text_end(&writer);
    CHECK(edit.error == 0);
}

/* ---- The registry. ---- */

static void check_index(void)
{
    struct object *object = add_set(SITES);
    unsigned firing = 0;
    for (size_t i = 0; i < object->probe_count; i++)
        firing += object->probes[i].firing;
    CHECK(firing == SITES - 1 && object->enabled_sites == 1);
    for (unsigned i = 0; i < SITES; i++) {
        const struct site *site = site_of(object, i);
        CHECK(!site->is_bad && site->record == &records[i]);
        CHECK(site->form == fake_form(records[i].kind));
    }
    for (uint8_t *p = the_calls - 8; p < the_end + 8; p++) {
        const struct site *site = registry_find_trap((uintptr_t)p);
        const uint8_t *pc = site ? site_pc(site) : NULL;
        bool is_call = p >= the_calls && p < the_calls + (size_t)FAKE_WORD * CALLS;
        bool is_other = (p >= the_inline && p < the_inline + 8) ||
                        (p >= the_tail && p < the_tail + 4) ||
                        (p >= the_question && p < the_question + 4);
        CHECK((site != NULL) == (is_call || is_other));
        CHECK(!site || (p >= pc && p < pc + site->form->length));
    }
    remove_set(object);
}

/* RECORD, damaged in FIELD, is refused, and the others are not. */
static void check_bad(unsigned record, int32_t *field)
{
    int32_t was = *field;
    *field += FAKE_WORD;
    struct object *object = add_set(SITES);
    for (unsigned i = 0; i < SITES; i++)
        CHECK(site_of(object, i)->is_bad == (i == record));
    CHECK(site_of(object, record)->error == -EILSEQ);
    remove_set(object);
    *field = was;
}

/* A site whose branch, which is kept, leads anywhere else is refused. */
static void check_branch(unsigned record, uint8_t *word)
{
    site_word was = fake_half(word + 2), other = (site_word)(was + 1);
    write_half(word + 2, was, other);
    struct object *object = add_set(SITES);
    CHECK(site_of(object, record)->is_bad && site_of(object, record)->error == -EILSEQ);
    remove_set(object);
    write_half(word + 2, other, was);
}

/* ---- Arming. ---- */

static void run(struct object *object, int mode)
{
    struct patch patch;
    patch_begin(&patch, mode);
    for (size_t i = 0; i < object->n; i++)
        if (mode != SDT_MODE_OFF)
            CHECK(!patch_prepare(&patch, &object->sites[i]));
    for (size_t i = 0; i < object->n; i++)
        patch_site(&patch, &object->sites[i]);
    patch_end(&patch);
}

static void check_answer(const uint8_t *address, enum trap_verdict verdict, const uint8_t *resume)
{
    struct trap_answer answer = resolve_trap((uintptr_t)address);
    CHECK(answer.verdict == verdict && answer.resume == (uintptr_t)resume);
}

/* What the halves that change are, and that nothing else has changed. */
static void check_text(const uint8_t *before, uint8_t call, uint8_t in, uint8_t tail, uint8_t asks)
{
    static uint8_t wanted[1024];
    memcpy(wanted, before, (size_t)(the_end - the_stub));
    for (size_t i = 0; i < CALLS; i++)
        wanted[the_calls - the_stub + (ptrdiff_t)(FAKE_WORD * i)] = call;
    wanted[the_inline + 4 - the_stub] = in;
    wanted[the_tail - the_stub] = tail;
    wanted[the_question + 2 - the_stub] = asks;
    CHECK(memcmp(the_stub, wanted, (size_t)(the_end - the_stub)) == 0);
}

static void check_modes(const uint8_t *before)
{
    struct object *object = add_set(SITES);
    run(object, SDT_MODE_AUTO); /* a call has no branch that could be armed */
    check_text(before, FAKE_BREAK, FAKE_JUMP, FAKE_JUMP, 1);
    check_answer(the_calls + FAKE_WORD, TRAP_CALL, the_calls + (ptrdiff_t)(2 * FAKE_WORD));
    CHECK(site_of(object, 0)->mode == SITE_TRAP && site_of(object, INLINE)->mode == SITE_JUMP);
    run(object, SDT_MODE_OFF);
    check_text(before, FAKE_SKIP, FAKE_NO_JUMP, FAKE_RETURN, 0);
    check_answer(the_calls, TRAP_RESUME, the_calls); /* a late one */

    run(object, SDT_MODE_TRAP);
    check_text(before, FAKE_BREAK, FAKE_BREAK, FAKE_BREAK, 1);
    check_answer(the_inline + FAKE_WORD, TRAP_RESUME, the_entry);
    check_answer(the_tail, TRAP_ENTER, the_tail + FAKE_WORD);
    run(object, SDT_MODE_OFF);

    run(object, SDT_MODE_JUMP);
    check_text(before, FAKE_SKIP, FAKE_JUMP, FAKE_JUMP, 1);
    CHECK(site_of(object, 0)->error == -ENOTSUP && site_of(object, TAIL)->error == 0);
    run(object, SDT_MODE_OFF);
    check_text(before, FAKE_SKIP, FAKE_NO_JUMP, FAKE_RETURN, 0);
    remove_set(object);
}

/* Foreign breakpoints: over a whole site, and over the first word of one that changes in its
 * second. */
static void check_tracer(const uint8_t *before)
{
    struct object *object = add_set(SITES);
    write_half(the_calls, FAKE_SKIP, FAKE_BREAK);
    write_half(the_inline, FAKE_NOP, FAKE_BREAK);
    run(object, SDT_MODE_AUTO);
    CHECK(site_of(object, CALLS - 1)->error == -EBUSY);
    CHECK(site_of(object, CALLS - 2)->mode == SITE_TRAP);
    CHECK(site_of(object, INLINE)->mode == SITE_JUMP && the_inline[4] == FAKE_JUMP);
    check_answer(the_inline, TRAP_FOREIGN, the_inline);
    run(object, SDT_MODE_OFF);
    CHECK(the_calls[0] == FAKE_BREAK && the_inline[0] == FAKE_BREAK);
    write_half(the_calls, FAKE_BREAK, FAKE_SKIP);
    write_half(the_inline, FAKE_BREAK, FAKE_NOP);
    check_text(before, FAKE_SKIP, FAKE_NO_JUMP, FAKE_RETURN, 0);
    remove_set(object);
}

int main(void)
{
    static uint8_t before[1024];
    memcpy(before, the_stub, (size_t)(the_end - the_stub));
    build();
    check_index();
    check_bad(0, &records[0].stub);
    check_bad(INLINE, &records[INLINE].pc);
    check_bad(TAIL, &records[TAIL].stub); /* its loader leads to another one */
    check_branch(INLINE, the_inline + FAKE_WORD);
    check_branch(TAIL, the_tail);
    check_bad(ENABLED, &records[ENABLED].pc);
    check_modes(before);
    check_tracer(before);
    return check_failures != 0;
}
