/* SPDX-License-Identifier: BSD-2-Clause */
/* The events of record_event.c and record_event.cc. */
#ifndef RECORD_EVENT_H
#define RECORD_EVENT_H

#include <sdt/event.h>
#include <stdbool.h>
#include <stdint.h>

enum colour { RED, GREEN = 7 };

SDT_EVENT(ev, numbers, SDT_FIELD(int8_t, a), SDT_FIELD(int16_t, b), SDT_FIELD(int32_t, c),
          SDT_FIELD(int64_t, d), SDT_FIELD(uint8_t, e), SDT_FIELD(uint16_t, f),
          SDT_FIELD(uint32_t, g), SDT_FIELD(uint64_t, h), SDT_FIELD(bool, i), SDT_FIELD(float, j),
          SDT_FIELD(double, k), SDT_FIELD(enum colour, l));
SDT_EVENT(ev, others, SDT_FIELD_HEX(uint32_t, hex), SDT_FIELD(const void *, address),
          SDT_FIELD_PTR(char *, no_text), SDT_FIELD(const char *, text),
          SDT_FIELD_TEXT(written, 12), SDT_FIELD(char, last));
SDT_EVENT(ev, ints, SDT_FIELD(int, before), SDT_FIELD_ARRAY(int32_t, in, 4),
          SDT_FIELD_SEQUENCE(int64_t, out), SDT_FIELD(int, after));
SDT_EVENT(ev, small, SDT_FIELD_SEQUENCE(uint8_t, bytes), SDT_FIELD_SEQUENCE(int16_t, shorts),
          SDT_FIELD_SEQUENCE(uint32_t, words));
SDT_EVENT(ev, reals, SDT_FIELD_SEQUENCE(float, floats), SDT_FIELD_ARRAY(double, doubles, 3));
SDT_EVENT(ev, pointers, SDT_FIELD_ARRAY(void *, pointers, 2));
SDT_EVENT(ev, outer, SDT_FIELD(long, number), SDT_FIELD_TEXT(text, 40), SDT_FIELD(long, same));
SDT_EVENT(ev, inner, SDT_FIELD(long, number), SDT_FIELD(long, same));

#endif
