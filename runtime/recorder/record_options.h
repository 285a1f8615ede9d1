/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of a recording as text: those of SDT_RECORD_OPTIONS, and of a tool's request. */
#ifndef SDT_RECORDER_RECORD_OPTIONS_H
#define SDT_RECORDER_RECORD_OPTIONS_H

#include <sdt/record.h>
#include <stdbool.h>

/*
 * Read `flight,thread,context,ring=SIZE,packet=SIZE,text=SIZE,describe=FILE` (each at most once,
 * none needed; a SIZE may end in K or M; a FILE is the last, since it may have commas). NULL: none.
 * False: malformed. OPTIONS points into TEXT.
 */
bool record_options_parse(const char *text, struct sdt_record_options *options);

#endif
