/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See argument.h. An operand is evaluated when a handler asks for it, not at every hit: most
 * handlers want few, and what a site's memory operands cost to read would be paid by all. Its text
 * is read when it is asked for the first time.
 *
 * Memory. SDT_PROBE evaluates its arguments, like any assignment: a program that reaches
 * `SDT_PROBE(p, n, q->field)` with a bad q is wrong in C, though no instruction loads from it as
 * long as the compiler left the operand in memory. So at an inline site an operand is as good as a
 * load of the program's, and is loaded. Only addresses in the first pages, where a null q leads,
 * are left to the kernel, which says EFAULT where a load would kill: that costs one comparison.
 *
 * A note of <sys/sdt.h> may be anybody's: written in assembler, in languages with other rules,
 * behind a macro that names memory which it does not read. There, memory is read through the
 * kernel, but for the stack and the program's own variables. Where a sandbox forbids that system
 * call by an error, it is loaded.
 */
#define _GNU_SOURCE
#include "argument.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

_Static_assert(sizeof(struct operand) == sizeof(struct site_operand) &&
                   offsetof(struct operand, kind) < sizeof(uint64_t) &&
                   offsetof(struct operand, displacement) == sizeof(uint64_t),
               "an operand is two words");

enum {
    RSP = 4,
    FIRST_PAGES = 0x10000 /* Linux maps nothing there (vm.mmap_min_addr) */
};

/* What operand number N of those that name a variable names. */
static const uint64_t *symbol_place(const char *text, unsigned n)
{
    int32_t distance;
    const char *word = text - (n + 1) * sizeof distance;
    memcpy(&distance, word, sizeof distance);
    return (const uint64_t *)(const void *)(word + distance);
}

/* Read all operands of SOURCE: where a variable is depends on how many came before. */
static __attribute__((noinline)) void read_operands(const struct argument_source *source)
{
    const char *text = source->text;
    unsigned symbols = 0;
    for (unsigned i = 0; i < source->args->count; i++) {
        struct operand operand;
        uint64_t words[2];
        const char *at = strchr(text, '@');
        operand_parse(at ? at + 1 : "", &operand);
        if (operand.kind == OPERAND_SYMBOL)
            operand.displacement = (int64_t)(uintptr_t)symbol_place(source->text, symbols++);
        memcpy(words, &operand, sizeof words);
        __atomic_store_n(&source->operands[i].words[1], words[1], __ATOMIC_RELAXED);
        __atomic_store_n(&source->operands[i].words[0], words[0], __ATOMIC_RELEASE);
        text = at ? at + 1 : "";
    }
}

static inline struct operand find_operand(const struct argument_source *source, unsigned index)
{
    struct operand operand;
    uint64_t words[2] = {__atomic_load_n(&source->operands[index].words[0], __ATOMIC_ACQUIRE)};
    memcpy(&operand, words, sizeof operand);
    if (operand.kind == OPERAND_UNREAD) {
        read_operands(source);
        words[0] = __atomic_load_n(&source->operands[index].words[0], __ATOMIC_ACQUIRE);
    }
    words[1] = __atomic_load_n(&source->operands[index].words[1], __ATOMIC_RELAXED);
    memcpy(&operand, words, sizeof operand);
    return operand;
}

/* What SIZE bytes at ADDRESS, which may be no address at all, are. */
static __attribute__((noinline)) bool ask_kernel(uint64_t *to, uint64_t address, size_t size)
{
    struct iovec here = {to, size}, there = {(void *)(uintptr_t)address, size};
    int saved = errno;
    ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    bool is_forbidden = got < 0 && errno != EFAULT;
    errno = saved;
    if (is_forbidden)
        memcpy(to, (const void *)(uintptr_t)address, size);
    return is_forbidden || got == (ssize_t)size;
}

static inline uint64_t load(uint64_t address, size_t size)
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

static inline bool read_memory(const struct argument_source *source, const struct operand *operand,
                               uint64_t *to, uint64_t address, size_t size)
{
    if (operand->base != RSP && (!source->is_valid || address < FIRST_PAGES))
        return ask_kernel(to, address, size);
    *to = load(address, size);
    return true;
}

/* The bytes of the argument, low ones first. */
static inline bool read_bytes(const struct argument_source *source, unsigned index, size_t size,
                              const struct registers *registers, uint64_t *bytes)
{
    struct operand operand = find_operand(source, index);
    uint64_t address = (uint64_t)operand.displacement;
    switch (operand.kind) {
    case OPERAND_CONSTANT:
        *bytes = (uint64_t)operand.displacement;
        return true;
    case OPERAND_REGISTER:
        *bytes = registers->general[operand.base] >> (operand.is_high ? 8 : 0);
        return !operand.is_high || size == 1;
    case OPERAND_VECTOR:
        memcpy(bytes, registers->xmm + operand.base * registers->xmm_step, sizeof *bytes);
        return true;
    case OPERAND_MEMORY:
        return read_memory(source, &operand, bytes, operand_address(&operand, registers), size);
    case OPERAND_SYMBOL:
        if (operand.is_indirect)
            address = *(const uint64_t *)(uintptr_t)address;
        if (address)
            *bytes = load(address, size);
        return address != 0;
    default:
        return false;
    }
}

uint64_t argument_value(const struct argument_source *source, unsigned index,
                        const struct registers *registers)
{
    uint8_t type = source->args->type[index];
    size_t size = type & SDT_ARG_SIZE;
    uint64_t word = 0;
    if (!read_bytes(source, index, size, registers, &word))
        return 0;
    if (type == (SDT_ARG_FLOAT | 4)) {
        float single;
        memcpy(&single, &word, sizeof single);
        double wide = (double)single;
        memcpy(&word, &wide, sizeof word);
        return word;
    }
    return argument_extend(word, size, type & SDT_ARG_SIGNED);
}
