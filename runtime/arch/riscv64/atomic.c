/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Atomic operations on one and two bytes. The machine has them for four and eight, and gcc before
 * 13 calls functions of libatomic for the others. A program that links this library need not link
 * that one: here they are, under the names that gcc gives them, for this library only.
 *
 * Each is a loop on the aligned word that holds the bytes; what else is in it is put back as it is,
 * or the word has changed and the loop goes on.
 */
#include <stdbool.h>
#include <stdint.h>

#define HIDDEN __attribute__((__visibility__("hidden")))

HIDDEN uint8_t exchange_1(volatile void *at, uint8_t value,
                          int order) __asm__("__atomic_exchange_1");
HIDDEN uint16_t fetch_add_2(volatile void *at, uint16_t value,
                            int order) __asm__("__atomic_fetch_add_2");
HIDDEN bool compare_exchange_2(volatile void *at, void *expected, uint16_t value, int success,
                               int failure) __asm__("__atomic_compare_exchange_2");

/* A part of an aligned word: so many bits up. */
struct part {
    volatile uint32_t *word;
    unsigned shift;
    uint32_t mask;
};

static struct part part_of(volatile void *at, uint32_t mask)
{
    uintptr_t address = (uintptr_t)at;
    return (struct part){(volatile uint32_t *)(address & ~(uintptr_t)3),
                         (unsigned)(address & 3) * 8, mask};
}

static uint32_t part_in(const struct part *part, uint32_t word)
{
    return word >> part->shift & part->mask;
}

/* Make the part of WORD, which is what was there, VALUE; false: another one was there. */
static bool replace(const struct part *part, uint32_t *word, uint32_t value)
{
    uint32_t next = (*word & ~(part->mask << part->shift)) | (value & part->mask) << part->shift;
    return __atomic_compare_exchange_n(part->word, word, next, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_RELAXED);
}

uint8_t exchange_1(volatile void *at, uint8_t value, int order)
{
    struct part part = part_of(at, 0xff);
    uint32_t word = __atomic_load_n(part.word, __ATOMIC_RELAXED);
    (void)order; /* the strongest one serves all */
    while (!replace(&part, &word, value))
        ;
    return (uint8_t)part_in(&part, word);
}

uint16_t fetch_add_2(volatile void *at, uint16_t value, int order)
{
    struct part part = part_of(at, 0xffff);
    uint32_t word = __atomic_load_n(part.word, __ATOMIC_RELAXED);
    (void)order;
    while (!replace(&part, &word, part_in(&part, word) + value))
        ;
    return (uint16_t)part_in(&part, word);
}

bool compare_exchange_2(volatile void *at, void *expected, uint16_t value, int success, int failure)
{
    struct part part = part_of(at, 0xffff);
    uint16_t *wanted = expected;
    uint32_t word = __atomic_load_n(part.word, __ATOMIC_RELAXED);
    (void)success;
    (void)failure;
    while (part_in(&part, word) == *wanted)
        if (replace(&part, &word, value))
            return true;
    *wanted = (uint16_t)part_in(&part, word);
    return false;
}
