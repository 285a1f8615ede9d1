/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Addresses that take two instructions: `auipc` adds 20 bits, shifted by 12, to its own address,
 * the next one adds 12 bits with a sign.
 *
 * Only instructions that stand side by side are understood, as compilers, linkers and the tool
 * write them: a register that was set earlier may have been set differently on another path.
 */
#include "riscv64.h"

#include "../disasm.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* `auipc t1, 1048575`: the register, of LENGTH characters at *NAME, and the upper bits. */
static bool takes_upper(const struct insn *insn, const char **name, size_t *length, int64_t *upper)
{
    char *end;
    if (!insn_is(insn, "auipc"))
        return false;
    *name = insn->text + strlen("auipc ");
    *length = strcspn(*name, ",");
    if (strncmp(*name + *length, ", ", 2) != 0)
        return false;
    *upper = (int32_t)((uint32_t)strtoul(*name + *length + 2, &end, 0) << 12);
    return *end == 0;
}

/* The rest that INSN adds to the register: `addi zero, ra, -8`, `ld t1, 8(t1)`, `jr 8(t1)`. */
static bool adds(const struct insn *insn, const char *name, size_t length, int64_t *low)
{
    char *end;
    const char *last = strrchr(insn->text, ' ');
    if (!last || insn->length != 4)
        return false;
    *low = strtoll(last + 1, &end, 0);
    if (end == last + 1)
        return false;
    if (insn_is(insn, "addi")) {
        const char *source = strchr(insn->text, ' '); /* "addi zero, ra, -8" */
        source = source ? strchr(source + 1, ' ') : NULL;
        return *end == 0 && source && strncmp(source + 1, name, length) == 0 &&
               source[1 + length] == ',';
    }
    return *end == '(' && strncmp(end + 1, name, length) == 0 && end[1 + length] == ')' &&
           end[2 + length] == 0;
}

/* A tail site that is off has the upper half of `jr 8(t2)` after a `ret`: 12 bits above 4. */
static bool is_after_return(const struct image *image, struct place place,
                            const struct insn *second, int64_t *low)
{
    uint64_t available;
    place.offset += second->length;
    const uint8_t *bytes = image_bytes(image, place, &available);
    if (strcmp(second->text, "ret") != 0 || second->length != 2 || !bytes || available < 2)
        return false;
    *low = (int16_t)(bytes[0] | bytes[1] << 8) >> 4;
    return true;
}

/* The `auipc` at PLACE and what follows it. */
static bool read_pair(const struct image *image, struct place place, struct insn *second,
                      uint64_t *target)
{
    struct insn first;
    const char *name;
    size_t length;
    int64_t upper, low;
    if (!disasm_at(image, place, &first) || !takes_upper(&first, &name, &length, &upper))
        return false;
    place.offset += first.length;
    if (!disasm_at(image, place, second) || second->length == 0)
        return false;
    if (!adds(second, name, length, &low) && !is_after_return(image, place, second, &low))
        return false;
    *target = first.address + (uint64_t)upper + (uint64_t)low;
    return true;
}

bool riscv64_reach(const struct image *image, struct place place, uint64_t *target)
{
    struct insn first, second;
    if (!disasm_at(image, place, &first))
        return false;
    *target = first.target;
    return first.has_target || read_pair(image, place, &second, target);
}

bool riscv64_begins_branch(const struct image *image, struct place place)
{
    struct insn second;
    uint64_t target;
    return read_pair(image, place, &second, &target) && riscv64_has(&second, INSN_BRANCH);
}
