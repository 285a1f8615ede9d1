/* SPDX-License-Identifier: BSD-2-Clause */
/* How often each word was seen. The shared library of this example. */
#ifndef TABLE_H
#define TABLE_H

#ifdef __cplusplus
extern "C" {
#endif
/* One more of WORD. 0, or -1: no memory. */
int table_add(const char *word);
/* Calls visit() for each word, in no particular order. */
void table_visit(void (*visit)(const char *word, unsigned count, void *data), void *data);
#ifdef __cplusplus
}
#endif

#endif
