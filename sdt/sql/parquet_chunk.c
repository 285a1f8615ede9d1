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
/* PageHeader */
enum { HEADER_TYPE = 1, HEADER_SIZE, HEADER_COMPRESSED, HEADER_DATA = 5, HEADER_DICTIONARY = 7 };
/* DataPageHeader, DictionaryPageHeader */
enum { PAGE_VALUES = 1, PAGE_ENCODING, PAGE_LEVELS, PAGE_REPETITIONS };
/* ColumnChunk, ColumnMetaData, Statistics */
enum { CHUNK_OFFSET = 2, CHUNK_META };
enum {
    META_TYPE = 1,
    META_ENCODINGS,
    META_PATH,
    META_CODEC,
    META_VALUES,
    META_SIZE,
    META_COMPRESSED,
    META_DATA = 9,
    META_DICTIONARY = 11,
    META_STATISTICS = 12
};
enum { STATISTICS_MAX = 5, STATISTICS_MIN };

/* What became of a chunk. */
struct encoded {
    struct bytes dictionary, data;
    size_t entries; /* of the dictionary; 0: there is none */
    int encoding;
};

enum parquet_type parquet_type_of(const struct column *column)
{
    switch (column->type) {
    case COLUMN_BOOL:
        return PARQUET_BOOLEAN;
    case COLUMN_SIGNED:
    case COLUMN_UNSIGNED:
        return column->bits > 32 ? PARQUET_INT64 : PARQUET_INT32;
    case COLUMN_FLOAT:
        return PARQUET_FLOAT;
    case COLUMN_DOUBLE:
        return PARQUET_DOUBLE;
    default:
        return PARQUET_BYTES;
    }
}

static size_t type_size(enum parquet_type type)
{
    return type == PARQUET_INT32 || type == PARQUET_FLOAT ? sizeof(uint32_t) : sizeof(uint64_t);
}

/* ---- collecting ---- */

static void put_number(struct chunk *chunk, uint64_t number)
{
    chunk->numbers =
        memory_with_room(chunk->numbers, chunk->count, &chunk->capacity, sizeof *chunk->numbers);
    chunk->numbers[chunk->count++] = number;
}

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
    if (!cell->is_null)
        put_number(chunk, bits_of(chunk, cell));
    return 2 * sizeof *chunk->numbers + chunk->texts.plain.size - before;
}

/* ---- encoding ---- */

static void append_indexes(struct bytes *to, const uint64_t *indexes, size_t count, size_t entries)
{
    unsigned bits = encode_bits(entries - 1);
    text_char(to, (char)bits);
    encode_runs(to, indexes, count, bits);
}

static void encode_texts(struct chunk *chunk, struct encoded *encoded)
{
    const struct texts *texts = &chunk->texts;
    if (texts->count)
        append_indexes(&encoded->data, chunk->numbers, chunk->count, texts->count);
    if (texts->count && encoded->data.size + texts->plain.size < chunk->texts_size) {
        bytes_append(&encoded->dictionary, texts->plain.data, texts->plain.size);
        encoded->entries = texts->count;
        encoded->encoding = RLE_DICTIONARY;
        return;
    }
    encoded->data.size = 0;
    for (size_t i = 0; i < chunk->count; i++) {
        struct slice text = texts_plain(texts, chunk->numbers[i]);
        bytes_append(&encoded->data, text.text, text.length);
    }
}

/* Numbers as texts of 8 bytes; false: there are too many different ones for a dictionary. */
static bool find_entries(const struct chunk *chunk, struct texts *entries, uint64_t *indexes)
{
    enum { MOST = 1 << 14 };
    for (size_t i = 0; i < chunk->count; i++) {
        struct slice number = {(const char *)&chunk->numbers[i], sizeof chunk->numbers[i]};
        indexes[i] = texts_number(entries, number);
        if (entries->count > MOST || entries->count > 64 + chunk->count / 4)
            return false;
    }
    return chunk->count > 0;
}

static void encode_by_dictionary(struct chunk *chunk, size_t size, struct encoded *encoded)
{
    struct texts entries = {0};
    struct bytes data = {0};
    uint64_t *indexes = memory_resize(NULL, chunk->count + 1, sizeof *indexes);
    if (find_entries(chunk, &entries, indexes)) {
        append_indexes(&data, indexes, chunk->count, entries.count);
        if (data.size + entries.count * size < encoded->data.size) {
            for (size_t i = 0; i < entries.count; i++)
                bytes_append(&encoded->dictionary, texts_plain(&entries, i).text + sizeof(uint32_t),
                             size);
            encoded->entries = entries.count;
            encoded->encoding = RLE_DICTIONARY;
            bytes_free(&encoded->data);
            encoded->data = data;
            data = (struct bytes){0};
        }
    }
    bytes_free(&data);
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

/* Returns how long the page is before it is compressed. */
static size_t append_page(struct bytes *to, const struct bytes *content, int type, size_t values,
                          int encoding)
{
    struct thrift header = {0};
    struct bytes compressed = {0};
    compress_append(&compressed, content);
    thrift_i32(&header, HEADER_TYPE, type);
    thrift_i32(&header, HEADER_SIZE, (int32_t)content->size);
    thrift_i32(&header, HEADER_COMPRESSED, (int32_t)compressed.size);
    thrift_open(&header, type == DATA_PAGE ? HEADER_DATA : HEADER_DICTIONARY);
    thrift_i32(&header, PAGE_VALUES, (int32_t)values);
    thrift_i32(&header, PAGE_ENCODING, encoding);
    if (type == DATA_PAGE) {
        thrift_i32(&header, PAGE_LEVELS, RLE);
        thrift_i32(&header, PAGE_REPETITIONS, RLE);
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
        struct bytes levels = {0};
        encode_runs(&levels, chunk->levels, chunk->level_count, 1);
        bytes_append32(&content, (uint32_t)levels.size);
        bytes_append(&content, levels.data, levels.size);
        bytes_free(&levels);
    }
    bytes_append(&content, encoded->data.data, encoded->data.size);
    size_t size = append_page(to, &content, DATA_PAGE, rows, encoded->encoding);
    bytes_free(&content);
    return size;
}

/* So that a reader who wants an hour need not read the day. */
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
    thrift_open(meta, META_STATISTICS);
    thrift_binary(meta, STATISTICS_MAX, (struct slice){(const char *)&most, sizeof most});
    thrift_binary(meta, STATISTICS_MIN, (struct slice){(const char *)&least, sizeof least});
    thrift_close(meta);
}

void chunk_free(struct chunk *chunk)
{
    free(chunk->numbers);
    free(chunk->levels);
    texts_free(&chunk->texts);
    *chunk = (struct chunk){.column = chunk->column};
}

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
    thrift_i64(meta, CHUNK_OFFSET, (int64_t)offset);
    thrift_open(meta, CHUNK_META);
    thrift_i32(meta, META_TYPE, parquet_type_of(chunk->column));
    thrift_list(meta, META_ENCODINGS, THRIFT_I32, encoded.entries ? 3 : 2);
    thrift_i32(meta, 0, RLE);
    thrift_i32(meta, 0, encoded.encoding);
    if (encoded.entries)
        thrift_i32(meta, 0, PLAIN);
    thrift_list(meta, META_PATH, THRIFT_BINARY, 1);
    thrift_binary(meta, 0, slice_of(chunk->column->name));
    thrift_i32(meta, META_CODEC, compress_is_zstd ? ZSTD : UNCOMPRESSED);
    thrift_i64(meta, META_VALUES, (int64_t)rows);
    thrift_i64(meta, META_SIZE, (int64_t)size);
    thrift_i64(meta, META_COMPRESSED, (int64_t)(to->size - start));
    thrift_i64(meta, META_DATA, (int64_t)data);
    if (encoded.entries)
        thrift_i64(meta, META_DICTIONARY, (int64_t)offset);
    append_statistics(meta, chunk);
    thrift_close(meta);
    thrift_close(meta);
    bytes_free(&encoded.dictionary);
    bytes_free(&encoded.data);
    chunk_free(chunk); /* of thousands of tables, those that are done would keep the most */
}
