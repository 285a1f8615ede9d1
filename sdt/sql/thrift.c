/* SPDX-License-Identifier: BSD-2-Clause */
#include "thrift.h"

#include "base/text.h"
#include "base/varint.h"

enum { LIST = 9, SHORT_LIST = 15 };

/* No struct of ours has a gap of 16 numbers, for which there is a longer form. */
static void begin_field(struct thrift *thrift, unsigned field, unsigned type)
{
    if (!field)
        return;
    text_char(&thrift->text, (char)((field - thrift->last[thrift->depth]) << 4 | type));
    thrift->last[thrift->depth] = field;
}

void thrift_i32(struct thrift *thrift, unsigned field, int32_t number)
{
    begin_field(thrift, field, THRIFT_I32);
    varint_append_signed(&thrift->text, number);
}

void thrift_i64(struct thrift *thrift, unsigned field, int64_t number)
{
    begin_field(thrift, field, THRIFT_I64);
    varint_append_signed(&thrift->text, number);
}

void thrift_binary(struct thrift *thrift, unsigned field, struct slice text)
{
    begin_field(thrift, field, THRIFT_BINARY);
    varint_append(&thrift->text, text.length);
    bytes_append(&thrift->text, text.text, text.length);
}

void thrift_open(struct thrift *thrift, unsigned field)
{
    begin_field(thrift, field, THRIFT_STRUCT);
    thrift->last[++thrift->depth] = 0;
}

void thrift_close(struct thrift *thrift)
{
    text_char(&thrift->text, '\0');
    if (thrift->depth)
        thrift->depth--;
}

void thrift_list(struct thrift *thrift, unsigned field, enum thrift_type type, size_t count)
{
    begin_field(thrift, field, LIST);
    size_t shown = count < SHORT_LIST ? count : SHORT_LIST;
    text_char(&thrift->text, (char)(shown << 4 | type));
    if (shown == SHORT_LIST)
        varint_append(&thrift->text, count);
}
