/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The registry against a model: a set of hand-made records, shuffled, is indexed; then every
 * address around the sites is looked up, and compared with a plain search.
 */
#include "set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 200, STRIDE = 12 };

/* Text, set and probe in one image, so that 32-bit distances reach. */
__asm__(".text\n"
        ".balign 32\n"
        "the_stub:\n"
        "  mov (%rsp),%r11; sub $5,%r11; lea the_probe(%rip),%r10; mov (%r10),%rax\n"
        "  test %rax,%rax; je 1f; jmp *%rax\n"
        "1: ret\n"
        "  .fill 32 - (. - the_stub), 1, 0xcc\n"
        "the_text:\n"
        "  .rept 200\n"
        "  .byte 0x90, 0x66, 0x0f, 0x1f, 0xc0\n"
        "  .fill 7, 1, 0x90\n"
        "  .endr\n");
extern uint8_t the_text[], the_stub[];

static struct sdt_site records[SITES];

static void build(void)
{
    unsigned order[SITES];
    for (unsigned i = 0; i < SITES; i++)
        order[i] = i;
    srand(1);
    for (unsigned i = SITES - 1; i > 0; i--) {
        unsigned j = (unsigned)rand() % (i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (unsigned i = 0; i < SITES; i++)
        fill_in(&records[i], SDT_KIND_CALL, the_text + order[i] * STRIDE, the_stub);
    fill_in_set(records, SITES);
}

static void check_lookup(const struct object *object)
{
    for (size_t i = 1; i < object->n; i++)
        CHECK(object->sites[i - 1].patch < object->sites[i].patch);
    for (uint8_t *p = the_text - 20; p < the_text + SITES * STRIDE + 20; p++) {
        long at = p - the_text;
        bool in_text = at >= 0 && at < SITES * STRIDE;
        const struct site *exact = probe_find(&object->probes[0], (uintptr_t)p);
        const struct site *trap = registry_find_trap((uintptr_t)p);
        CHECK((exact != NULL) == (in_text && at % STRIDE == 0));
        /* Only the first two bytes of a site ever hold a breakpoint. */
        if (in_text && at % STRIDE < 2)
            CHECK(trap && trap->patch == (uintptr_t)p - (uintptr_t)(at % STRIDE));
        if (!in_text || at % STRIDE >= 5)
            CHECK(trap == NULL);
    }
    CHECK(registry_find_trap(0) == NULL);
    CHECK(registry_find_trap(UINTPTR_MAX) == NULL);
}

static void check_refusals(void)
{
    struct sdt_dso wrong = dso;
    CHECK(registry_accepts(&dso));
    CHECK(!registry_accepts(NULL));
    wrong.magic++;
    CHECK(!registry_accepts(&wrong));
    wrong = dso;
    wrong.version++;
    CHECK(!registry_accepts(&wrong));
    wrong = dso;
    wrong.size--;
    CHECK(!registry_accepts(&wrong));

    /* A set that is not in the object's memory. */
    struct object *object = NULL;
    static struct sdt_dso far;
    far = dso;
    far.sites_begin = distance(records, &far.sites_begin);
    far.sites_end = INT32_MAX;
    CHECK(registry_add(&far, &object) < 0);
    far.sites_end = distance(records, &far.sites_end) - 32;
    CHECK(registry_add(&far, &object) < 0);
    far.sites_end = distance(records, &far.sites_end);
    CHECK(registry_add(&far, &object) == 0 && object->n == 0);
    CHECK(registry_remove(&far) == object);
    registry_free(object);
}

/* ---- no memory ---- */

static int fail_at, allocations; /* the number of the allocation that fails; 0: none does */

static bool fails(void)
{
    return ++allocations == fail_at;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

/* Semaphores of which several sites have one in common, and one that is not where data is. */
enum { COUNTERS = 3 };
static uint16_t counters[COUNTERS];

static void add_semaphores(void)
{
    for (unsigned i = 0; i < SITES; i += 2) {
        records[i].flags |= SDT_SITE_SEMAPHORE;
        records[i].module = distance(&counters[i / 2 % COUNTERS], &records[i].module);
    }
    records[0].module = distance(the_text, &records[0].module);
}

static void check_semaphores(const struct object *object)
{
    unsigned found = 0;
    for (size_t i = 0; i < object->n; i++) {
        const struct site *site = &object->sites[i];
        unsigned n = (unsigned)(site->record - records);
        bool has = n % 2 == 0 && n != 0;
        CHECK((site->semaphore != NULL) == has);
        CHECK(!has || site->semaphore->counter == &counters[n / 2 % COUNTERS]);
        CHECK(!has || site->semaphore->sites == 0);
        found += has;
    }
    CHECK(found == SITES / 2 - 1);
    for (unsigned i = 0; i < COUNTERS; i++) /* one each, by address */
        CHECK(object->semaphores[i].counter == &counters[i]);
}

/* Whichever allocation fails, the object is not taken up, and nothing of it is left. */
static void check_allocations(void)
{
    struct object *object = NULL;
    unsigned failed = 0;
    for (fail_at = 1;; fail_at++, failed++) {
        allocations = 0;
        int error = registry_add(&dso, &object);
        if (allocations < fail_at) {
            CHECK(error == 0);
            break;
        }
        CHECK(error == -ENOMEM && registry_objects() == NULL);
    }
    fail_at = 0;
    CHECK(failed >= 8);
    check_semaphores(object);
    CHECK(registry_remove(&dso) == object);
    registry_free(object);
}

int main(void)
{
    struct object *object = NULL;
    build();
    check_refusals();
    CHECK(registry_add(&dso, &object) == 0);
    CHECK(object->n == SITES && object->probe_count == 1);
    for (size_t i = 0; i < object->n; i++)
        CHECK(!object->sites[i].is_bad);
    CHECK(strcmp(object->module, "test_registry") == 0);
    CHECK(object->probes[0].firing == SITES && object->probes[0].in_file == &the_probe);
    check_lookup(object);
    CHECK(registry_remove(&dso) == object && registry_objects() == NULL);
    CHECK(registry_find_trap((uintptr_t)the_text) == NULL);
    CHECK(registry_remove(&dso) == NULL);
    registry_free(object);
    registry_free_garbage(registry_take_garbage());
    add_semaphores();
    check_allocations();
    registry_free_garbage(registry_take_garbage());
    return check_failures != 0;
}
