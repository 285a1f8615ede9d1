/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What this runtime uses of <string.h>. The first four are the kernel's, as compilers ask for them
 * anyway; the others are in ../library.c, under names of our own, since a kernel may have them too.
 */
#ifndef SDT_FREESTANDING_STRING_H
#define SDT_FREESTANDING_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *left, const void *right, size_t n);

#define memchr sdt_memchr
#define strlen sdt_strlen
#define strchr sdt_strchr
#define strcmp sdt_strcmp
#define strncmp sdt_strncmp
#define strcspn sdt_strcspn
#define strstr sdt_strstr
#define strndup sdt_strndup

void *memchr(const void *memory, int byte, size_t n);
size_t strlen(const char *text);
char *strchr(const char *text, int byte);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t n);
size_t strcspn(const char *text, const char *reject);
char *strstr(const char *text, const char *wanted);
char *strndup(const char *text, size_t n); /* for free() */

#endif
