/* SPDX-License-Identifier: BSD-2-Clause */
#include "kvd_types.h"
#define bool unsigned char

provider kvd {
    /* A command: the line, its length, the number of the connection. */
    probe command__start(const char *line, int length, ConnectionId id);
    probe command__done(const char *line, int length, ConnectionId id, bool ok);
    probe find(const char *key, size_t length, int depth);
    probe store(const char *key, size_t length, const void *value, uint64_t version);
    probe evict(const char *key);
    probe stats__dump(int, unsigned, short, int64_t, const char *, char, double, void *,
                      uint8_t, uint16_t);
    probe catch();
    probe never(int);
};

#pragma D attributes Evolving/Evolving/Common provider kvd provider
