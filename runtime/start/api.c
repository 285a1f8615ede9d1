/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of <sdt/runtime.h>: arguments checked, work passed on to the copy of this library
 * that does it for the whole process (rendezvous.h), which may be this one.
 */
#include "process/msan.h"
#include "registry/registry.h"
#include "rendezvous.h"
#include "report.h"
#include "startup.h"

#include <errno.h>
#include <sdt/format.h>
#include <sdt/runtime.h>
#include <stdlib.h>
#include <string.h>

/* ---- The program's functions under MemorySanitizer, which does not see what we pass them. ---- */

struct visitor {
    int (*function)(const struct sdt_probe_info *site, void *data);
    void *data;
};

static int call_visitor(const struct sdt_probe_info *site, void *data)
{
    const struct visitor *visitor = data;
    msan_knows(site, sizeof *site);
    const char *const texts[] = {site->provider, site->module, site->function,
                                 site->name,     site->args,   site->file};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        msan_knows_text(texts[i]);
    for (unsigned i = 0; i < site->nargs; i++) {
        msan_knows_text(site->arg_names[i]);
        msan_knows_text(site->arg_types[i]);
    }
    msan_knows_parameters(2);
    return visitor->function(site, visitor->data);
}

/* ---- The functions. ---- */

int sdt_disable(int subscription)
{
    MSAN_LOOKS_AWAY;
    const struct leader_functions *leader;
    int error = rendezvous(&leader);
    return error ? error : leader->unsubscribe(subscription);
}

int sdt_foreach(const char *pattern, int (*visit)(const struct sdt_probe_info *site, void *data),
                void *data)
{
    MSAN_LOOKS_AWAY;
    struct visitor visitor = {visit, data};
    const struct leader_functions *leader;
    int error = rendezvous(&leader);
    if (!pattern || !visit)
        return -EINVAL;
    if (msan_is_there()) {
        visit = call_visitor;
        data = &visitor;
    }
    return error ? error : leader->foreach (pattern, visit, data);
}

uint64_t sdt_hits(const char *pattern)
{
    MSAN_LOOKS_AWAY;
    const struct leader_functions *leader;
    uint64_t hits = 0;
    if (pattern && rendezvous(&leader) == 0)
        leader->hits(pattern, &hits);
    return hits;
}

int sdt_attachable(void)
{
    MSAN_LOOKS_AWAY;
    const struct leader_functions *leader;
    int error = rendezvous(&leader);
    return error ? error : leader->attach_start();
}

int sdt_context(const struct sdt_trace_context *const *slot)
{
    MSAN_LOOKS_AWAY;
    const struct leader_functions *leader;
    int error = rendezvous(&leader);
    return error ? error : leader->use_context(slot);
}

__attribute__((visibility("default"))) SDT_FORMAT_CALL void __sdt_register(struct sdt_dso *dso)
{
    MSAN_LOOKS_AWAY;
    if (!registry_accepts(dso)) {
        report_refused(dso);
        return;
    }
    if (dso->runtime)
        return;
    dso->runtime = REGISTRY_LISTED;
    rendezvous_register(dso);
    startup_begin(); /* before the object's own constructors */
}

__attribute__((visibility("default"))) SDT_FORMAT_CALL void __sdt_unregister(struct sdt_dso *dso)
{
    MSAN_LOOKS_AWAY;
    if (registry_accepts(dso))
        rendezvous_unregister(dso);
}

const char *sdt_version(void)
{
    return SDT_VERSION;
}

/* What an error of ours means, where the C library's words for it would say too little. */
static const struct {
    int error;
    const char *meaning;
} meanings[] = {
    {0, "success"},
    {EINVAL, "an argument is missing or the pattern is malformed"},
    {ENOENT, "no probe matches (SDT_DEBUG=1 says more), or there is no such subscription"},
    {ENOMEM, "out of memory"},
    {EPERM, "not permitted: SDT_DISABLE_RUNTIME is set, or the text may not be written"},
    {EACCES, "the text may not be written: not through /proc/self/mem, and mprotect is refused, or "
             "forbidden by SDT_LOCK_TEXT"},
    {EBUSY, "a tracer's breakpoint is at the site, or a thread blocks SIGTRAP; of a recorder: "
            "there is one already, or another process writes its files"},
    {EILSEQ, "the site or its record is not what sdtlink wrote"},
    {ESTALE, "llvm-bolt has moved the code of the site; -skip-funcs= keeps it in place"},
    {EBADMSG, "an argument in the probe's note cannot be read: only other tracers see the probe; "
              "of a recorder: the file of descriptions has an error"},
    {ENOTSUP, "this mode cannot arm this kind of site here"},
    {ENOLINK, "it needs a breakpoint, which a program that blocks SIGTRAP would not survive; 'sdt "
              "run' starts it so that it cannot"},
    {EADDRINUSE, "no free address range for the thunks that jumps need"},
    {EIO, "the text did not change as written"},
    {EPROTOTYPE,
     "the probe has arguments of other types than the handler"}, /* of <sdt/systemtap_attach.h> */
    {EDEADLK, "called from inside another function of libsdt"},
    {EOWNERDEAD,
     "a thread died inside libsdt, which changes nothing any more: restart the program"},
    {EINPROGRESS, "ended; handlers may still be running: call again outside of handlers"},
    {EEXIST, "another version of libsdt is in charge of this process, or of objects in it; of a "
             "recorder: the directory exists and is not a recording"},
    {E2BIG, "the condition is too long"},
    {ENOSPC, "no room: for the rings in memory, or for the recording on the disk"},
    {EMFILE, "no descriptor is left (RLIMIT_NOFILE, or the system's limit)"},
    {ENFILE, "no descriptor is left (RLIMIT_NOFILE, or the system's limit)"},
    {EFBIG, "a file would be larger than this process may have (RLIMIT_FSIZE)"},
    {ENOSYS, "the kernel does not have a system call, or a seccomp filter forbids it"},
    {EAGAIN, "no other thread is possible (RLIMIT_NPROC, or the limit of the control group)"},
};

const char *sdt_strerror(int error)
{
    int code = error < 0 ? -error : error;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].error == code)
            return meanings[i].meaning;
    return strerror(code);
}
