/* SPDX-License-Identifier: BSD-2-Clause */
/* What a Parquet file says of itself, and the names of files; pure. */
#ifndef SDT_PARQUET_H
#define SDT_PARQUET_H

#include "schema.h"
#include "thrift.h"

#define PARQUET_MAGIC "PAR1"

/* A struct RowGroup, with COLUMNS structs ColumnChunk between these two. */
void parquet_group_open(struct thrift *groups, size_t columns);
void parquet_group_close(struct thrift *groups, size_t size, size_t rows);
/* Append all that comes after the last row group. GROUPS has COUNT structs RowGroup. */
void parquet_footer(struct bytes *to, const struct table *table, uint64_t rows, size_t count,
                    const struct bytes *groups);

/* "host=HOST", and the name of the file of table number I, the caller's. What file systems or
 * readers of partitions take for something else is encoded with %. */
char *parquet_partition(struct slice host);
char *parquet_file_name(const char *label, size_t i);

#endif
