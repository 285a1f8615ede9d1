/* SPDX-License-Identifier: BSD-2-Clause */
#include "assemble.h"

#include <string.h>

static void fail(struct assembly *assembly, const char *problem)
{
    if (!assembly->problem)
        assembly->problem = problem;
}

uint8_t assemble_register(struct assembly *assembly)
{
    for (unsigned i = 0; i < LIVE_REGISTERS; i++)
        if (!(assembly->used >> i & 1)) {
            assembly->used |= UINT32_C(1) << i;
            return (uint8_t)i;
        }
    fail(assembly, "this is too complex: it has too many values at a time");
    return 0;
}

void assemble_step(struct assembly *assembly, enum live_code code, uint8_t to, uint8_t a, uint8_t b)
{
    if (assembly->step_count == LIVE_MAX_STEPS)
        fail(assembly, "this is too long");
    else
        assembly->steps[assembly->step_count++] =
            (struct live_step){.code = (uint8_t)code, .to = to, .a = a, .b = b};
}

void assemble_more(struct assembly *assembly, uint8_t c, uint8_t kind)
{
    struct live_step *step = &assembly->steps[assembly->step_count ? assembly->step_count - 1 : 0];
    step->c = c;
    step->kind = kind;
}

void assemble_load(struct assembly *assembly, enum live_code code, uint8_t to, uint8_t a, uint8_t b)
{
    if (++assembly->loads > LIVE_MAX_TEXTS)
        fail(assembly, "this needs more than 4 texts of a hit");
    assemble_step(assembly, code, to, a, b);
}

uint8_t assemble_number(struct assembly *assembly, uint64_t number)
{
    unsigned i = 0;
    while (i < assembly->number_count && assembly->numbers[i] != number)
        i++;
    if (i == LIVE_MAX_NUMBERS) {
        fail(assembly, "this has too many numbers");
        return LIVE_REGISTERS;
    }
    if (i == assembly->number_count)
        assembly->numbers[assembly->number_count++] = number;
    return (uint8_t)(LIVE_REGISTERS + i);
}

uint8_t assemble_text(struct assembly *assembly, struct slice text)
{
    static const uint8_t zeros[8];
    if (text.length > LIVE_TEXT)
        fail(assembly, "a text is longer than the 256 bytes that are compared");
    uint64_t offset = bytes_append(&assembly->texts, text.text, text.length);
    bytes_append(&assembly->texts, zeros, -assembly->texts.size % 8);
    return assemble_number(assembly, offset << 32 | text.length);
}

const char *assemble_end(struct assembly *assembly, enum live_action action, uint8_t value,
                         const uint8_t key[2], void *to)
{
    size_t steps = assembly->step_count * sizeof(struct live_step);
    size_t numbers = assembly->number_count * sizeof(uint64_t);
    size_t size = sizeof(struct live_program) + steps + numbers + assembly->texts.size;
    uint8_t *at = to;
    if (size > LIVE_MAX_PROGRAM)
        fail(assembly, "this is too long");
    if (assembly->problem)
        return assembly->problem;
    struct live_program program = {.magic = LIVE_PROGRAM_MAGIC,
                                   .abi = LIVE_PROGRAM_ABI,
                                   .size = (uint16_t)size,
                                   .steps = (uint8_t)assembly->step_count,
                                   .numbers = (uint8_t)assembly->number_count,
                                   .texts = (uint16_t)assembly->texts.size,
                                   .action = (uint8_t)action,
                                   .value = value,
                                   .key = {key[0], key[1]}};
    memcpy(at, &program, sizeof program);
    at += sizeof program;
    memcpy(at, assembly->steps, steps);
    memcpy(at + steps, assembly->numbers, numbers);
    if (assembly->texts.size)
        memcpy(at + steps + numbers, assembly->texts.data, assembly->texts.size);
    return NULL;
}
