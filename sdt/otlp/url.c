/* SPDX-License-Identifier: BSD-2-Clause */
/* The argument of --otlp: a file, or http:// and https://. */
#include "send.h"

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

bool otlp_is_url(const char *out)
{
    return begins_with(out, "http://") || begins_with(out, "https://");
}

/* localhost:4318: the ports of OTLP. */
static bool is_address(const char *out)
{
    const char *colon = strrchr(out, ':');
    return colon && !strchr(out, '/') &&
           (strcmp(colon, ":4317") == 0 || strcmp(colon, ":4318") == 0);
}

char *otlp_problem(const char *out)
{
    const char *scheme = strstr(out, "://");
    if (otlp_is_url(out))
        return scheme[3] && scheme[3] != '/' && scheme[3] != ':'
                   ? NULL
                   : memory_format("%s: this address names no host", out);
    if (scheme && !memchr(out, '/', (size_t)(scheme - out)))
        return memory_format("%s: OTLP goes to http:// or https://, or into a file", out);
    if (is_address(out))
        return memory_format("%s: a receiver is http://%s; a file of that name is ./%s", out, out,
                             out);
    return NULL;
}

char *otlp_url_problem(const char *out)
{
    char *problem = otlp_problem(out);
    return problem || otlp_is_url(out) ? problem
                                       : memory_format("--otlp needs http:// or https://");
}
