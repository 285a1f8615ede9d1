/* SPDX-License-Identifier: BSD-2-Clause */
/* See curl.h. */
#include "curl.h"

#include "base/diag.h"

#include <dlfcn.h>
#include <stddef.h>

static struct curl curl;

static const struct {
    const char *name;
    size_t place;
} functions[] = {
    {"curl_easy_init", offsetof(struct curl, easy_init)},
    {"curl_easy_setopt", offsetof(struct curl, easy_setopt)},
    {"curl_easy_perform", offsetof(struct curl, easy_perform)},
    {"curl_easy_getinfo", offsetof(struct curl, easy_getinfo)},
    {"curl_easy_cleanup", offsetof(struct curl, easy_cleanup)},
    {"curl_easy_strerror", offsetof(struct curl, easy_strerror)},
    {"curl_slist_append", offsetof(struct curl, slist_append)},
    {"curl_slist_free_all", offsetof(struct curl, slist_free_all)},
};

static bool find_functions(void *library)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *found = dlsym(library, functions[i].name);
        if (!found)
            return false;
        *(void **)((char *)&curl + functions[i].place) = found;
    }
    return true;
}

const struct curl *curl_load(void)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library && find_functions(library))
            return &curl;
    }
    diag_refuse(&(struct diag_place){.file = names[0]},
                "this library is not there, which sends OTLP to a URL", NULL, NULL,
                "install libcurl (Debian: libcurl4 or libcurl4t64); or write a file, --otlp=FILE");
    return NULL;
}
