/* SPDX-License-Identifier: BSD-2-Clause */
/* See description.h. One at a time: a tool takes it, or sends it again, in the next moment. */
#include "description.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct {
    uint64_t session;
    char *text;
    size_t length;
} sent;

static void forget(void)
{
    free(sent.text);
    sent.session = 0;
    sent.text = NULL;
    sent.length = 0;
}

int description_add(uint64_t session, uint64_t offset, const void *part, size_t size)
{
    if (offset == 0)
        forget();
    if ((offset && session != sent.session) || offset != sent.length ||
        size > DESCRIBE_MAX_BYTES - sent.length)
        return -EINVAL;
    char *text = realloc(sent.text, sent.length + size + 1);
    if (!text)
        return -ENOMEM;
    memcpy(text + sent.length, part, size);
    sent.session = session;
    sent.text = text;
    sent.length += size;
    return 0;
}

int description_take(uint64_t session, struct description **taken)
{
    struct describe_error error;
    *taken = NULL;
    if (session != sent.session || !sent.text)
        return 0;
    *taken = describe_parse(sent.text, sent.length, &error);
    forget();
    return *taken ? 0 : -EBADMSG;
}
