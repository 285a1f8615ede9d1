/* SPDX-License-Identifier: BSD-2-Clause */
/* A key-value store in memory. Keys and values are strings, copied in. */
#ifndef KV_H
#define KV_H

#include <stddef.h>

struct kv;

struct kv *kv_open(void);
void kv_close(struct kv *kv);

/* Returns 0, or -1 if there is no memory. */
int kv_set(struct kv *kv, const char *key, const char *value);
/* NULL if there is none. Valid until the key is set again. */
const char *kv_get(struct kv *kv, const char *key);
size_t kv_size(const struct kv *kv);

#endif
