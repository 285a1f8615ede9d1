/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See argument.h. An operand is evaluated when a handler asks for it, not at every hit: most
 * handlers want few, and what a site's memory operands cost to read would be paid by all. A hit
 * waits for it, so the commonest operand, a register, is read without strspn() and its kin, which
 * make a table of 256 bytes first.
 *
 * Memory. The compiler put the operand there, and would have loaded from it had the argument been
 * passed to a function; but the instruction that would have faulted does not exist: the program may
 * well run past `STAP_PROBE1(p, n, q->field)` with a null q as long as nobody looks. So such memory
 * is read through the kernel, which says EFAULT where a load would kill the program; the stack and
 * the program's own variables are read directly. Where a sandbox forbids that system call by an
 * error, they all are.
 */
#define _GNU_SOURCE
#include "argument.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { RSP = 4 };

/* Where operand INDEX of the descriptor begins; at its end if there are not so many. */
static const char *operand_text(const char *text, unsigned index)
{
    for (; *text; text++)
        if (*text == '@' && index-- == 0)
            return text + 1;
    return text;
}

/* How many of the operands before INDEX name a variable. */
static unsigned symbols_before(const char *text, unsigned index)
{
    unsigned symbols = 0;
    for (unsigned i = 0; i < index; i++) {
        struct operand operand;
        operand_parse(operand_text(text, i), &operand);
        symbols += operand.kind == OPERAND_SYMBOL;
    }
    return symbols;
}

/* The address of the variable of operand number N of those that name one; 0: there is none. */
static uint64_t symbol_address(const char *text, unsigned n, bool is_indirect)
{
    int32_t distance;
    const char *word = text - (n + 1) * sizeof distance;
    memcpy(&distance, word, sizeof distance);
    const uint64_t *place = (const uint64_t *)(const void *)(word + distance);
    return is_indirect ? *place : (uint64_t)(uintptr_t)place;
}

/* SIZE bytes at ADDRESS, which may be no address at all. */
static bool read_memory(void *to, uint64_t address, size_t size, bool is_certain)
{
    struct iovec here = {to, size}, there = {(void *)(uintptr_t)address, size};
    if (!is_certain) {
        ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
        if (got >= 0 || errno == EFAULT)
            return got == (ssize_t)size;
    }
    memcpy(to, (const void *)(uintptr_t)address, size);
    return true;
}

/* The bytes of the argument, low ones first. */
static bool read_bytes(const char *text, unsigned index, size_t size,
                       const struct registers *registers, uint64_t *bytes)
{
    struct operand operand;
    operand_parse(operand_text(text, index), &operand);
    switch (operand.kind) {
    case OPERAND_CONSTANT:
        *bytes = (uint64_t)operand.displacement;
        return true;
    case OPERAND_REGISTER:
        *bytes = registers->general[operand.base] >> (operand.is_high ? 8 : 0);
        return !operand.is_high || size == 1;
    case OPERAND_VECTOR:
        memcpy(bytes, registers->xmm + (size_t)operand.base * 16, sizeof *bytes);
        return true;
    case OPERAND_MEMORY:
        return read_memory(bytes, operand_address(&operand, registers), size, operand.base == RSP);
    case OPERAND_SYMBOL: {
        uint64_t address = symbol_address(text, symbols_before(text, index), operand.is_indirect);
        return address && read_memory(bytes, address, size, true);
    }
    default:
        return false;
    }
}

/* The low SIZE bytes of WORD, extended. */
static uint64_t extend(uint64_t word, size_t size, bool is_signed)
{
    unsigned unused = 64 - 8 * (unsigned)size;
    word <<= unused;
    return is_signed ? (uint64_t)((int64_t)word >> unused) : word >> unused;
}

uint64_t argument_value(const char *text, const struct args *args, unsigned index,
                        const struct registers *registers)
{
    uint8_t type = args->type[index];
    size_t size = type & SDT_ARG_SIZE;
    uint64_t word = 0;
    int saved = errno;
    bool is_known = read_bytes(text, index, size, registers, &word);
    errno = saved;
    if (!is_known)
        return 0;
    if (type == (SDT_ARG_FLOAT | 4)) {
        float single;
        memcpy(&single, &word, sizeof single);
        double wide = (double)single;
        memcpy(&word, &wide, sizeof word);
        return word;
    }
    return extend(word, size, type & SDT_ARG_SIGNED);
}
