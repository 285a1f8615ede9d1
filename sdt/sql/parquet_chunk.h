/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The values of one column in one row group of Parquet: collected, then encoded in the way that
 * makes them shortest: as numbers of a dictionary, as differences, or as they are.
 */
#ifndef SDT_PARQUET_CHUNK_H
#define SDT_PARQUET_CHUNK_H

#include "base/texts.h"
#include "row.h"
#include "thrift.h"

struct chunk {
    const struct column *column;
    uint64_t *numbers; /* those that are not NULL; of a text, its number */
    size_t count, capacity;
    uint64_t *levels; /* of an optional column, for each row: 0: NULL; else 1 */
    size_t level_count, level_capacity;
    struct texts texts;
    size_t texts_size; /* of all texts, each as often as it came */
};

/* Returns how much memory the value takes, roughly. */
size_t chunk_put(struct chunk *chunk, const struct cell *cell);
/* Append to TO its pages, the first of which will be at OFFSET of the file; and to META a struct
 * ColumnChunk. ROWS is their number. The chunk is empty then. */
void chunk_write(struct chunk *chunk, size_t rows, uint64_t offset, struct bytes *to,
                 struct thrift *meta);
void chunk_free(struct chunk *chunk);

/* What Parquet calls a type. */
enum parquet_type {
    PARQUET_BOOLEAN = 0,
    PARQUET_INT32 = 1,
    PARQUET_INT64 = 2,
    PARQUET_FLOAT = 4,
    PARQUET_DOUBLE = 5,
    PARQUET_BYTES = 6
};
enum parquet_type parquet_type_of(const struct column *column);

#endif
