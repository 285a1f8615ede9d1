/* SPDX-License-Identifier: BSD-2-Clause */
/* What this library writes on the standard error output, if it was asked to say something. */
#ifndef SDT_SAY_H
#define SDT_SAY_H

/* Write one line. It may quote what a file or the environment says: no control characters. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
