/* SPDX-License-Identifier: BSD-2-Clause */
/* See stress.h: finding the sites, running them, and what they must look like. */
#include "stress.h"

extern stress_function *const stress_functions[], *const stress_functions_end[];
extern const uint8_t stress_begin[], stress_end[];

struct stress_site stress_sites[SITES_MAX];
unsigned stress_count;
static uint8_t kept[COPIES << 16 | 1 << 20];

static unsigned number_of(const struct sdt_probe_info *info)
{
    unsigned n = (unsigned)strtoul(info->function + strlen("stress_"), NULL, 10);
    if (n >= stress_count)
        abort();
    return n;
}

static int find(const struct sdt_probe_info *info, void *data)
{
    (void)data;
    stress_sites[number_of(info)] = (struct stress_site){info->pc, info->name, info->kind};
    return 0;
}

void sites_find(void)
{
    stress_count = (unsigned)(stress_functions_end - stress_functions);
    CHECK(stress_count <= SITES_MAX);
    sdt_foreach("class*", find, NULL);
    sites_check_places();
}

static bool is_question(unsigned kind)
{
    return kind == SDT_KIND_ENABLED || kind == SDT_KIND_ENABLED_TAIL;
}

static bool can_be_armed(const struct stress_site *site, int mode)
{
    return mode != SDT_MODE_JUMP || site->kind != SDT_KIND_NOP1;
}

unsigned sites_in(unsigned class, unsigned kind, int mode)
{
    unsigned found = 0;
    for (unsigned n = class; n < stress_count; n += CLASSES)
        found +=
            (kind == 0 || kind == stress_sites[n].kind) && can_be_armed(&stress_sites[n], mode);
    return found;
}

struct expected {
    int mode;
    bool armed;
};

static int check(const struct sdt_probe_info *info, void *data)
{
    const struct expected *expected = data;
    const struct stress_site *site = &stress_sites[number_of(info)];
    bool is_armed = info->mode == SDT_MODE_TRAP || info->mode == SDT_MODE_JUMP;
    if (is_armed == (expected->armed && can_be_armed(site, expected->mode)) &&
        (!is_armed || info->error == 0) &&
        (!is_question(site->kind) || sites_answer(site->pc) == is_armed))
        return 0;
    CHECK_EQUAL(is_armed, expected->armed);
    if (is_question(site->kind))
        CHECK_EQUAL(sites_answer(site->pc), is_armed);
    fprintf(stderr, "%s, kind %u: mode %d, error %d\n", info->function, info->kind, info->mode,
            info->error);
    return 1;
}

void sites_check(unsigned class, int mode, bool armed)
{
    char pattern[16];
    struct expected expected = {mode, armed};
    snprintf(pattern, sizeof pattern, "class%u", class);
    CHECK_EQUAL(sdt_foreach(pattern, check, &expected), 0);
}

void sites_keep_text(void)
{
    /* The jumps that stay in the NOPs of nop11 sites are there then. */
    CHECK_EQUAL(sdt_disable(sdt_enable("class*", SDT_COUNT, NULL)), 0);
    CHECK((size_t)(stress_end - stress_begin) <= sizeof kept);
    memcpy(kept, stress_begin, (size_t)(stress_end - stress_begin));
}

void sites_compare_text(void)
{
    for (size_t i = 0; i < (size_t)(stress_end - stress_begin); i++)
        if (kept[i] != stress_begin[i]) {
            fprintf(stderr, "text + %#zx is %02x, was %02x\n", i, stress_begin[i], kept[i]);
            CHECK(kept[i] == stress_begin[i]);
            return;
        }
}

static bool returns_its_argument(unsigned kind)
{
    return kind == SDT_KIND_CALL || kind == SDT_KIND_CALL6 || kind == SDT_KIND_INLINE ||
           kind == SDT_KIND_NOP1 || kind == SDT_KIND_NOP11;
}

atomic_ulong stress_stale;

/*
 * Whether memory says that is-enabled site N gives EXPECTED. Then a CPU has gone on with an
 * instruction that is not there any more. An emulator does (docs/stress.md): only there that is
 * counted, and no failure.
 */
static bool is_stale(unsigned n, unsigned expected)
{
    static int is_emulated = -1;
    if (is_emulated < 0)
        is_emulated = getenv("STRESS_IS_EMULATED") != NULL;
    if (!is_emulated || sites_answer(stress_sites[n].pc) != expected)
        return false;
    atomic_fetch_add(&stress_stale, 1);
    return true;
}

static void check_result(unsigned n, uint64_t number, uint64_t result)
{
    unsigned kind = stress_sites[n].kind;
    enum role role = roles[n % CLASSES];
    if (returns_its_argument(kind)) {
        CHECK_EQUAL(result, number);
    } else if (kind != SDT_KIND_TAIL) {
        CHECK((unsigned)result <= 1);
        unsigned expected = role != LEFT_OFF;
        if (role <= LEFT_OFF && ((unsigned)result == expected || !is_stale(n, expected)))
            CHECK_EQUAL((unsigned)result, expected);
    }
}

/* Numbers differ between threads and between sites. */
static uint64_t number_of_first(void)
{
    return (uint64_t)(uintptr_t)me * 64;
}

unsigned number_site(uint64_t number)
{
    return (unsigned)(number - number_of_first());
}

void run_site(unsigned n)
{
    uint64_t outer = me->now, number = number_of_first() + n;
    me->now = number;
    check_result(n, number, stress_functions[n](number));
    me->now = outer;
    if (atomic_load_explicit(&me->in_signal, memory_order_relaxed))
        me->in_runs[n]++;
    else
        me->runs[n]++;
}

uint64_t random_number(struct worker *worker)
{
    worker->random ^= worker->random << 13;
    worker->random ^= worker->random >> 7;
    worker->random ^= worker->random << 17;
    return worker->random >> 11;
}

void run_all(void)
{
    static const unsigned steps[] = {1, 7, 449, 701, 1009}; /* primes: each comes to every site */
    unsigned step = steps[random_number(me) % 5], n = (unsigned)(random_number(me) % stress_count);
    if (stress_count % step == 0)
        step = 1009;
    for (unsigned i = 0; i < stress_count; i++, n = (n + step) % stress_count)
        run_site(n);
}
