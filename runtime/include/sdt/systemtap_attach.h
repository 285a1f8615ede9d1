/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/systemtap_attach.h> -- handlers with the parameters that the probes of <sdt/systemtap.h>
 * have. For programs that attach handlers; link with -lsdt.
 *
 *     static void on_opened(int64_t fd, const char *path)
 *     {
 *         printf("%" PRId64 ": %s\n", fd, path);
 *     }
 *     ...
 *     int session = systemtap_attach_NS(opened, on_opened);
 *     if (session < 0)
 *         fprintf(stderr, "opened: %s\n", sdt_strerror(session));
 *     ...
 *     if (systemtap_detach(session) == 0)
 *         ...                      // no thread is in on_opened: its code may be unmapped
 *
 *   int systemtap_attach(name, handler)
 *   int systemtap_attach_N(name, handler) ... systemtap_attach_SSSSSSS(name, handler)
 *       From now on every probe of that name and these types calls the handler, wherever it is in
 *       the process, and also in libraries that are loaded later. Any number of sessions may be
 *       attached to a probe; their handlers are called in the order of attaching.
 *         handler  void (*)(int64_t, const char *) for NS, and so on: systemtap_handler_NS *. Any
 *                  other type does not compile. What a handler may do, see <sdt/runtime.h>.
 *         returns  a number > 0 for systemtap_detach(), or a negative error:
 *                  -ENOENT      there is no probe of that name
 *                  -EPROTOTYPE  there is one, but not with these types; or a probe that has this
 *                               name was not made by <sdt/systemtap.h> and has other types
 *                  others       as sdt_enable()
 *   int systemtap_attach_in(module, function, name, handler)
 *   int systemtap_attach_in_N(module, function, name, handler) ...
 *       The same for the probes of one file, or function, or both, if the name alone is not
 *       specific enough.
 *         module, function  string literals, in which `*`, `?` and `[...]` match as in
 *                           <sdt/runtime.h>; "" is any. A module is the base name of a program's or
 *                           library's file.
 *   int systemtap_detach(int session)
 *       Safe while probes run: 0 when no thread is or will be in the handler for this session.
 *       Inside a handler it does not wait, and returns -EINPROGRESS; a second call, outside, waits.
 *       Otherwise as sdt_disable().
 *
 * Threads and signals: as <sdt/runtime.h>. Names are as in <sdt/systemtap.h>, and so is
 * SYSTEMTAP_PROVIDER.
 *
 * N.B. Types are checked three times: by the compiler, against the handler; when attaching, in the
 * name and in the types that every site has recorded; and at each hit, by the number of arguments,
 * for sites that were loaded later and have no recorded types. A handler never sees a word that is
 * not an argument.
 */
#ifndef SDT_SYSTEMTAP_ATTACH_H
#define SDT_SYSTEMTAP_ATTACH_H

#include <errno.h>
#include <sdt/runtime.h>

#if defined(__GNUC__)
#pragma GCC system_header /* a function pointer is passed as a data pointer */
#endif

#if !defined(SYSTEMTAP_PROVIDER)
#define SYSTEMTAP_PROVIDER systemtap
#endif

/* What systemtap_check_() looks for and finds, over all sites that it visits. */
struct systemtap_sites {
    const char *types; /* "2NS" */
    int count, error;
};

/* Whether an argument's type, at the start of ARGS ("-8@%rdi 8p@%rsi"), is that of TYPE. */
static __inline__ int systemtap_is_type_(char type, const char *args)
{
    const char *expected = type == 'N' ? "-8@" : "8p@";
    return args[0] == expected[0] && args[1] == expected[1] && args[2] == expected[2];
}

static __inline__ int systemtap_check_(const struct sdt_probe_info *site, void *data)
{
    struct systemtap_sites *sites = (struct systemtap_sites *)data;
    const char *type, *args = site->args;
    sites->count++;
    if (!sites->types)
        return 0;
    if (site->nargs != (unsigned)(sites->types[0] - '0'))
        sites->error = -EPROTOTYPE;
    for (type = sites->types + 1; *type && !sites->error; type++) {
        if (!systemtap_is_type_(*type, args))
            sites->error = -EPROTOTYPE;
        while (*args && *args != ' ')
            args++;
        args += *args == ' ';
    }
    return sites->error;
}

static __inline__ int systemtap_attach_(const char *pattern, const char *any, const char *types,
                                        sdt_handler *call, void *handler)
{
    struct systemtap_sites sites, others;
    int result;
    if (!handler)
        return -EINVAL;
    sites.types = types;
    others.types = NULL;
    sites.count = sites.error = others.count = others.error = 0;
    result = sdt_foreach(pattern, systemtap_check_, &sites);
    if (result == 0 && sites.count == 0)
        result = sdt_foreach(any, systemtap_check_, &others);
    if (others.count)
        return -EPROTOTYPE;
    return result != 0 ? result : sdt_enable(pattern, call, handler);
}

static __inline__ int systemtap_detach(int session)
{
    return sdt_disable(session);
}

/* What follows is internal; the forms with letters are in the file below. */
#define SYSTEMTAP_HANDLER_(signature, handler_type, parameters, words)                             \
    typedef void handler_type parameters;                                                          \
    union handler_type##_pointer_ {                                                                \
        void *data;                                                                                \
        handler_type *function;                                                                    \
    };                                                                                             \
    static __inline__ void handler_type##_call_(const struct sdt_event *event, void *data)         \
    {                                                                                              \
        union handler_type##_pointer_ pointer;                                                     \
        pointer.data = data;                                                                       \
        if (sdt_nargs(event) == (unsigned)(#signature[0] - '0'))                                   \
            pointer.function words;                                                                \
    }                                                                                              \
    static __inline__ int handler_type##_attach_(const char *pattern, const char *any,             \
                                                 handler_type *handler)                            \
    {                                                                                              \
        union handler_type##_pointer_ pointer;                                                     \
        pointer.function = handler;                                                                \
        return systemtap_attach_(pattern, any, #signature, handler_type##_call_, pointer.data);    \
    }
#define SYSTEMTAP_ARG_N_(i) (int64_t) sdt_arg(event, i)
#define SYSTEMTAP_ARG_S_(i) (const char *)sdt_arg(event, i)

#define SYSTEMTAP_ATTACH_(signature, handler_type, module, function, name, handler)                \
    SYSTEMTAP_ATTACH2_(SYSTEMTAP_PROVIDER, signature, handler_type, module, function, name, handler)
#define SYSTEMTAP_ATTACH2_(...) SYSTEMTAP_ATTACH3_(__VA_ARGS__)
#define SYSTEMTAP_ATTACH3_(provider, signature, handler_type, module, function, name, handler)     \
    (SYSTEMTAP_SAME_TYPE_(handler_type, handler),                                                  \
     handler_type##_attach_(#provider ":" module ":" function ":" #name "__" #signature,           \
                            #provider ":" module ":" function ":" #name "__[0-7]*", handler))
#if defined(__cplusplus)
#define SYSTEMTAP_SAME_TYPE_(handler_type, handler) (void)0
#else
#define SYSTEMTAP_SAME_TYPE_(handler_type, handler)                                                \
    (void)sizeof(struct {                                                                          \
        int systemtap_attach_handler_has_the_types_of_another_probe                                \
            : __builtin_types_compatible_p(__typeof__(&*(handler)), handler_type *)                \
              ? 1                                                                                  \
              : -1;                                                                                \
    })
#endif

#include <sdt/systemtap_handlers.h>

#endif
