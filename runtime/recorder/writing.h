/* SPDX-License-Identifier: BSD-2-Clause */
/* From the rings to the files: by a thread, on demand, and at the end. */
#ifndef SDT_RECORDER_WRITING_H
#define SDT_RECORDER_WRITING_H

#include "ring/current.h"

/* A thread that does it again and again, and takes snapshots, if there is none. 0 or an error. */
int writing_start_thread(struct sdt_recorder *recorder);
void writing_end_thread(struct sdt_recorder *recorder);
/* Everything that is in the rings now. */
int writing_flush(struct sdt_recorder *recorder);
/* Leave the rings, and if this was the last to do so, have everything in the files. */
int writing_finish(struct sdt_recorder *recorder);

#endif
