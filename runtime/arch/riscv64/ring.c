/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One ring for each CPU, by restartable sequences, is not there on this machine yet:
 * MACHINE_HAS_PERCPU keeps everybody from asking for it. ../ring_alone.c has the other kind.
 */
#include "recorder/hit.h"

/* fault.c compares addresses with them; no instruction is there. */
const char ring_record_abort[1], ring_text_abort[1], ring_array_abort[1];

bool ring_commit(struct ring *ring, const struct ring_write *write, unsigned cpu)
{
    (void)ring, (void)write, (void)cpu;
    return false;
}

bool ring_commit_fields(struct ring *ring, const struct ring_fields *fields, unsigned cpu)
{
    (void)ring, (void)fields, (void)cpu;
    return false;
}

bool ring_record(const struct rings *rings, const uint64_t *words, size_t count,
                 const uint16_t *places, uint64_t class)
{
    (void)rings, (void)words, (void)count, (void)places, (void)class;
    return false;
}

bool ring_record_array(const struct rings *rings, const uint64_t *words,
                       const struct recipe *recipe, uintptr_t from, size_t bytes, size_t length)
{
    (void)rings, (void)words, (void)recipe, (void)from, (void)bytes, (void)length;
    return false;
}

bool ring_record_text(const struct rings *rings, const uint64_t *words, const struct recipe *recipe,
                      uintptr_t from, size_t bytes, bool is_all)
{
    (void)rings, (void)words, (void)recipe, (void)from, (void)bytes, (void)is_all;
    return false;
}
