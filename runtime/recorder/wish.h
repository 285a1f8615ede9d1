/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The recording that SDT_RECORD and SDT_RECORD_OPTIONS request.
 */
#ifndef SDT_RECORDER_WISH_H
#define SDT_RECORDER_WISH_H

#include <sdt/record.h>
#include <stdbool.h>

/*
 * Read `flight,thread,ring=SIZE,packet=SIZE,text=SIZE,describe=FILE` (each at most once, none
 * needed; a SIZE may end in K or M; a FILE is the last, since it may have commas). NULL: none.
 * False: malformed. OPTIONS points into TEXT.
 */
bool wish_parse(const char *text, struct sdt_record_options *options);

/* RECORDER is the one that was made for it. Once, before main. */
void wish_fulfil(struct sdt_recorder *recorder);
/* That one; NULL: none. */
struct sdt_recorder *wish_recorder(void);

#endif
