/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/runtime.h> -- watch the probes of the running program, from inside it.
 *
 * A program whose objects went through `sdtlink` has its probes off: NOPs in the text, nothing done
 * at start-up. This library switches them on and off while the program runs.
 *
 *   Count how often a probe is executed:
 *
 *       int id = sdt_enable("postgres:transaction-start", SDT_COUNT, NULL);
 *       ...
 *       printf("%" PRIu64 "\n", sdt_hits("postgres:transaction-start"));
 *       sdt_disable(id);
 *
 *   Read its arguments:
 *
 *       static void on_query(const struct sdt_event *event, void *data)
 *       {
 *           struct log *log = data;
 *           log_line(log, (const char *)sdt_arg(event, 0), sdt_arg_double(event, 1));
 *       }
 *       ...
 *       int id = sdt_enable("db:query", on_query, log);
 *       if (id < 0)
 *           fprintf(stderr, "db:query: %s\n", sdt_strerror(id));
 *       ...
 *       if (sdt_disable(id) == 0)
 *           log_free(log);              // no thread is in on_query any more
 *
 *   Without code, from the shell:
 *
 *       SDT_ENABLE='db:*=count;web::handle_*:=count' ./program
 *
 * Link with -lsdt (libsdt.so), or with libsdt.a in executables. However many copies a process has,
 * one of them does the work for all. Objects with probes refer to the library weakly, so that they
 * also run without it. Hence, if nothing else in the program calls it (SDT_ENABLE is all you want),
 * linkers leave out libsdt.a and, with --as-needed, libsdt.so. `sdtlink cc …` and `pkg-config
 * --libs sdtlink` link it in any case.
 *
 * PATTERNS name probes: `provider:module:function:name`, as in DTrace. Every part is a glob (`*`,
 * `?`, `[a-z]`, `[!a-z]`, `\` before a literal character) or empty, which matches anything.
 * `provider:name` and `provider` are short forms; three parts are an error. Several patterns are
 * joined by commas. `module` is the base name of the program's or library's file, `function` the
 * function around the site. In names, `__` and `-` are the same.
 *
 * THREADS. Every function here may be called from any thread at any time, also inside handlers,
 * but none is async-signal-safe except those that take a struct sdt_event. Functions that change
 * what is enabled take one lock; they return -EDEADLK instead of waiting for themselves when they
 * are called from a handler (or an sdt_foreach visitor) that runs while its own thread is inside
 * one of them. None is a cancellation point.
 *
 * HANDLERS run in the thread that hit the probe, in normal context (not in a signal handler, unless
 * the probe was hit in one), at the moment when the call would have happened. They may allocate,
 * lock, throw and catch inside themselves, call every function of this header, and be profiled,
 * debugged and unwound. errno is restored after them.
 *   - A probe that is hit inside a handler is counted (SDT_COUNT) but calls no handlers.
 *   - An exception that would leave a handler calls std::terminate.
 *   - Leaving one by longjmp is forbidden. pthread_exit and cancellation in one end the thread.
 *   - Switching to another context in one (swapcontext, coroutines) is also forbidden: until the
 *     handler is resumed in the same thread and returns, the thread's probes call no handlers, and
 *     sdt_disable waits for it.
 *   - A handler must not wait for a lock that the probed code holds: that deadlocks, as in any
 *     callback.
 *
 * SYSTEM CALLS. A hit at a site that is armed by a jump makes none, not even the first hit of a
 * thread, with two exceptions: sdt_arg() of an argument in memory at a probe of <sys/sdt.h> or at a
 * null pointer (process_vm_readv), and the first hit of a thread while more than 16 000 threads
 * have had hits (mmap). A hit at a breakpoint makes one: the return from the signal handler.
 *
 * MODES. On x86-64, arming a call site (SDT_CALL_SITES) by a jump changes one byte: the NOP becomes
 * the opcode of a call, and the bytes after it, which were the rest of a NOP, become its
 * displacement. So the target, a thunk, lies at a fixed distance from the site, -1022 to -910 or +2
 * to +114 MiB; all thunks of one executable or library lie in one such window of the address space,
 * which is mapped when the first of its sites is armed by a jump, and needs memory for as many
 * pages as have thunks in use. With SDT_MODE_AUTO, a site without a free window is armed by a
 * breakpoint instead, and sdt_foreach() reports it: `mode` is SDT_MODE_TRAP and `error` is the
 * reason. Inline sites (the default) and tail sites hold the address of their target, and need no
 * window; nor do sites on other machines.
 *
 * FORK. The child inherits what is enabled; from then on, each changes only its own text. A child
 * of vfork runs its parent's probes in its parent's memory; it must not end inside a handler, and
 * one that lives while the first breakpoint of the process is armed does not survive it (SIGTRAP).
 *
 * ENVIRONMENT, read once when the library is loaded, and ignored in set-user-ID programs:
 *   SDT_ENABLE           `pattern=consumer` entries separated by `;`. The consumer is `count` or
 *                        `record` (<sdt/record.h>). They stay in force for libraries loaded later.
 *                        Nothing prints the counts: the program, a plug-in or a debugger calls
 *                        sdt_hits().
 *   SDT_RECORD           the directory that entries with `record` record into
 *   SDT_RECORD_OPTIONS   `flight`, `thread`, `context`, `ring=SIZE`, `packet=SIZE`, `text=SIZE`,
 *                        `stack=N`, separated by `,`; the last may be `describe=FILE`; see struct
 *                        sdt_record_options. SIZE may end in K or M
 *   SDT_DISABLE_RUNTIME  if set to anything but "" or "0": the kill switch. No site is ever armed;
 *                        sdt_enable returns -EPERM.
 *   SDT_ATTACH           `1` or `listen`: tools of the same user may attach to the process:
 *                        sdt_attachable()
 *   SDT_STOCK            if set to anything but "" or "0": probes of <sys/sdt.h> in objects that
 *                        sdtlink has not processed become sites as well, armed by breakpoints.
 *                        `sdt run` sets it
 *   SDT_UNLOCK_TEXT      if set to anything but "" or "0": while many sites (128 or more) of one
 *                        executable or library change, its text is writable and executable. That
 *                        takes one system call for all sites instead of one each: twenty times
 *                        faster to enable, forty to disable (measured with 65 000 sites). Where
 *                        that is forbidden, they are changed the usual way
 *   SDT_LOCK_TEXT        if set to anything but "" or "0": text is never writable and executable at
 *                        once. Without this, where /proc/self/mem cannot be written, mprotect makes
 *                        it so for the moment of a store; with it, -EACCES is returned there
 *   SDT_DEBUG            if set to anything but "" or "0": lines on standard error: what each entry
 *                        of SDT_ENABLE matches, and why a pattern that matches nothing may do so.
 *                        Without it the library prints nothing, with one exception: if the
 *                        recording that SDT_ENABLE requests cannot be made or written, or, on i386,
 *                        SDT_ATTACH is set
 *
 * ERRORS are returned as negative errno numbers:
 *   -EINVAL     an argument is NULL or out of range, or the pattern is malformed
 *   -ENOENT     nothing matches the pattern now (too early in a constructor: SDT_PENDING; a
 *               libsdt.a that the program does not export; SDT_DEBUG=1 says more); no such
 *               subscription
 *   -ENOMEM     out of memory; nothing was changed
 *   -EPERM, -EACCES, …
 *               the text cannot be written: /proc/self/mem is not writable (no /proc, not dumpable,
 *               seccomp) and mprotect refused as well (PR_SET_MDWE, SELinux, seccomp); the number
 *               is mprotect's. Also -EPERM: SDT_DISABLE_RUNTIME is set; -EACCES: SDT_LOCK_TEXT
 *               forbids mprotect
 *   -EBUSY      a debugger's or uprobe's breakpoint occupies the byte that would have to change; or
 *               a breakpoint is needed and a thread blocks SIGTRAP, which would kill the program
 *   -EBADMSG    the probe's note of <sys/sdt.h> has an argument that cannot be read
 *   -ESTALE     llvm-bolt has moved the function; the old copy is not executed
 *   -EILSEQ     the site's record or its bytes are not what sdtlink wrote (another tool moved or
 *               changed the text); such a site is never touched
 *   -ENOTSUP    on a machine that is not supported, every function that returns an error: there,
 *               <sdt/probe.h> makes no probes. Elsewhere: this mode does not support this kind of
 *               site, or the thread runs with a shadow stack, which forbids breakpoints at call
 *               sites. On i386: there is no recorder, no tool can attach, and there is no
 *               sdt_context()
 *   -ENOLINK    of a site that a tool or SDT_ENABLE was to arm: it needs a breakpoint, which a
 *               program that blocks SIGTRAP would not survive, and the program does not call this
 *               library's sigprocmask(), as it came after the C library
 *   -EADDRINUSE  a jump needs a thunk at a fixed distance from the site (see MODES), and none of
 *               the fourteen possible places is free
 *   -EIO        the byte read back was not the byte written
 *   -EDEADLK    called from inside another function of this header (see THREADS)
 *   -EOWNERDEAD  a thread died inside this library, killed by a seccomp filter: then nothing
 *               is changed any more
 *   -EINPROGRESS  sdt_disable was called inside a handler (see there)
 *   -EEXIST     another version of this library is in charge of the process; or nothing matches,
 *               and objects that registered with a copy of another version cannot be seen
 */
#ifndef SDT_RUNTIME_H
#define SDT_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* One execution of a probe site. Valid only while the handler that got it runs. */
struct sdt_event;

typedef void sdt_handler(const struct sdt_event *event, void *data);

/* In place of a handler: count hits, call nothing. Makes no system call; see sdt_hits(). */
#define SDT_COUNT ((sdt_handler *)1)

/*
 * How sites are armed. The first three are for sdt_enable_mode; in sdt_probe_info a site has one of
 * OFF, TRAP, JUMP, BLOCKED.
 */
enum {
    SDT_MODE_AUTO,   /* the best that the site's kind allows: a jump, else a breakpoint */
    SDT_MODE_TRAP,   /* a breakpoint instruction and SIGTRAP, some microseconds per hit */
    SDT_MODE_JUMP,   /* a direct branch, some nanoseconds per hit; no fallback to a breakpoint */
    SDT_MODE_OFF,    /* not armed */
    SDT_MODE_BLOCKED /* cannot be armed; sdt_probe_info.error says why */
};

/*
 * Added to a mode of sdt_enable_mode: if nothing matches yet, subscribe nevertheless. Matching
 * sites are armed when they are registered: for constructors and preloaded libraries, which run
 * before the program's objects register theirs.
 */
#define SDT_PENDING 0x100

/*
 * Added to a mode of sdt_enable_mode: a promise that HANDLER, and whatever it calls, leaves vector,
 * mask and x87 registers alone. At inline sites they are then not saved and restored, which takes
 * longer than the rest of a hit. If the promise is broken, the probed program computes wrong
 * results.
 *
 *     SDT_GENERAL_REGS_HANDLER(on_request)
 *     {
 *         histogram_add(data, sdt_arg(event, 1));
 *     }
 *     …
 *     sdt_enable_mode("web:request", on_request, &sizes, SDT_MODE_AUTO | SDT_GENERAL_REGS);
 *
 * The macro begins the definition of such a handler, at file or namespace scope; its arguments are
 * `event` and `data`. It makes the compiler keep the promise for the handler's own code: floating
 * point in it is an error. Functions that it calls are compiled normally: mark yours with
 * SDT_GENERAL_REGS_ONLY, and call none of the C library, which uses vector registers to copy and
 * compare memory. Of this library these keep the promise: sdt_arg, sdt_args, sdt_nargs,
 * sdt_provider, sdt_arg_name, sdt_arg_type, sdt_name, sdt_function, sdt_module, sdt_pc.
 *
 * `sdtlink verify`, on the executable, library or object, follows the calls of the handlers that
 * this macro defines, and names the instruction or call that breaks the promise. It finds them by a
 * few bytes of read-only data each (.sdt_handlers); there is no cost at run time.
 */
#if (defined(__aarch64__) && defined(__clang__)) || defined(__riscv)
#define SDT_GENERAL_REGS 0 /* no compiler option keeps the promise there, so it is not made */
#else
#define SDT_GENERAL_REGS 0x200
#endif
#if defined(__x86_64__) && defined(__LP64__)
#define SDT_HANDLER_NONE_ "R_X86_64_NONE"
#elif defined(__AARCH64EL__) && defined(__LP64__) && !defined(__clang__)
#define SDT_HANDLER_NONE_ "R_AARCH64_NONE"
#endif
#if defined(SDT_HANDLER_NONE_)
#define SDT_GENERAL_REGS_ONLY __attribute__((__target__("general-regs-only")))
/*
 * The record is written by an asm statement in the handler, so that it is there if and only if the
 * handler's code is, whatever inlining, LTO and --gc-sections do; the relocation of type NONE makes
 * linkers keep the one with the other.
 */
#define SDT_GENERAL_REGS_HANDLER(name)                                                             \
    static __inline__ __attribute__((__always_inline__))                                           \
    SDT_GENERAL_REGS_ONLY void name##_sdt_body(const struct sdt_event *event, void *data);         \
    static __attribute__((__noinline__)) SDT_GENERAL_REGS_ONLY void name(                          \
        const struct sdt_event *event, void *data)                                                 \
    {                                                                                              \
        __asm__ __volatile__(".Lsdt_handler%=:\n"                                                  \
                             ".reloc .Lsdt_handler%=, " SDT_HANDLER_NONE_ ", .Lsdt_handled%=\n"    \
                             ".pushsection .sdt_handlers,\"ao\",@progbits,.Lsdt_handler%=\n"       \
                             ".Lsdt_handled%=: .long .Lsdt_handler%= - .\n"                        \
                             ".asciz \"" #name "\"\n"                                              \
                             ".popsection"                                                         \
                             :                                                                     \
                             :);                                                                   \
        name##_sdt_body(event, data);                                                              \
    }                                                                                              \
    static __inline__ __attribute__((__always_inline__))                                           \
    SDT_GENERAL_REGS_ONLY void name##_sdt_body(const struct sdt_event *event, void *data)
#else /* no promise: nothing to follow */
#define SDT_GENERAL_REGS_ONLY
#define SDT_GENERAL_REGS_HANDLER(name)                                                             \
    static SDT_GENERAL_REGS_ONLY void name(const struct sdt_event *event, void *data)
#endif

/*
 * Enable every probe site that matches PATTERN: from now on each execution calls HANDLER(event,
 * DATA). Several handlers of one probe are called in the order in which they were enabled. The
 * subscription stays in force for matching sites of libraries that are loaded later. DATA may be
 * NULL; it stays the caller's, and must exist until sdt_disable() has returned 0.
 *
 * MODE is SDT_MODE_AUTO, SDT_MODE_TRAP or SDT_MODE_JUMP, perhaps with SDT_PENDING and
 * SDT_GENERAL_REGS added; anything else is -EINVAL. sdt_enable() uses SDT_MODE_AUTO.
 *
 * Returns a subscription id > 0 if at least one site was armed; sdt_foreach() tells why others were
 * not. If none was armed, nothing is changed and the first site's error is returned.
 *
 * N.B. Breakpoints need a handler of SIGTRAP, jumps do not. Traps that are not ours are passed to
 * the previous handler. Each later sdt_enable installs ours again if it has been replaced. After
 * the last breakpoint is removed the previous handler is restored, if the process then has only one
 * thread; with more, one of them could still be entering the signal handler.
 * N.B. Linux kills a process that runs into a breakpoint while the thread blocks SIGTRAP. This is
 * checked when sites are armed, not later: beware of signal handlers that block all signals
 * (sa_mask).
 * N.B. With SDT_MODE_TRAP, a debugger that steps over our breakpoint at a *tail* site (the site is
 * a jump) runs into the site's displacement bytes. SDT_MODE_AUTO never does that.
 * N.B. A site that another subscription has armed stays armed in its mode, whatever MODE is.
 * N.B. In a process that has threads already, the first call may wait some tens of milliseconds, to
 * be registered for membarrier(2). Programs with libsdt.a that name this function are registered
 * before main(). With libsdt.so, any call of it before the first thread starts will do, even one
 * that matches nothing.
 *
 * May be called inside handlers: a new subscription then takes effect at the next hit.
 */
int sdt_enable(const char *pattern, sdt_handler *handler, void *data);
int sdt_enable_mode(const char *pattern, sdt_handler *handler, void *data, int mode);

/*
 * End a subscription. Returns 0 when no thread is or will be in the handler for it: DATA may be
 * freed. It waits for handlers that are running, so do not hold a lock that they need.
 *
 * Inside a handler (any handler) it does not wait: the subscription ends at once for the calling
 * thread, and -EINPROGRESS means that others may still be in it. DATA must then stay until a second
 * call, from outside, has returned 0.
 *
 * A second call after 0: -ENOENT.
 */
int sdt_disable(int subscription);

/* What sdt_foreach says about one site. Strings live as long as the object that the site is in. */
struct sdt_probe_info {
    size_t size; /* sizeof(struct sdt_probe_info) of the library; fields are only ever added */
    const char *provider;
    const char *module;
    const char *function; /* NULL: unknown */
    const char *name;
    const void *pc;   /* first byte of the site */
    unsigned kind;    /* enum sdt_kind of <sdt/format.h> */
    unsigned nargs;   /* 0..12 */
    int mode;         /* SDT_MODE_OFF, _TRAP, _JUMP, _BLOCKED */
    int error;        /* as -errno: BLOCKED: why; TRAP: why not JUMP, if that was tried; else 0 */
    const char *args; /* types and places, as in <sdt/format.h>; "" if there are none. A tab at the
                         end says that the file also has names of the arguments */
    const char *file; /* of the source, as the compiler was given it; "" if unknown */
    unsigned line;    /* in it; 0 if unknown */
    const char *arg_names[12]; /* as sdt_arg_name() returns them; NULL past the last */
    const char *arg_types[12]; /* as sdt_arg_type() */
};

/*
 * Call VISIT for every site that matches PATTERN, in order of objects and addresses, until it
 * returns something other than 0. Returns that value, 0, or a negative error. VISIT runs under the
 * library's lock: it must return, and not call dlopen, dlclose, dlsym or dladdr; sdt_enable,
 * sdt_disable and sdt_foreach in it return -EDEADLK, and sdt_hits 0. A record that is itself
 * damaged is visited with empty names, whatever the pattern.
 */
int sdt_foreach(const char *pattern, int (*visit)(const struct sdt_probe_info *site, void *data),
                void *data);

/*
 * Executions counted so far by SDT_COUNT subscriptions, summed over the probes of which at least
 * one site matches PATTERN. Counting is per probe, exact, and never reset; the count is gone when
 * the library that the probe is in is unloaded. A child of fork continues from its parent's counts,
 * in memory of its own. A child of vfork counts in its parent's memory: a hit that coincides with
 * one in another thread may be lost. Also 0 on errors.
 */
uint64_t sdt_hits(const char *pattern);

/*
 * Let `sdt` and other tools of the same user attach to this process, from now on: list its probes,
 * count, record. The same as SDT_ATTACH=1; it starts a thread, which sleeps until a tool calls.
 * Returns 0, also if the process was attachable before; -EPERM: SDT_DISABLE_RUNTIME is set, or the
 * process is not dumpable or runs set-user-ID; or an error of memfd_create, mmap or pthread_create,
 * which later calls return as well: it is tried once.
 * Not to be called in constructors of libraries that may be unloaded.
 */
int sdt_attachable(void);

/*
 * The trace and the span that a thread works for, byte for byte as in OpenTelemetry's thread
 * context (OTEP 4947). `sdt record --context` keeps both ids with each event, and expressions call
 * them trace_id and span_id.
 */
struct sdt_trace_context {
    uint8_t trace_id[16]; /* as in a header `traceparent`: the highest byte first */
    uint8_t span_id[8];
    uint8_t valid; /* 1; anything else: not valid, perhaps because it is being changed */
    uint8_t flags;
    uint16_t attributes_size; /* of what follows, which is not read here */
};

/*
 * The contexts of threads are where thread-local variable *SLOT of each points to. SLOT is that of
 * the calling thread: so one call is enough, in any thread, and threads that start later have
 * theirs. Without it, the variable `otel_thread_ctx_v1` of the program or a library is used, if
 * there is one when something asks for ids. NULL: that one again; it is looked for now.
 *
 *     static __thread struct sdt_trace_context mine, *current;
 *
 *     sdt_context((const struct sdt_trace_context *const *)&current);      // once
 *     …                                                                    // for each request:
 *     current = NULL; fill(&mine); mine.valid = 1; current = &mine;
 *
 * A thread without a context has NULL there. Only the thread itself changes its variable and what
 * it points to, and a hit reads both in that thread, so there are no locks. A signal handler with
 * probes may come in between: while the ids change, the variable is NULL or `valid` is 0, and the
 * compiler keeps that order if the variable is volatile, or with atomic_signal_fence().
 * A pointer that leads nowhere is a thread without a context.
 *
 * SLOT must stay a variable as long as there are hits: its library is not closed. The last call
 * counts. Returns 0; -EINVAL: *SLOT is not thread-local, or of a library that was loaded later and
 * whose thread-local memory this library cannot find (with musl; compile that library with
 * -ftls-model=initial-exec). Not async-signal-safe.
 */
int sdt_context(const struct sdt_trace_context *const *slot);

/* ---- Inside handlers: what happened. Async-signal-safe. ---- */

/* How many arguments the probe has, 0..12. */
unsigned sdt_nargs(const struct sdt_event *event);
/*
 * Argument INDEX (from 0) as a 64-bit word, sign- or zero-extended by its declared type; a float or
 * double as the bits of the double. 0 past the last argument. At an inline site (the default) and
 * at a probe of <sys/sdt.h> the argument is fetched now, from the location in the site's
 * descriptor; 0 if it is in memory that cannot be read. The exception: at an inline site, an
 * argument `p->field` may be an ordinary load, which is 0 if p is null, and faults if p is
 * otherwise invalid.
 */
uint64_t sdt_arg(const struct sdt_event *event, unsigned index);
/*
 * The first arguments, as sdt_arg() returns them, in one call: at most N, or all if there are
 * fewer. Returns how many were stored in WORDS; the rest of WORDS is not changed. For all arguments
 * of a probe, `uint64_t words[12]` and N = 12 always suffice.
 */
unsigned sdt_args(const struct sdt_event *event, uint64_t *words, unsigned n);
#if defined(__has_feature)
#if __has_feature(memory_sanitizer) /* it does not see what the library writes */
extern void __msan_unpoison(const volatile void *memory, size_t n);
static __inline__ unsigned sdt_args_told_(const struct sdt_event *event, uint64_t *words,
                                          unsigned n)
{
    unsigned stored = sdt_args(event, words, n);
    __msan_unpoison(words, stored * sizeof *words);
    return stored;
}
#define sdt_args(event, words, n) sdt_args_told_(event, words, n)
#endif
#endif
/* Argument INDEX as a double; an integer is converted by its signedness. 0 past the last. */
double sdt_arg_double(const struct sdt_event *event, unsigned index);
/*
 * If sdt_arg_type() is "string_view", the argument is the address of this: text that need not end
 * with a NUL. Valid during the handler's call only.
 */
struct sdt_text {
    const char *text;
    size_t length;
};
/*
 * The name of argument INDEX, a C identifier, and its meaning: "int32", "uint8", "hex64",
 * "bool", "pointer", "float", "double", "string", "string_view" (struct sdt_text), "bytes",
 * "int32[]" and so on (an array), "length" (of the bytes, text or array before it), "element" (of
 * the array before the length: has no value), or "duration_s", "duration_ms", "duration_us",
 * "duration_ns". The name is arg0, arg1, ... if the site has no names. "" past the last. The
 * strings live as long as the object that the site is in.
 */
const char *sdt_arg_name(const struct sdt_event *event, unsigned index);
const char *sdt_arg_type(const struct sdt_event *event, unsigned index);
/* The C identifiers; "" if unknown. They live as long as the object that the site is in. */
const char *sdt_provider(const struct sdt_event *event);
const char *sdt_name(const struct sdt_event *event);
const char *sdt_function(const struct sdt_event *event);
const char *sdt_module(const struct sdt_event *event);
/* The first byte of the site: the same address for every execution of it. */
const void *sdt_pc(const struct sdt_event *event);

/* ---- Words. ---- */

/* A sentence for an error of this library (either sign). Static; never NULL. */
const char *sdt_strerror(int error);
/* The library's version, as "0.1.0". Static. */
const char *sdt_version(void);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
