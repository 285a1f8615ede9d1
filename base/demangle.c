/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See demangle.h. The demangler is the one of gcc's C++ library, in libsupc++.a. What libstdc++.so
 * exports, __cxa_demangle(), returns the whole name in memory: names come from files of unknown
 * origin, and one of a hundred letters can become gigabytes, each part doubling the one before. The
 * function below passes the name on in pieces, as it is made, and keeps nothing but on its stack;
 * so it can be left as soon as there is too much.
 */
#include "demangle.h"

#include "memory.h"
#include "std_names.h"

#include <setjmp.h>
#include <string.h>

enum { MAX_MANGLED = 2000, MAX_NAME = 8000 };

/* In libiberty, whose code it is, this is cplus_demangle_v3_callback(). */
int __gcclibcxx_demangle_callback(const char *mangled,
                                  void (*take)(const char *piece, size_t size, void *data),
                                  void *data);

struct demangled {
    char text[MAX_NAME];
    size_t size;
    sigjmp_buf too_long;
};

static void take(const char *piece, size_t size, void *data)
{
    struct demangled *name = data;
    if (size > sizeof name->text - name->size)
        siglongjmp(name->too_long, 1);
    memcpy(name->text + name->size, piece, size);
    name->size += size;
}

const bool demangle_is_there = true;

static bool read_name(struct demangled *name, const char *mangled)
{
    name->size = 0;
    if (strncmp(mangled, "_Z", 2) != 0 || strnlen(mangled, MAX_MANGLED) == MAX_MANGLED)
        return false;
    return sigsetjmp(name->too_long, 0) == 0 &&
           __gcclibcxx_demangle_callback(mangled, take, name) == 0;
}

char *demangle(const char *name)
{
    struct demangled demangled;
    if (!read_name(&demangled, name))
        return NULL;
    char *plain = memory_format("%.*s", (int)demangled.size, demangled.text);
    std_names_shorten(plain);
    return plain;
}
