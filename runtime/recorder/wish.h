/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What SDT_RECORD and SDT_RECORD_OPTIONS wish for.
 */
#ifndef SDT_RECORDER_WISH_H
#define SDT_RECORDER_WISH_H

#include <sdt/record.h>
#include <stdbool.h>

/*
 * Read `flight,thread,ring=SIZE,packet=SIZE,text=SIZE` (each at most once, none needed; a SIZE may
 * end in K or M). NULL: none. False: malformed.
 */
bool wish_parse(const char *text, struct sdt_record_options *options);

#endif
