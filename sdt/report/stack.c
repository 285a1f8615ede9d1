/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The callers of a hit. The first address is that of the probe; the others are return addresses,
 * whose function is that of the byte before. An address that a signal has interrupted is treated
 * the same, which is wrong if it was the first instruction of a function. People get the names of
 * C++ functions as in the source, programs those of the symbols.
 */
#include "stack.h"
#include "base/json.h"
#include "print/text.h"

static struct symbol caller(struct symbols *symbols, const struct event *event, size_t i,
                            uint64_t *address)
{
    struct field element;
    const struct field *field = &event->class->fields[event->class->field_count];
    *address = decode_element(field, event->callers, i, &element).natural;
    uint64_t back = i && *address;
    struct symbol symbol = symbols_find(symbols, event->trace, *address - back);
    symbol.offset += back;
    return symbol;
}

static size_t count_of(const struct event *event)
{
    return event->callers ? event->callers->text.length / sizeof(uint64_t) : 0;
}

void stack_text(struct bytes *line, const char *indent, struct symbols *symbols,
                const struct event *event)
{
    for (size_t i = 0; i < count_of(event); i++) {
        uint64_t address;
        struct symbol symbol = caller(symbols, event, i, &address);
        text_append(line, indent);
        if (symbol.function)
            text_function(line, symbol.function);
        else if (symbol.module)
            text_escaped(line, slice_of(symbol.module));
        if (symbol.module)
            text_char(line, '+');
        text_hex(line, symbol.offset);
        if (symbol.function) {
            text_append(line, " (");
            text_escaped(line, slice_of(symbol.module));
            text_char(line, ')');
        }
        text_char(line, '\n');
    }
}

void stack_folded(struct bytes *line, struct symbols *symbols, const struct event *event)
{
    for (size_t i = count_of(event); i-- > 0;) {
        uint64_t address;
        struct symbol symbol = caller(symbols, event, i, &address);
        if (symbol.function || symbol.module)
            text_frame(line, symbol.function ? symbol.function : symbol.module);
        if (symbol.module && !symbol.function)
            text_char(line, '+');
        if (!symbol.function)
            text_hex(line, symbol.offset);
        text_append(line, i ? ";" : "");
    }
}

void stack_json(struct bytes *line, struct symbols *symbols, const struct event *event)
{
    if (!event->callers)
        return;
    json_open(line, "stack", '[');
    for (size_t i = 0; i < count_of(event); i++) {
        uint64_t address;
        struct symbol symbol = caller(symbols, event, i, &address);
        json_open(line, NULL, '{');
        json_natural(line, "address", address);
        json_string(line, "module", symbol.module ? symbol.module : "");
        json_string(line, "function", symbol.function ? symbol.function : "");
        json_natural(line, "offset", symbol.offset);
        json_close(line, '}');
    }
    json_close(line, ']');
}
