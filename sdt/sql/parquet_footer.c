/* SPDX-License-Identifier: BSD-2-Clause */
/* The numbers of fields are those of parquet.thrift in parquet-format. */
#include "base/text.h"
#include "parquet.h"
#include "parquet_chunk.h"

#include <stdlib.h>

enum { REQUIRED = 0, OPTIONAL = 1 };
/* ConvertedType: that of an integer of 2^(3 + N) bits is N after the first. */
enum { CONVERTED_UTF8 = 0, CONVERTED_UINT8 = 11, CONVERTED_INT8 = 15 };

/* A struct RowGroup. */
void parquet_group_open(struct thrift *groups, size_t columns)
{
    thrift_open(groups, 0);
    thrift_list(groups, 1, THRIFT_STRUCT, columns);
}

void parquet_group_close(struct thrift *groups, size_t size, size_t rows)
{
    thrift_i64(groups, 2, (int64_t)size);
    thrift_i64(groups, 3, (int64_t)rows);
    thrift_close(groups);
}

static void append_converted(struct thrift *footer, const struct column *column)
{
    int size = __builtin_ctz(column->bits | 64) - 3;
    if (column->type == COLUMN_TEXT)
        thrift_i32(footer, 6, CONVERTED_UTF8);
    else if (column->type == COLUMN_SIGNED || column->type == COLUMN_UNSIGNED)
        thrift_i32(footer, 6,
                   size + (column->type == COLUMN_SIGNED ? CONVERTED_INT8 : CONVERTED_UINT8));
}

/* Structs SchemaElement: a tree, of which the root has all columns. */
static void append_schema(struct thrift *footer, const struct table *table)
{
    thrift_list(footer, 2, THRIFT_STRUCT, table->count + 1);
    thrift_open(footer, 0);
    thrift_binary(footer, 4, slice_of("event"));
    thrift_i32(footer, 5, (int32_t)table->count);
    thrift_close(footer);
    for (size_t i = 0; i < table->count; i++) {
        const struct column *column = &table->columns[i];
        thrift_open(footer, 0);
        thrift_i32(footer, 1, parquet_type_of(column));
        thrift_i32(footer, 3, column->is_optional ? OPTIONAL : REQUIRED);
        thrift_binary(footer, 4, slice_of(column->name));
        append_converted(footer, column);
        thrift_close(footer);
    }
}

/* Structs ColumnOrder, of an empty struct TypeDefinedOrder each: readers believe statistics only if
 * they are told how values are compared. */
static void append_orders(struct thrift *footer, size_t count)
{
    thrift_list(footer, 7, THRIFT_STRUCT, count);
    for (size_t i = 0; i < count; i++) {
        thrift_open(footer, 0);
        thrift_open(footer, 1);
        thrift_close(footer);
        thrift_close(footer);
    }
}

/* A struct FileMetaData, with one KeyValue. */
void parquet_footer(struct bytes *to, const struct table *table, uint64_t rows, size_t count,
                    const struct bytes *groups)
{
    struct thrift footer = {0};
    thrift_i32(&footer, 1, 1); /* version */
    append_schema(&footer, table);
    thrift_i64(&footer, 3, (int64_t)rows);
    thrift_list(&footer, 4, THRIFT_STRUCT, count);
    bytes_append(&footer.text, groups->data, groups->size);
    thrift_list(&footer, 5, THRIFT_STRUCT, 1);
    thrift_open(&footer, 0);
    thrift_binary(&footer, 1, slice_of("probe"));
    thrift_binary(&footer, 2, slice_of(table->label));
    thrift_close(&footer);
    thrift_binary(&footer, 6, slice_of("sdt"));
    append_orders(&footer, table->count);
    thrift_close(&footer);
    bytes_append(to, footer.text.data, footer.text.size);
    bytes_append32(to, (uint32_t)footer.text.size);
    text_append(to, PARQUET_MAGIC);
    bytes_free(&footer.text);
}

/* ---- names ---- */

static void append_encoded(struct bytes *to, struct slice name)
{
    for (size_t i = 0; i < name.length; i++) {
        char c = name.text[i];
        bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                        (c >= 'a' && c <= 'z') || c == '-' || (c == '_' && i);
        text_char(to, is_plain ? c : '%');
        if (!is_plain)
            text_hex_digits(to, (unsigned char)c, 2);
    }
}

char *parquet_partition(struct slice host)
{
    struct bytes name = {0};
    text_append(&name, "host=");
    if (host.length)
        append_encoded(&name, host);
    else
        text_append(&name, "__HIVE_DEFAULT_PARTITION__"); /* what readers take for NULL */
    return bytes_take_text(&name);
}

/* Without a colon, which not every file system has. */
char *parquet_file_name(const char *label, size_t i)
{
    enum { LONGEST = 200 };
    struct bytes name = {0};
    const char *colon = strchr(label, ':');
    size_t provider = colon ? (size_t)(colon - label) : strlen(label);
    append_encoded(&name, (struct slice){label, provider});
    if (colon) {
        text_char(&name, '.');
        append_encoded(&name, slice_of(colon + 1));
    }
    if (name.size > LONGEST) {
        name.size = LONGEST;
        text_char(&name, '~');
        text_natural(&name, i);
    }
    text_append(&name, ".parquet");
    return bytes_take_text(&name);
}
