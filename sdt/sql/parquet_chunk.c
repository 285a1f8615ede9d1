/* SPDX-License-Identifier: BSD-2-Clause */
/* The numbers of fields are those of parquet.thrift in parquet-format. */
#include "parquet_chunk.h"

#include "base/text.h"
#include "compress.h"
#include "parquet_encode.h"

#include <stdlib.h>

enum { PLAIN = 0, RLE = 3, DELTA_BINARY_PACKED = 5, RLE_DICTIONARY = 8 };
enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };
enum { UNCOMPRESSED = 0, ZSTD = 6 };

/* What became of a chunk. */
struct encoded {
    struct bytes dictionary, data;
    size_t entries; /* of the dictionary; 0: there is none */
    int encoding;
};

enum parquet_type parquet_type_of(const struct column *column)
{
    static const enum parquet_type types[] = {
        [COLUMN_BOOL] = PARQUET_BOOLEAN,   [COLUMN_SIGNED] = PARQUET_INT64,
        [COLUMN_UNSIGNED] = PARQUET_INT64, [COLUMN_FLOAT] = PARQUET_FLOAT,
        [COLUMN_DOUBLE] = PARQUET_DOUBLE,  [COLUMN_TEXT] = PARQUET_BYTES,
        [COLUMN_BLOB] = PARQUET_BYTES};
    enum parquet_type type = types[column->type];
    return type == PARQUET_INT64 && column->bits <= 32 ? PARQUET_INT32 : type;
}

static size_t type_size(enum parquet_type type)
{
    return type == PARQUET_INT32 || type == PARQUET_FLOAT ? sizeof(uint32_t) : sizeof(uint64_t);
}

/* ---- collecting ---- */

static uint64_t bits_of(struct chunk *chunk, const struct cell *cell)
{
    uint32_t bits;
    float narrow = (float)cell->real;
    switch (chunk->column->type) {
    case COLUMN_FLOAT:
        memcpy(&bits, &narrow, sizeof bits);
        return bits;
    case COLUMN_TEXT:
    case COLUMN_BLOB:
        chunk->texts_size += cell->text.length + sizeof(uint32_t);
        return texts_number(&chunk->texts, cell->text);
    default:
        return cell->natural;
    }
}

size_t chunk_put(struct chunk *chunk, const struct cell *cell)
{
    size_t before = chunk->texts.plain.size;
    if (chunk->column->is_optional) {
        chunk->levels = memory_with_room(chunk->levels, chunk->level_count, &chunk->level_capacity,
                                         sizeof *chunk->levels);
        chunk->levels[chunk->level_count++] = !cell->is_null;
    }
    if (!cell->is_null) {
        chunk->numbers = memory_with_room(chunk->numbers, chunk->count, &chunk->capacity,
                                          sizeof *chunk->numbers);
        chunk->numbers[chunk->count++] = bits_of(chunk, cell);
    }
    return 2 * sizeof *chunk->numbers + chunk->texts.plain.size - before;
}

/* ---- encoding ---- */

/* ENCODED becomes INDEXES into ENTRIES, of SIZE bytes in all, if that is less than OTHERWISE. */
static bool use_dictionary(struct encoded *encoded, const uint64_t *indexes, size_t count,
                           const struct texts *entries, size_t size, size_t otherwise)
{
    struct bytes data = {0};
    unsigned bits = entries->count ? encode_bits(entries->count - 1) : 0;
    text_char(&data, (char)bits);
    encode_runs(&data, indexes, count, bits);
    if (!entries->count || data.size + size >= otherwise) {
        bytes_free(&data);
        return false;
    }
    bytes_free(&encoded->data);
    encoded->data = data;
    encoded->entries = entries->count;
    encoded->encoding = RLE_DICTIONARY;
    return true;
}

static void encode_texts(struct chunk *chunk, struct encoded *encoded)
{
    const struct texts *texts = &chunk->texts;
    if (use_dictionary(encoded, chunk->numbers, chunk->count, texts, texts->plain.size,
                       chunk->texts_size)) {
        bytes_append(&encoded->dictionary, texts->plain.data, texts->plain.size);
        return;
    }
    for (size_t i = 0; i < chunk->count; i++) {
        struct slice text = texts_plain(texts, chunk->numbers[i]);
        bytes_append(&encoded->data, text.text, text.length);
    }
}

/* Numbers are texts of 8 bytes, of which a dictionary has SIZE; it has few entries. */
static void encode_by_dictionary(struct chunk *chunk, size_t size, struct encoded *encoded)
{
    enum { MOST = 1 << 14 };
    size_t most = chunk->count < 4 * MOST ? 64 + chunk->count / 4 : MOST, i = 0;
    struct texts entries = {0};
    uint64_t *indexes = memory_resize(NULL, chunk->count + 1, sizeof *indexes);
    for (; i < chunk->count && entries.count <= most; i++) {
        struct slice number = {(const char *)&chunk->numbers[i], sizeof chunk->numbers[i]};
        indexes[i] = texts_number(&entries, number);
    }
    if (entries.count <= most &&
        use_dictionary(encoded, indexes, i, &entries, entries.count * size, encoded->data.size))
        for (size_t k = 0; k < entries.count; k++)
            bytes_append(&encoded->dictionary, texts_plain(&entries, k).text + sizeof(uint32_t),
                         size);
    texts_free(&entries);
    free(indexes);
}

static void encode(struct chunk *chunk, struct encoded *encoded)
{
    enum parquet_type type = parquet_type_of(chunk->column);
    size_t size = type_size(type);
    switch (type) {
    case PARQUET_BYTES:
        encode_texts(chunk, encoded);
        return;
    case PARQUET_BOOLEAN:
        encode_booleans(&encoded->data, chunk->numbers, chunk->count);
        return;
    case PARQUET_INT32:
    case PARQUET_INT64:
        encode_differences(&encoded->data, chunk->numbers, chunk->count, 8 * (unsigned)size);
        encoded->encoding = DELTA_BINARY_PACKED;
        break;
    default:
        encode_plain(&encoded->data, chunk->numbers, chunk->count, size);
        break;
    }
    encode_by_dictionary(chunk, size, encoded);
}

/* ---- pages ---- */

/* A struct PageHeader, and CONTENT. Returns how long both are before it is compressed. */
static size_t append_page(struct bytes *to, const struct bytes *content, int type, size_t values,
                          int encoding)
{
    struct thrift header = {0};
    struct bytes compressed = {0};
    compress_append(&compressed, content);
    thrift_i32(&header, 1, type);
    thrift_i32(&header, 2, (int32_t)content->size);
    thrift_i32(&header, 3, (int32_t)compressed.size);
    thrift_open(&header, type == DATA_PAGE ? 5 : 7);
    thrift_i32(&header, 1, (int32_t)values);
    thrift_i32(&header, 2, encoding);
    if (type == DATA_PAGE) {
        thrift_i32(&header, 3, RLE); /* of levels, and of repetitions, of which there are none */
        thrift_i32(&header, 4, RLE);
    }
    thrift_close(&header);
    thrift_close(&header);
    bytes_append(to, header.text.data, header.text.size);
    bytes_append(to, compressed.data, compressed.size);
    size_t size = header.text.size + content->size;
    bytes_free(&header.text);
    bytes_free(&compressed);
    return size;
}

static size_t append_data_page(struct bytes *to, const struct chunk *chunk, size_t rows,
                               const struct encoded *encoded)
{
    struct bytes content = {0};
    if (chunk->column->is_optional) {
        bytes_append32(&content, 0);
        encode_runs(&content, chunk->levels, chunk->level_count, 1);
        uint32_t size = (uint32_t)(content.size - sizeof size);
        memcpy(content.data, &size, sizeof size);
    }
    bytes_append(&content, encoded->data.data, encoded->data.size);
    size_t size = append_page(to, &content, DATA_PAGE, rows, encoded->encoding);
    bytes_free(&content);
    return size;
}

/* A struct Statistics, so that a reader who wants an hour need not read the day. */
static void append_statistics(struct thrift *meta, const struct chunk *chunk)
{
    if (chunk->column->type != COLUMN_SIGNED || chunk->column->bits != 64 || !chunk->count)
        return;
    int64_t least = (int64_t)chunk->numbers[0], most = least;
    for (size_t i = 0; i < chunk->count; i++) {
        int64_t number = (int64_t)chunk->numbers[i];
        least = number < least ? number : least;
        most = number > most ? number : most;
    }
    thrift_open(meta, 12);
    thrift_binary(meta, 5, (struct slice){(const char *)&most, sizeof most});
    thrift_binary(meta, 6, (struct slice){(const char *)&least, sizeof least});
    thrift_close(meta);
}

void chunk_free(struct chunk *chunk)
{
    free(chunk->numbers);
    free(chunk->levels);
    texts_free(&chunk->texts);
    *chunk = (struct chunk){.column = chunk->column};
}

/* Structs ColumnChunk and ColumnMetaData. */
void chunk_write(struct chunk *chunk, size_t rows, uint64_t offset, struct bytes *to,
                 struct thrift *meta)
{
    struct encoded encoded = {.encoding = PLAIN};
    size_t start = to->size, size = 0;
    encode(chunk, &encoded);
    if (encoded.entries)
        size = append_page(to, &encoded.dictionary, DICTIONARY_PAGE, encoded.entries, PLAIN);
    uint64_t data = offset + (to->size - start);
    size += append_data_page(to, chunk, rows, &encoded);
    thrift_open(meta, 0);
    thrift_i64(meta, 2, (int64_t)offset);
    thrift_open(meta, 3);
    thrift_i32(meta, 1, parquet_type_of(chunk->column));
    thrift_list(meta, 2, THRIFT_I32, encoded.entries ? 3 : 2);
    thrift_i32(meta, 0, RLE); /* of levels */
    thrift_i32(meta, 0, encoded.encoding);
    if (encoded.entries)
        thrift_i32(meta, 0, PLAIN);
    thrift_list(meta, 3, THRIFT_BINARY, 1);
    thrift_binary(meta, 0, slice_of(chunk->column->name));
    thrift_i32(meta, 4, compress_is_zstd ? ZSTD : UNCOMPRESSED);
    thrift_i64(meta, 5, (int64_t)rows);
    thrift_i64(meta, 6, (int64_t)size);
    thrift_i64(meta, 7, (int64_t)(to->size - start));
    thrift_i64(meta, 9, (int64_t)data);
    if (encoded.entries)
        thrift_i64(meta, 11, (int64_t)offset);
    append_statistics(meta, chunk);
    thrift_close(meta);
    thrift_close(meta);
    bytes_free(&encoded.dictionary);
    bytes_free(&encoded.data);
    chunk_free(chunk); /* of thousands of tables, those that are done would keep the most */
}
