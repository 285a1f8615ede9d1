/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef REPORT_H
#define REPORT_H

#ifdef __cplusplus
extern "C" {
#endif
/* Prints the LIMIT most frequent words of the table. */
void report(unsigned limit);
#ifdef __cplusplus
}
#endif

#endif
