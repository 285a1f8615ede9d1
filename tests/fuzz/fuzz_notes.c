/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Target: the texts of notes of <sys/sdt.h>, from any file. The first byte says for which machine,
 * the others are a description: addresses and three strings, of which the last are arguments.
 */
#include "site/args.h"
#include "stock/operands.h"
#include "target.h"

#include <arch/operand.h>
#include <shared/note.h>
#include <shared/note_args.h>
#include <stdlib.h>
#include <string.h>

static const struct operand_syntax *const machines[] = {&sdt_x86_64_operands, &sdt_aarch64_operands,
                                                        &sdt_riscv64_operands};

/* ARG as a record has it, read by MACHINE. */
static void read_argument(const struct operand_syntax *machine, const struct note_arg *arg)
{
    char *text = malloc(arg->length + NOTE_ARG_ROOM + 1);
    char size = machine->size(arg->operand, arg->operand_length);
    size_t length = note_arg_describe(arg, size, false, text);
    target_require(length <= arg->length + NOTE_ARG_ROOM, "it has the room");
    text[length] = '\0';
    struct args args;
    struct operand operand;
    target_require(args_parse(text, 1, &args), "what is sound is one argument of a record");
    target_require((args.type[0] & SDT_ARG_SIZE) == note_arg_size(arg, size), "of that size");
    machine->parse(strchr(text, '@') + 1, &operand);
    if (operand.kind == OPERAND_SYMBOL) {
        size_t name_length;
        const char *name = machine->name(strchr(text, '@') + 1, &name_length);
        target_require(name > text && name_length && name + name_length < text + length,
                       "a variable has a name, and something follows it");
    }
    free(text);
}

static void split(const struct operand_syntax *machine, const char *text, size_t length)
{
    struct note_args rest;
    struct note_arg arg;
    const char *before = text;
    int count = 0;
    note_args_begin(&rest, text, length);
    for (; note_args_next(&rest, &arg); count++) {
        target_require(arg.length && arg.text >= before && arg.text + arg.length <= text + length,
                       "arguments are parts of the text, in order");
        target_require(!memchr(arg.text, '\n', arg.length) || arg.length > 1, "and no blank");
        target_require(arg.operand >= arg.text &&
                           arg.operand + arg.operand_length == arg.text + arg.length,
                       "an argument ends with its operand");
        before = arg.text + arg.length;
        if (note_arg_is_sound(&arg))
            read_argument(machine, &arg);
    }
    target_require(note_args_count(text, length) == (rest.problem ? -1 : count), "so many");
}

static bool find(void *data, const char *name, size_t length, uint64_t *address)
{
    *address = (uint64_t)(uintptr_t)data;
    return length && *name != 'x';
}

/* By the machine of the runtime. */
static void describe(const char *args)
{
    struct operand_places places = {.find = find};
    struct args read;
    size_t room = operands_room(args);
    char *text = malloc(room);
    size_t size = operands_describe(args, text, &places);
    unsigned count = operands_count(args);
    target_require(size <= room && text[size - 1] == '\0' && strlen(text) == size - 1,
                   "the descriptor ends where it says");
    target_require(count > SDT_MAX_ARGS || args_parse(text, count, &read),
                   "it is one of so many arguments");
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const struct operand_syntax *machine = machines[data[0] % 3];
    size_t word = data[0] & 4 ? 4 : 8, length = size - 1;
    uint8_t *text = malloc(size); /* of its own size: AddressSanitizer sees what is after it */
    target_require(text, "there is memory");
    memcpy(text, data + 1, length);
    size_t head = note_head_size(text, length, word, data[0] & 8);
    target_require(head == 3 * word || (head == 2 * word && head < length), "two words or three");
    struct note_strings strings;
    if (note_read_strings(text, length, head, &strings))
        target_require(strings.args.text + strings.args.length + 1 + strings.left ==
                           (const char *)text + length,
                       "the strings are in it");
    split(machine, (const char *)text, strnlen((const char *)text, length)); /* a string */
    text[length] = '\0';
    describe((const char *)text);
    free(text);
    return 0;
}
