/* SPDX-License-Identifier: BSD-2-Clause */
#include "parquet_encode.h"

#include "base/varint.h"

unsigned encode_bits(uint64_t number)
{
    return number ? 64 - (unsigned)__builtin_clzll(number) : 0;
}

/* COUNT is a multiple of 8, of which only USED exist: the others are 0. */
static void pack(struct bytes *to, const uint64_t *numbers, size_t used, size_t count,
                 unsigned bits)
{
    unsigned __int128 waiting = 0;
    unsigned have = 0;
    size_t start = bytes_append(to, NULL, count / 8 * bits);
    uint8_t *out = to->data + start;
    for (size_t i = 0; i < count; i++) {
        waiting |= (unsigned __int128)(i < used ? numbers[i] : 0) << have;
        for (have += bits; have >= 8; have -= 8) {
            *out++ = (uint8_t)waiting;
            waiting >>= 8;
        }
    }
}

static size_t run_length(const uint64_t *numbers, size_t count)
{
    size_t length = 1;
    while (length < count && numbers[length] == numbers[0])
        length++;
    return length;
}

enum { GROUP = 8 };

/* How many of the numbers come before a run that is worth one, in whole groups. */
static size_t mixed_length(const uint64_t *numbers, size_t count)
{
    size_t length = 0;
    while (length < count) {
        size_t left = count - length;
        if (run_length(numbers + length, left < GROUP ? left : GROUP) == GROUP)
            break;
        length += left < GROUP ? left : GROUP;
    }
    return length;
}

void encode_runs(struct bytes *to, const uint64_t *numbers, size_t count, unsigned bits)
{
    for (size_t i = 0; i < count;) {
        size_t mixed = mixed_length(numbers + i, count - i);
        if (mixed) {
            size_t groups = (mixed + GROUP - 1) / GROUP;
            varint_append(to, groups << 1 | 1);
            pack(to, numbers + i, mixed, groups * GROUP, bits);
            i += mixed;
        } else {
            size_t run = run_length(numbers + i, count - i);
            varint_append(to, run << 1);
            bytes_append(to, &numbers[i], (bits + 7) / 8);
            i += run;
        }
    }
}

/* ---- differences ---- */

enum { BLOCK = 128, PARTS = 4, PART = BLOCK / PARTS };

/* Of BITS bits, as it wraps. */
static int64_t difference(uint64_t after, uint64_t before, unsigned bits)
{
    return bits == 32 ? (int32_t)((uint32_t)after - (uint32_t)before) : (int64_t)(after - before);
}

static unsigned widest(const uint64_t *numbers, size_t count)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++)
        all |= numbers[i];
    return encode_bits(all);
}

/* COUNT differences, each at least LEAST. */
static void append_block(struct bytes *to, const int64_t *differences, size_t count, int64_t least,
                         unsigned bits)
{
    uint64_t above[BLOCK];
    uint8_t widths[PARTS] = {0};
    for (size_t i = 0; i < count; i++) {
        above[i] = (uint64_t)differences[i] - (uint64_t)least;
        if (bits == 32)
            above[i] = (uint32_t)above[i];
    }
    varint_append_signed(to, least);
    for (size_t part = 0; part * PART < count; part++) {
        size_t left = count - part * PART;
        widths[part] = (uint8_t)widest(above + part * PART, left < PART ? left : PART);
    }
    bytes_append(to, widths, sizeof widths);
    for (size_t part = 0; part * PART < count; part++) {
        size_t left = count - part * PART;
        pack(to, above + part * PART, left < PART ? left : PART, PART, widths[part]);
    }
}

void encode_differences(struct bytes *to, const uint64_t *numbers, size_t count, unsigned bits)
{
    varint_append(to, BLOCK);
    varint_append(to, PARTS);
    varint_append(to, count);
    varint_append_signed(to, count ? difference(numbers[0], 0, bits) : 0);
    for (size_t i = 1; i < count;) {
        int64_t differences[BLOCK], least = INT64_MAX;
        size_t used = 0;
        for (; used < BLOCK && i < count; used++, i++) {
            differences[used] = difference(numbers[i], numbers[i - 1], bits);
            least = differences[used] < least ? differences[used] : least;
        }
        append_block(to, differences, used, least, bits);
    }
}

/* ---- as they are ---- */

void encode_booleans(struct bytes *to, const uint64_t *numbers, size_t count)
{
    pack(to, numbers, count, (count + 7) / 8 * 8, 1);
}

void encode_plain(struct bytes *to, const uint64_t *numbers, size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++)
        bytes_append(to, &numbers[i], size);
}
