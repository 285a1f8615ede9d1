/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See argument.h. An operand is evaluated when a handler asks for it, not at every hit: most
 * handlers want few, and all hits would pay for reading memory operands.
 *
 * Memory. SDT_PROBE evaluates its arguments, like any assignment: a program that reaches
 * `SDT_PROBE(p, n, q->field)` with a bad q is wrong in C, though no instruction loads from it as
 * long as the compiler left the operand in memory. So at an inline site an operand is treated like
 * a load of the program and is loaded. Only addresses in the first pages, where a null q leads, are
 * read through the kernel, which returns EFAULT where a load would end the program: that costs one
 * comparison.
 *
 * A note of <sys/sdt.h> may come from anywhere: from assembler, from languages with other rules,
 * from a macro that names memory without reading it. There, memory is read through the kernel,
 * except for the stack and the program's own variables. If a sandbox refuses that system call with
 * an error, it is loaded.
 *
 * The thread that makes the plan of a site first takes the room for it. Another thread or a signal
 * handler that comes while it is being made compiles its own plan on the stack and discards it.
 */
#include "argument.h"

#include "process/peek.h"

#include <errno.h>
#include <machine/layout.h>
#include <string.h>

/* In the machine's fetch.S: run a plan, and its steps. */
fetch_all fetch_run;
fetch_step fetch_step_u1, fetch_step_s1, fetch_step_u2, fetch_step_s2, fetch_step_u4, fetch_step_s4,
    fetch_step_8;
fetch_step fetch_load_u1, fetch_load_s1, fetch_load_u2, fetch_load_s2, fetch_load_u4, fetch_load_s4,
    fetch_load_8;
fetch_step fetch_step_constant, fetch_step_call, fetch_step_end;

/* ---- The ordinary operands: nothing is left to decide. ---- */

/* A register, and what is at a fixed distance from one. */
#define FETCH_WORD(name, type)                                                                     \
    static uint64_t register_##name(const struct sdt_event *event, size_t index,                   \
                                    const struct fetch *fetch)                                     \
    {                                                                                              \
        type value;                                                                                \
        memcpy(&value, (const char *)event->registers + fetch->place[index], sizeof value);        \
        return (uint64_t)value;                                                                    \
    }                                                                                              \
    static uint64_t memory_##name(const struct sdt_event *event, size_t index,                     \
                                  const struct fetch *fetch)                                       \
    {                                                                                              \
        type value;                                                                                \
        uint64_t address = register_8(event, index, fetch);                                        \
        address += (uint64_t)fetch->operands[index].displacement;                                  \
        if (address < FIRST_PAGES)                                                                 \
            return any_operand(event, index, fetch);                                               \
        memcpy(&value, (const void *)(uintptr_t)address, sizeof value);                            \
        return (uint64_t)value;                                                                    \
    }

static fetch_get any_operand;
static fetch_get register_8;
FETCH_WORD(u1, uint8_t)
FETCH_WORD(s1, int8_t)
FETCH_WORD(u2, uint16_t)
FETCH_WORD(s2, int16_t)
FETCH_WORD(u4, uint32_t)
FETCH_WORD(s4, int32_t)
FETCH_WORD(8, uint64_t)

static const struct word {
    uint8_t type; /* size and sign */
    fetch_get *in_register, *in_memory;
    fetch_step *step, *load;
} words[] = {
    {1, register_u1, memory_u1, fetch_step_u1, fetch_load_u1},
    {1 | SDT_ARG_SIGNED, register_s1, memory_s1, fetch_step_s1, fetch_load_s1},
    {2, register_u2, memory_u2, fetch_step_u2, fetch_load_u2},
    {2 | SDT_ARG_SIGNED, register_s2, memory_s2, fetch_step_s2, fetch_load_s2},
    {4, register_u4, memory_u4, fetch_step_u4, fetch_load_u4},
    {4 | SDT_ARG_SIGNED, register_s4, memory_s4, fetch_step_s4, fetch_load_s4},
    {8, register_8, memory_8, fetch_step_8, fetch_load_8},
    {8 | SDT_ARG_SIGNED, register_8, memory_8, fetch_step_8, fetch_load_8},
};

static uint64_t constant(const struct sdt_event *event, size_t index, const struct fetch *fetch)
{
    (void)event;
    return (uint64_t)fetch->operands[index].displacement;
}

/* ---- Any operand at all. ---- */

static uint64_t load(uint64_t address, size_t size)
{
    const void *from = (const void *)(uintptr_t)address;
    uint64_t word = 0;
    switch (size) { /* one instruction each */
    case 1:
        memcpy(&word, from, 1);
        break;
    case 2:
        memcpy(&word, from, 2);
        break;
    case 4:
        memcpy(&word, from, 4);
        break;
    default:
        memcpy(&word, from, 8);
        break;
    }
    return word;
}

/* What SIZE bytes at ADDRESS, which may be no address at all, are. */
static __attribute__((noinline)) bool ask_kernel(uint64_t *to, uint64_t address, size_t size)
{
    int error = peek(to, (uintptr_t)address, size);
    if (error && error != -EFAULT) /* it may not be asked */
        *to = load(address, size);
    return error != -EFAULT;
}

static bool read_memory(const struct site *site, const struct operand *operand, uint64_t *to,
                        uint64_t address, size_t size)
{
    bool is_valid = site->kind == SDT_KIND_INLINE; /* the program has evaluated it */
    if (operand->base != REGISTERS_STACK && (!is_valid || address < FIRST_PAGES))
        return ask_kernel(to, address, size);
    *to = load(address, size);
    return true;
}

/* The bytes of the argument, low ones first. False: they are not available. */
static bool read_bytes(const struct site *site, const struct operand *operand, size_t size,
                       const struct registers *registers, uint64_t *bytes)
{
    uint64_t address = (uint64_t)operand->displacement;
    switch (operand->kind) {
    case OPERAND_CONSTANT:
        *bytes = (uint64_t)operand->displacement;
        return true;
    case OPERAND_REGISTER:
        *bytes = registers->general[operand->base] >> (operand->is_high ? 8 : 0);
        return !operand->is_high || size == 1;
    case OPERAND_VECTOR:
        if (registers->vectors)
            memcpy(bytes, registers->vectors + operand->base * registers->vector_step,
                   sizeof *bytes);
        else /* handlers of general registers only: it is unchanged since */
            *bytes = vector_low(operand->base);
        return true;
    case OPERAND_MEMORY:
        return read_memory(site, operand, bytes, operand_address(operand, registers), size);
    case OPERAND_SYMBOL:
        if (operand->is_indirect)
            address = *(const uintptr_t *)(uintptr_t)address;
        if (address)
            *bytes = load(address, size);
        return address != 0;
    default:
        return false;
    }
}

/*
 * The float with these bits, as the bits of a double, by integers: this may run with the program's
 * own vector registers in place. (IEEE 754: 1, 8 and 23 bits become 1, 11 and 52; as by the CPU, a
 * signalling NaN becomes a quiet one.)
 */
static uint64_t widen(uint32_t single)
{
    uint64_t sign = (uint64_t)(single >> 31) << 63, fraction = single & 0x7fffff;
    uint32_t exponent = single >> 23 & 0xff;
    if (exponent == 0xff)
        return sign | 0x7ffull << 52 | fraction << 29 | (fraction ? 1ull << 51 : 0);
    if (exponent == 0) {
        if (fraction == 0)
            return sign;
        unsigned shift = 0; /* to bit 23; no builtin, which may be a function of libgcc */
        while (!(fraction << shift & 0x800000))
            shift++;
        return sign | (uint64_t)(1023 - 126 - shift) << 52 | (fraction << shift & 0x7fffff) << 29;
    }
    return sign | (uint64_t)(exponent + 1023 - 127) << 52 | fraction << 29;
}

/* The low bytes of WORD, as the value of an argument of TYPE. */
static uint64_t extend(uint64_t word, uint8_t type)
{
    if (type == (SDT_ARG_FLOAT | 4))
        return widen((uint32_t)word);
    unsigned unused = 64 - 8 * (type & SDT_ARG_SIZE);
    word <<= unused;
    return type & SDT_ARG_SIGNED ? (uint64_t)((int64_t)word >> unused) : word >> unused;
}

static uint64_t any_operand(const struct sdt_event *event, size_t index, const struct fetch *fetch)
{
    const struct site *site = event_site(event);
    if (!site)
        return 0;
    uint8_t type = site->args.type[index];
    uint64_t word = 0;
    bool is_there =
        read_bytes(site, &fetch->operands[index], type & SDT_ARG_SIZE, event->registers, &word);
    return is_there ? extend(word, type) : 0;
}

/* ---- The plan of a site. ---- */

/* What operand number N of those that name a variable names. */
static uint64_t symbol_place(const char *text, unsigned n)
{
    int32_t distance;
    const char *word = text - (n + 1) * sizeof distance;
    memcpy(&distance, word, sizeof distance);
    return (uint64_t)(uintptr_t)(word + distance);
}

/* Read all operands of TEXT: where a variable is depends on how many came before. */
static void parse_operands(const char *text, unsigned count, struct operand *operands)
{
    const char *at = text;
    unsigned symbols = 0;
    for (unsigned i = 0; i < count; i++) {
        at = strchr(at, '@');
        at = at ? at + 1 : "";
        operand_parse(at, &operands[i]);
        if (operands[i].kind == OPERAND_SYMBOL)
            operands[i].displacement = (int64_t)symbol_place(text, symbols++);
    }
}

static const struct word *find_word(uint8_t type)
{
    uint8_t wanted = type & (SDT_ARG_SIZE | SDT_ARG_SIGNED);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].type == wanted)
            return &words[i];
    return NULL;
}

/* Choose how argument I is fetched. A float is widened, and so nothing ordinary. */
static void choose(const struct site *site, struct fetch *fetch, unsigned i,
                   struct operand *operand, fetch_step **step)
{
    uint8_t type = site->args.type[i];
    const struct word *word = type == (SDT_ARG_FLOAT | 4) ? NULL : find_word(type);
    bool has_high = operand->kind == OPERAND_REGISTER && operand->is_high;
    fetch->get[i] = any_operand;
    *step = fetch_step_call;
    if (operand->kind == OPERAND_CONSTANT) {
        operand->displacement = (int64_t)extend((uint64_t)operand->displacement, type);
        fetch->get[i] = constant;
        *step = fetch_step_constant;
        return;
    }
    if (!word || (operand->kind != OPERAND_REGISTER && operand->kind != OPERAND_MEMORY) ||
        operand->base == OPERAND_NO_REGISTER || operand->index != OPERAND_NO_REGISTER)
        return;
    _Static_assert(
        sizeof((struct registers *)NULL)->general + offsetof(struct registers, general) <= 256,
        "places are bytes");
    fetch->place[i] =
        (uint8_t)(offsetof(struct registers, general) +
                  operand->base * sizeof *((struct registers *)NULL)->general + has_high);
    if (operand->kind == OPERAND_MEMORY) {
        if (site->kind == SDT_KIND_INLINE) {
            fetch->get[i] = word->in_memory;
            *step = word->load;
        }
    } else if (!has_high || (type & SDT_ARG_SIZE) == 1) {
        fetch->get[i] = word->in_register;
        *step = word->step;
    }
}

/* Make the plan of SITE in ROOM, which is zeroed and as large as fetch_words() says. */
static const struct fetch *make_plan(const struct site *site, void *room)
{
    struct fetch *fetch = room;
    const char *text = (const char *)record_target(&site->record->args);
    unsigned count = site->args.count;
    fetch_step **steps = (fetch_step **)(void *)&fetch->get[count];
    struct operand *operands = (struct operand *)(void *)&steps[count + 1];
    fetch->count = count;
    fetch->all = fetch_run;
    fetch->operands = operands;
    parse_operands(text ? text : "", count, operands); /* none: a damaged record */
    for (unsigned i = 0; i < count; i++)
        choose(site, fetch, i, &operands[i], &steps[i]);
    steps[count] = fetch_step_end;
    return fetch;
}

/* The plan that SITE shares with others, if one of them has made it; NULL. */
static const struct fetch *shared_plan(const struct site *site)
{
    const struct fetch *fetch =
        site->probe && site->probe->has_one_plan
            ? atomic_load_explicit(&site->probe->only_fetch, memory_order_acquire)
            : fetch_unread;
    return fetch != fetch_unread ? fetch : NULL;
}

bool argument_prepare(struct site *site)
{
    void *room = atomic_exchange_explicit(&site->of_argument.room, NULL, memory_order_relaxed);
    if (room) {
        const struct fetch *shared = shared_plan(site);
        const struct fetch *fetch = shared ? shared : make_plan(site, room);
        atomic_store_explicit(&site->of_argument.fetch, fetch, memory_order_release);
        if (site->probe && site->probe->has_one_plan && !shared)
            atomic_store_explicit(&site->probe->only_fetch, fetch, memory_order_release);
    }
    return site_fetch(site) != fetch_unread;
}

/* The plan of the event's site, or NULL: another thread is making it. */
static const struct fetch *plan_of(const struct sdt_event *event, struct site *site)
{
    const struct fetch *fetch = site_fetch(site);
    if (fetch == fetch_unread) {
        argument_prepare(site);
        fetch = site_fetch(site);
    }
    if (fetch == fetch_unread)
        return NULL;
    ((struct sdt_event *)event)->fetch = fetch;
    return fetch;
}

/* ---- Sites without a plan yet. ---- */

/* Out of line: it needs stack for a whole plan. */
static __attribute__((noinline)) uint64_t get_alone(const struct sdt_event *event, size_t index)
{
    union {
        struct fetch fetch;
        uint64_t words[sizeof(struct fetch) / sizeof(uint64_t) + (size_t)4 * SDT_MAX_ARGS + 1];
    } room;
    memset(&room, 0, sizeof room);
    const struct fetch *fetch = make_plan(event->site, &room);
    fetch_get *get = fetch->get[index];
    return get ? get(event, index, fetch) : 0;
}

static __attribute__((noinline)) uint64_t get_first(const struct sdt_event *event, size_t index)
{
    const struct site *site = event_site(event);
    if (!site || index >= site->args.count)
        return 0;
    const struct fetch *fetch = plan_of(event, (struct site *)site);
    return fetch ? fetch->get[index](event, index, fetch) : get_alone(event, index);
}

static uint64_t get_unread(const struct sdt_event *event, size_t index, const struct fetch *fetch)
{
    fetch = event_fetch(event);
    if (__builtin_expect(fetch == fetch_unread, 0))
        return get_first(event, index);
    ((struct sdt_event *)event)->fetch = fetch;
    return index < fetch->count ? fetch->get[index](event, index, fetch) : 0;
}

static __attribute__((noinline)) unsigned all_first(const struct sdt_event *event, uint64_t *to)
{
    const struct site *site = event_site(event);
    if (!site)
        return 0;
    const struct fetch *plan = plan_of(event, (struct site *)site);
    if (plan)
        return plan->all(event, to, plan);
    for (unsigned i = 0; i < site->args.count; i++)
        to[i] = get_first(event, i);
    return site->args.count;
}

static unsigned all_unread(const struct sdt_event *event, uint64_t *to, const struct fetch *fetch)
{
    fetch = event_fetch(event);
    return __builtin_expect(fetch == fetch_unread, 0) ? all_first(event, to)
                                                      : fetch->all(event, to, fetch);
}

/* ---- The plan that asks for the site. ---- */

enum { PLAN_WORDS = (sizeof(struct fetch) + SDT_MAX_ARGS * sizeof(void *)) / sizeof(uint64_t) + 1 };
static union {
    struct fetch fetch;
    uint64_t words[PLAN_WORDS];
} unread;

const struct fetch *const fetch_unread = &unread.fetch;

void fetch_start(void)
{
    if (unread.fetch.count)
        return;
    at_call_start();
    unread.fetch.all = all_unread;
    for (unsigned i = 0; i < SDT_MAX_ARGS; i++)
        unread.fetch.get[i] = get_unread;
    unread.fetch.count = SDT_MAX_ARGS;
}
