/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libcurl, loaded when it is needed: with what it needs itself, it would take longer to load than
 * most commands of sdt take. Any of its libraries will do, whichever TLS it has.
 */
#ifndef SDT_OTLP_CURL_H
#define SDT_OTLP_CURL_H

#include <curl/curl.h>

/* The functions of libcurl, with its own names and types. */
struct curl {
    __typeof__(curl_easy_init) *easy_init;
    __typeof__(curl_easy_setopt) *easy_setopt;
    __typeof__(curl_easy_perform) *easy_perform;
    __typeof__(curl_easy_getinfo) *easy_getinfo;
    __typeof__(curl_easy_cleanup) *easy_cleanup;
    __typeof__(curl_easy_strerror) *easy_strerror;
    __typeof__(curl_slist_append) *slist_append;
    __typeof__(curl_slist_free_all) *slist_free_all;
};

/* NULL: after a message. */
const struct curl *curl_load(void);

#endif
