/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What needs a moment that no program can hold on to: a trap that arrives when its object is gone,
 * and a subscription that begins while a hit reads its first argument.
 */
#include "set.h"

#include <hit/argument.h>
#include <patch/patch.h>
#include <patch/resolve.h>
#include <registry/dispatch.h>
#include <registry/way.h>
#include <shared/pattern.h>
#include <string.h>
#include <subscribe/subscription.h>

/* Text, set and probe in one image, so that 32-bit distances reach. */
__asm__(".text\n"
        ".balign 32\n"
        "the_stub:\n"
        "  mov (%rsp),%r11; sub $5,%r11; lea the_probe(%rip),%r10; mov (%r10),%rax\n"
        "  test %rax,%rax; je 1f; jmp *%rax\n"
        "1: ret\n"
        "  .fill 32 - (. - the_stub), 1, 0xcc\n"
        "the_text:\n"
        "  .byte 0x90, 0x66, 0x0f, 0x1f, 0xc0\n" /* a site */
        "  .byte 0x90, 0x3e, 0x66, 0xc3, 0xcc, 0x90, 0x67, 0x3e, 0x0f, 0x66, 0xe8\n"
        "the_last:\n"
        "  .byte 0x90, 0x66, 0x0f, 0x1f, 0xc0\n"); /* another one */
extern volatile uint8_t the_text[], the_last[], the_stub[];
/* r: what a breakpoint that was taken out leaves; -: no thread goes back there. */
static const char resumes[] = "rr---"
                              "rr-r-r-----"
                              "rr---";

static struct sdt_site records[2];

static struct object *begin(void)
{
    fill_in(&records[0], SDT_KIND_CALL, the_text, the_stub);
    fill_in(&records[1], SDT_KIND_CALL, the_last, the_stub);
    fill_in_set(records, 2);
    return add_set(2);
}

static void check_remains(void)
{
    CHECK(sizeof resumes - 1 == (size_t)(the_last + 5 - the_text));
    for (size_t i = 0; i < sizeof resumes - 1; i++) {
        uintptr_t address = (uintptr_t)the_text + i;
        struct trap_answer answer = resolve_trap(address);
        bool is_breakpoint = the_text[i] == 0xcc;
        CHECK(answer.verdict == (resumes[i] == 'r' ? TRAP_RESUME : TRAP_FOREIGN));
        CHECK(answer.resume == (resumes[i] == 'r' || is_breakpoint ? address : 0));
    }
}

static void never(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    CHECK(false);
}

/* Sites whose plan is being made, each bit of BUSY one: the handler's promise is not used. */
static void check_plans(unsigned busy)
{
    struct object *object = begin();
    int error;
    struct subscription subscription = {.id = 1,
                                        .handler = never,
                                        .mode = SDT_MODE_TRAP,
                                        .is_general = true,
                                        .pattern = pattern_parse("unit:probe", 10, &error)};
    for (unsigned i = 0; i < 2; i++)
        if (busy >> i & 1) {
            atomic_store(&object->sites[i].of_argument.room, NULL);
            atomic_store(&object->sites[i].of_argument.fetch, fetch_unread);
        }
    object->probes[0].access = SDT_BY_ENTRY; /* calls have one way for both */
    CHECK(subscription_apply(object, &subscription) == 0);
    CHECK(the_probe.way == (void *)(busy ? entry_save : entry_general));
    CHECK(the_text[1] == 0xcc && the_last[1] == 0xcc);
    subscription_withdraw(object, &subscription);
    CHECK(the_text[1] == 0x66 && the_last[1] == 0x66);
    dispatch_free_garbage(dispatch_take_garbage());
    pattern_free(subscription.pattern);
    remove_set(object);
}

int main(void)
{
    CHECK(resolve_trap((uintptr_t)the_text).verdict == TRAP_FOREIGN); /* it is not known yet */
    remove_set(begin());
    check_remains();
    for (unsigned busy = 0; busy < 4; busy++)
        check_plans(busy);
    return check_failures != 0;
}
