/* SPDX-License-Identifier: BSD-2-Clause */
/* Is the running program's code still the code in its file? */
#ifndef DEMO_TEXTCHECK_H
#define DEMO_TEXTCHECK_H

/* Bytes of the executable's code that differ between memory and file; -1: cannot tell. */
long textcheck_differences(void);

#endif
