/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/probe.h> -- static probes for C and C++ programs.
 *
 *     #include <sdt/probe.h>
 *
 *     int db_get(struct db *db, const char *key, size_t length)
 *     {
 *         SDT_PROBE(mydb, get__start, db, key, length);
 *         ...
 *         SDT_PROBE_LAZY(mydb, get__done, db, status, expensive_checksum(db));
 *         return status;
 *     }
 *
 * SDT_PROBE(provider, name, arg...) is a statement that marks a place in the code and passes
 * arguments to handlers and tracers. It does nothing until the running program, or a tracer, turns
 * the probe `provider:name` on. The same probe may be at any number of places; each is a site. For
 * people, `__` in either part is shown as `-`: mydb:get-start.
 *
 *   provider, name  C identifiers. A provider neither contains `___` nor ends in `_`; a name does
 *                   not contain `___`. Both are macro-expanded first, like any macro argument, so
 *                   `#define PROVIDER mydb` works; for the same reason a probe cannot have the name
 *                   of a macro (`errno`; `linux` and `unix` in the gnu dialects).
 *   arg...          0 to 12 scalars: integers of 1 to 8 bytes (also char, bool, enums and
 *                   bit-fields), pointers (also arrays and functions, which decay), float and
 *                   double; in C++ some objects (below). const, volatile and references do not
 *                   matter. Each is evaluated exactly once, in unspecified order. Size, signedness
 *                   and whether it is a pointer or a floating-point number are recorded, so that a
 *                   consumer sees the value in the source. They are evaluated also while the probe
 *                   is off: in `db->file->name` both pointers must be valid.
 *
 *
 * What arguments are called. `sdtlink list`, recordings and sdt_arg_name() show names from the
 * source: `conn->path` is path, `ops[i].len` is len, `strlen(s)` is strlen, `(int)x` is x. Anything
 * but a path, call or variable, such as `a + b`, is arg0, arg1, ... by its position; a second `n`
 * is n_2. The meaning follows from the type: char * is text that ends with a NUL, bool is bool,
 * other pointers are addresses (also unsigned char *, which usually points to bytes of unknown
 * length). Where that is wrong:
 *
 *   SDT_NAMED("size", x)  x is called size; x may be one of the following
 *   SDT_HEX(x)            an integer to be shown in base 16
 *   SDT_PTR(x)            an address, also of a char
 *   SDT_STR(x)            the address of text that ends with a NUL, whatever its type
 *   SDT_BYTES(p, n)       n bytes at p; counts as two arguments
 *   SDT_ARRAY(p, n)       n numbers at p, of the type that p points to; three arguments
 *   SDT_TEXT(p, n)        text of n bytes at p, likewise
 *
 *     SDT_PROBE(net, send, SDT_NAMED("fd", s->sock.handle), SDT_BYTES(buffer, length));
 *
 * Accepted C++ objects: std::string and other classes with c_str(), as text up to the first NUL;
 * std::string_view; std::chrono durations, with their unit if that is s, ms, us or ns. Scoped
 * enumerations are integers. A string_view is passed as the address of a struct sdt_text
 * (<sdt/runtime.h>) on the stack, which takes three instructions while the probe is off:
 * SDT_TEXT(v.data(), v.size()) takes none.
 *
 * SDT_ENUM_NAMES(provider, name, arg, {VALUE, "text"}, ...), at file scope, names the values of the
 * integer argument called arg: recordings, `sdt report` and `sdtlink list` show them. See
 * <sdt/enum.h>.
 *
 * SDT_PROBE_LAZY(provider, name, arg...) is the same statement, but its arguments are evaluated
 * only if SDT_PROBE_ENABLED is true: for arguments that are expensive to compute, or may be NULL.
 * While the probe is off it is a mov, a test and a branch. External tracers see it only with
 * SDT_SEMAPHORES, or while sdt_enable() also has the probe on.
 *
 * SDT_PROBE_ENABLED(provider, name) is an int expression: not 0 while sdt_enable() has the probe
 * on, and with SDT_SEMAPHORES also while an external tracer is attached. Use it around work that is
 * only done for arguments. It must be inside a function (not in the initialiser of a global).
 *
 * SDT_NO_FUNCTION, before a function's declaration, says that `sdtlink --functions` makes no probes
 * of its entry and its return; SDT_FUNCTION, that it makes them, whatever is chosen. (Not with
 * SDT_STANDALONE.)
 *
 * How to build. This header needs no library. Compile as usual, then run the object, or the result
 * of `ld -r`, through sdtlink before the final link:
 *
 *     cc -c db.c
 *     sdtlink -o db.o db.o
 *     cc db.o -o db [-lsdt]
 *
 * A forgotten object fails to link: `undefined reference to
 * __dtrace_sdtasm_run_sdtlink___mydb___get`. libsdt (<sdt/runtime.h>) turns probes on from inside
 * the process; without it they stay off.
 *
 * Supported: gcc and clang for x86-64, little-endian aarch64 and riscv64 (RV64GC with lp64d, or
 * RV64IMAC with lp64, as kernels are compiled), with 64-bit pointers and ELF; and i386 (-m32,
 * Pentium Pro and later), always as with SDT_STANDALONE. The preprocessor can test SDT_HAS_PROBES:
 * it is 1 where the macros make probes, and 0 where they leave nothing.
 *
 * Define before the first #include, or on the command line:
 *
 *   SDT_DISABLE     no probes: the macros leave nothing in the object. The arguments must still
 *                   compile, and count as used (no warning about an unused variable), but are not
 *                   evaluated. SDT_PROBE_ENABLED is 0. Works with every compiler and machine.
 *   SDT_REQUIRE_SUPPORTED
 *                   an error on a machine without probes. Without it, the macros leave nothing in
 *                   the object there, as with SDT_DISABLE; but arguments and names are checked as
 *                   elsewhere.
 *   SDT_STANDALONE  sites that link without sdtlink: NOPs, each with a note for tracers. sdtlink
 *                   makes them live; if it was forgotten, they stay as tracers see them. Then
 *                   SDT_PROBE_ENABLED is a load, a test and a branch, and true also while an
 *                   external tracer is attached. sdt.h is this header with it, in one file.
 *                   SDT_CALL_SITES has no effect then.
 *   SDT_CALL_SITES  compile probes as calls, not as inline sites: for companion mode, which leaves
 *                   the object as it is, and for -masm=intel. Older compilers do so in any case.
 *   SDT_NO_MEMORY_CLOBBER
 *                   the compiler may delay stores, and keep values in registers, across a probe:
 *                   see "Memory" below. No effect with SDT_CALL_SITES.
 *   SDT_NO_NAMES    omit the spelling of arguments, file and line: arguments are arg0, ...
 *   SDT_SEMAPHORES  SDT_PROBE_ENABLED is true also while an external tracer is attached: each probe
 *                   has a semaphore, which tracers increment. Each SDT_PROBE_ENABLED costs one more
 *                   load and branch. Define it in all files that use the probe, or in none: tracers
 *                   expect the same of all its sites.
 *
 * N.B. What a probe that is off costs. Two NOPs (on aarch64 one, on riscv64 an auipc, which changes
 * t1, and a NOP); the arguments stay where the compiler has them: in registers, in memory, or
 * nowhere if constant. Other values cost what it takes to compute them: a global variable or an
 * array's element a load; a field a load with clang, and none with gcc, if it is among the first
 * arguments (of up to five the first four, of six three, of twelve none); a floating-point value a
 * move to a general register; an expression its computation. Put more expensive arguments under
 * SDT_PROBE_ENABLED, which is a mov, a test and a branch, and loads nothing from memory. Nothing is
 * spilled, and a leaf function stays one.
 *
 * N.B. With SDT_CALL_SITES the call is also a NOP, but the arguments are moved to where a call
 * needs them: about one instruction each, plus two words of stack traffic for each after the sixth.
 * And the compiler treats it as a call: values in caller-saved registers, above all floating-point
 * values in a loop, are spilled around it, and a leaf function gets a frame.
 *
 * N.B. Memory. A handler sees all stores that precede the probe in the source, and its own stores
 * are seen after the probe: the compiler assumes that each probe reads and writes all memory. This
 * costs nothing in nearly all functions (docs/benchmarks.md). Where it does, SDT_NO_MEMORY_CLOBBER
 * limits it, for a file, to what the arguments point to, which handlers may then only read: a
 * `static int hits` that a handler increments in the same file may be read as 0 forever. Variables
 * that the compiler keeps in registers are visible to handlers only as arguments.
 *
 * N.B. SDT_PROBE_ENABLED and the probe are evaluated one after the other. Another thread may turn
 * the probe on or off between them: a probe under a true SDT_PROBE_ENABLED may be off already, and
 * the first executions after an enable may be skipped. Nothing else may depend on the result.
 *
 * N.B. The compiler may copy a probe (inlining, unrolling, templates) or remove one that cannot be
 * reached. Each copy is a site, and all sites of a probe are turned on together.
 *
 * N.B. A pointer is passed unchanged; its target is read by the consumer, if at all, while the
 * probe runs. A float arrives as the double of the same value.
 *
 * N.B. Dialects: C99 and later, C++98 and later, and the gnu forms, with gcc >= 9 and clang >= 11,
 * without a warning under -Wall -Wextra -Wpedantic and more. Variadic macros are not in C89 and
 * C++98; gcc and clang have them nevertheless, and this header declares itself a system header
 * (below), so that -Wpedantic does not warn. With -Wsystem-headers, add -Wno-variadic-macros. Not
 * with -mcmodel=large.
 *
 * N.B. Two gaps, both in C++ with SDT_CALL_SITES. g++ -std=c++98 warns about a probe in an unnamed
 * namespace ("used but never defined"); the probe works, but sdtlink refuses one in a template
 * there. clang ignores that a declaration in a template or an unnamed namespace is hidden: with
 * -fno-plt it uses the GOT there, in forms that sdtlink may refuse; use -fplt.
 *
 * N.B. Misuse does not compile: more than 12 arguments, a struct, union, long double, complex or
 * 128-bit argument, names that are not identifiers. With gcc in C++98 the messages about names come
 * from code generation, so -fsyntax-only does not show them.
 */
#ifndef SDT_PROBE_H
#define SDT_PROBE_H

/*
 * What follows is internal: names that end in `_` may change.
 *
 * Why a system header. The macros need extensions, a declaration inside a block and casts; the
 * pragma keeps -Wvariadic-macros, -Wnested-externs, -Wold-style-cast, -Wuseless-cast and similar
 * warnings from reporting tokens of this file. A user's argument keeps its own location, and its
 * own warnings.
 */
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#if !defined(SDT_STANDALONE)
#if defined(__clang__)
#define SDT_NO_FUNCTION __attribute__((no_instrument_function, xray_never_instrument))
#elif defined(__GNUC__)
#define SDT_NO_FUNCTION __attribute__((no_instrument_function))
#else
#define SDT_NO_FUNCTION
#endif
/* SDT_FUNCTIONS: the compiler is to mark functions. gcc marks one by a NOP more, and its place. */
#if !defined(SDT_FUNCTIONS)
#define SDT_FUNCTION
#elif defined(__clang__) && !defined(__riscv)
#define SDT_FUNCTION __attribute__((noinline, xray_always_instrument))
#else
#define SDT_FUNCTION __attribute__((noinline, patchable_function_entry(1)))
#endif
#endif

#if defined(SDT_DISABLE)
#define SDT_HAS_PROBES 0
#elif defined(__GNUC__) && defined(__ELF__) && defined(__x86_64__) && defined(__LP64__)
#define SDT_HAS_PROBES 1
#if defined(__code_model_large__)
#error "<sdt/probe.h> cannot be compiled with -mcmodel=large; use -DSDT_DISABLE for this file"
#endif
#elif defined(__GNUC__) && defined(__ELF__) && defined(__AARCH64EL__) && defined(__LP64__)
#define SDT_HAS_PROBES 1
#elif defined(__GNUC__) && defined(__ELF__) && defined(__riscv) && defined(__LP64__) &&            \
    defined(__riscv_compressed) &&                                                                 \
    (defined(__riscv_float_abi_double) || defined(__riscv_float_abi_soft))
#define SDT_HAS_PROBES 1
#elif defined(__GNUC__) && defined(__ELF__) && defined(__i386__) && !defined(__KERNEL__)
#define SDT_HAS_PROBES 1
#if !defined(SDT_STANDALONE)
#define SDT_STANDALONE 1 /* there is no runtime yet that would make other sites live */
#endif
#elif defined(SDT_REQUIRE_SUPPORTED)
#error "SDT_REQUIRE_SUPPORTED: <sdt/probe.h> supports x86-64, aarch64, riscv64gc, i386; ELF"
#else
#define SDT_HAS_PROBES 0
#endif

#define SDT_PROBE(provider, ...) SDT_SPELLED_(#__VA_ARGS__, provider, __VA_ARGS__)
#define SDT_PROBE_ENABLED(provider, name) SDT_ENABLED_(provider, name)
#define SDT_PROBE_LAZY(provider, ...)                                                              \
    do {                                                                                           \
        if (SDT_ENABLED_(provider, SDT_FIRST_(__VA_ARGS__, ~)))                                    \
            SDT_SPELLED_(#__VA_ARGS__, provider, __VA_ARGS__);                                     \
    } while (0)
#define SDT_SPELLED_(text, provider, ...)                                                          \
    SDT_PROBE_(SDT_COUNT_(__VA_ARGS__), text, provider, SDT_FIRST_(__VA_ARGS__, ~), __VA_ARGS__)

/* What an argument is called, and what it means. sdtlink reads these words in the spelling. */
#define SDT_NAMED(name, ...) SDT_NAMED_(SDT_COUNT_(name, __VA_ARGS__), name, __VA_ARGS__)
#define SDT_NAMED_(count, ...) SDT_NAMED_SO_(count, __VA_ARGS__)
#define SDT_NAMED_SO_(count, ...) SDT_NAMED_##count##_(__VA_ARGS__)
#define SDT_NAMED_1_(name, x) ((void)"" name, (x))
#define SDT_NAMED_2_(name, x, length) SDT_NAMED_1_(name, x), length
#define SDT_NAMED_3_(name, x, length, element) SDT_NAMED_1_(name, x), length, element
#define SDT_HEX(x) ((void)sdt_means_x_, (x))
#define SDT_PTR(x) ((void)sdt_means_p_, (x))
#define SDT_STR(x) ((void)sdt_means_s_, (x))
#define SDT_BYTES(x, length) ((void)sdt_means_y_, (x)), ((void)sdt_means_n_, (length))
#define SDT_ARRAY(x, length)                                                                       \
    ((void)sdt_means_a_, (x)), ((void)sdt_means_n_, (length)),                                     \
        ((void)sdt_means_m_, (__typeof__(*(x)))0)
#define SDT_TEXT(x, length) ((void)sdt_means_t_, (x)), ((void)sdt_means_n_, (length))
enum {
    sdt_means_x_,
    sdt_means_p_,
    sdt_means_s_,
    sdt_means_y_,
    sdt_means_n_,
    sdt_means_t_,
    sdt_means_a_,
    sdt_means_m_
};

#include <sdt/enum.h>

/* One more macro level, so that # and ## below get the expanded arguments. */
#define SDT_PROBE_(...) SDT_SPREAD_(__VA_ARGS__)
#define SDT_ENABLED_(provider, name) SDT_ANSWER_(provider, name)

/* How many arguments follow the name, up to 12; 13 stands for any number from 13 to 30. */
#define SDT_COUNT_(...)                                                                            \
    SDT_PICK_(__VA_ARGS__, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, \
              12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~)
#define SDT_PICK_(n, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17,   \
                  a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, count, ...)     \
    count
#define SDT_FIRST_(name, ...) name

/*
 * m(0, a), m(1, b), ... for each argument. The lists begin with the probe's name, so that none is
 * ever empty; without arguments, the result is the macro m##none.
 */
#define SDT_EACH_(count, m, ...) SDT_EACH_##count##_(m, __VA_ARGS__)
#define SDT_EACH_0_(m, n) m##none
#define SDT_EACH_1_(m, n, a) m(0, a)
#define SDT_EACH_2_(m, n, a, b) m(0, a), m(1, b)
#define SDT_EACH_3_(m, n, a, b, c) m(0, a), m(1, b), m(2, c)
#define SDT_EACH_4_(m, n, a, b, c, d) m(0, a), m(1, b), m(2, c), m(3, d)
#define SDT_EACH_5_(m, n, a, b, c, d, e) m(0, a), m(1, b), m(2, c), m(3, d), m(4, e)
#define SDT_EACH_6_(m, n, a, b, c, d, e, f) m(0, a), m(1, b), m(2, c), m(3, d), m(4, e), m(5, f)
#define SDT_EACH_7_(m, n, a, b, c, d, e, f, g) SDT_EACH_6_(m, n, a, b, c, d, e, f), m(6, g)
#define SDT_EACH_8_(m, n, a, b, c, d, e, f, g, h)                                                  \
    SDT_EACH_6_(m, n, a, b, c, d, e, f), m(6, g), m(7, h)
#define SDT_EACH_9_(m, n, a, b, c, d, e, f, g, h, i)                                               \
    SDT_EACH_6_(m, n, a, b, c, d, e, f), m(6, g), m(7, h), m(8, i)
#define SDT_EACH_10_(m, n, a, b, c, d, e, f, g, h, i, j)                                           \
    SDT_EACH_6_(m, n, a, b, c, d, e, f), m(6, g), m(7, h), m(8, i), m(9, j)
#define SDT_EACH_11_(m, n, a, b, c, d, e, f, g, h, i, j, k)                                        \
    SDT_EACH_6_(m, n, a, b, c, d, e, f), m(6, g), m(7, h), m(8, i), m(9, j), m(10, k)
#define SDT_EACH_12_(m, n, a, b, c, d, e, f, g, h, i, j, k, l)                                     \
    SDT_EACH_6_(m, n, a, b, c, d, e, f), m(6, g), m(7, h), m(8, i), m(9, j), m(10, k), m(11, l)
#define SDT_EACH_13_(m, ...) m##none

/* The same without commas: m(0, a) m(1, b) ... */
#define SDT_NUMBERED_(count, m, ...) SDT_NUMBERED_##count##_(m, __VA_ARGS__)
#define SDT_NUMBERED_0_(m, n)
#define SDT_NUMBERED_1_(m, n, a) m(0, a)
#define SDT_NUMBERED_2_(m, n, a, b) m(0, a) m(1, b)
#define SDT_NUMBERED_3_(m, n, a, b, c) m(0, a) m(1, b) m(2, c)
#define SDT_NUMBERED_4_(m, n, a, b, c, d) m(0, a) m(1, b) m(2, c) m(3, d)
#define SDT_NUMBERED_5_(m, n, a, b, c, d, e) m(0, a) m(1, b) m(2, c) m(3, d) m(4, e)
#define SDT_NUMBERED_6_(m, n, a, b, c, d, e, f) m(0, a) m(1, b) m(2, c) m(3, d) m(4, e) m(5, f)
#define SDT_NUMBERED_7_(m, n, a, b, c, d, e, f, g) SDT_NUMBERED_6_(m, n, a, b, c, d, e, f) m(6, g)
#define SDT_NUMBERED_8_(m, n, a, b, c, d, e, f, g, h)                                              \
    SDT_NUMBERED_6_(m, n, a, b, c, d, e, f) m(6, g) m(7, h)
#define SDT_NUMBERED_9_(m, n, a, b, c, d, e, f, g, h, i)                                           \
    SDT_NUMBERED_6_(m, n, a, b, c, d, e, f) m(6, g) m(7, h) m(8, i)
#define SDT_NUMBERED_10_(m, n, a, b, c, d, e, f, g, h, i, j)                                       \
    SDT_NUMBERED_6_(m, n, a, b, c, d, e, f) m(6, g) m(7, h) m(8, i) m(9, j)
#define SDT_NUMBERED_11_(m, n, a, b, c, d, e, f, g, h, i, j, k)                                    \
    SDT_NUMBERED_6_(m, n, a, b, c, d, e, f) m(6, g) m(7, h) m(8, i) m(9, j) m(10, k)
#define SDT_NUMBERED_12_(m, n, a, b, c, d, e, f, g, h, i, j, k, l)                                 \
    SDT_NUMBERED_6_(m, n, a, b, c, d, e, f) m(6, g) m(7, h) m(8, i) m(9, j) m(10, k) m(11, l)
#define SDT_NUMBERED_13_(m, ...)

/* A 13th argument is one too many. */
#define SDT_LIMIT_(count) SDT_LIMIT_##count##_
#define SDT_LIMIT_0_
#define SDT_LIMIT_1_
#define SDT_LIMIT_2_
#define SDT_LIMIT_3_
#define SDT_LIMIT_4_
#define SDT_LIMIT_5_
#define SDT_LIMIT_6_
#define SDT_LIMIT_7_
#define SDT_LIMIT_8_
#define SDT_LIMIT_9_
#define SDT_LIMIT_10_
#define SDT_LIMIT_11_
#define SDT_LIMIT_12_
#if !defined(__cplusplus)
#define SDT_LIMIT_13_                                                                              \
    __extension__ _Static_assert(0, "SDT_PROBE takes at most 12 arguments after the name");
#elif __cplusplus >= 201103L
#define SDT_LIMIT_13_ static_assert(false, "SDT_PROBE takes at most 12 arguments after the name");
#else
#define SDT_LIMIT_13_                                                                              \
    (void)sizeof(struct { int SDT_PROBE_takes_at_most_12_arguments_after_the_name : -1; });
#endif

#if defined(__GNUC__) && !defined(SDT_DISABLE)
#include <sdt/names.h>
#include <sdt/values.h>
#endif
#if !SDT_HAS_PROBES
#include <sdt/nothing.h>
#else

#if !defined(SDT_STANDALONE)
/*
 * The symbol of a probe, which sdtlink takes out of the object. Where it was forgotten, the linker
 * prints the symbol as undefined; so it says what to do.
 */
#define SDT_REMEDY_ "run_sdtlink___"
#define SDT_ASKED_FAMILY_ "__dtrace_sdtenabled_" SDT_REMEDY_
#endif

/* For calls and inline sites: a unique name to declare the callee by, its symbol, the parts. */
#define SDT_SPREAD_(count, text, provider, name, ...)                                              \
    SDT_SITE_(count, text, sdt_call_##count##_##provider##___##name,                               \
              SDT_FAMILY_ #provider "___" #name, #provider, #name, __VA_ARGS__)
#define SDT_ANSWER_(provider, name)                                                                \
    SDT_ASK_(sdt_enabled_##provider##___##name, SDT_ASKED_FAMILY_ #provider "___" #name,           \
             #provider, #name)

#if defined(SDT_STANDALONE) ||                                                                     \
    (!defined(SDT_CALL_SITES) && (defined(__clang__) ? __clang_major__ >= 11 : __GNUC__ >= 9))
#define SDT_IS_INLINE_ /* <sdt/inline.h>, at the end of this file */
#else

/*
 * The site: a call, and an asm statement that keeps the call from becoming a jump and tells sdtlink
 * what the arguments were. The record is described in <sdt/format.h> (SDT_ARGS_CALL). Its section
 * is dropped by the final link (e) and a member of the code's COMDAT group, if there is one (?).
 * Compilers merge common code of two paths, gcc at their ends, clang also at their beginnings: then
 * one call would have two records, or two calls one. A unique number, in a comment before the call
 * and after it, makes any two sites differ at both ends.
 */
#include <sdt/counter.h>
#define SDT_FAMILY_ "__dtrace_sdt_" SDT_REMEDY_
#define SDT_SITE_(count, text, function, ...)                                                      \
    SDT_COUNTER_QUIET_ SDT_CALL_SITE_(count, text, SDT_APART_(function, __COUNTER__), __VA_ARGS__) \
        SDT_COUNTER_LOUD_

/* clang-format off */
#define SDT_CALL_SITE_(count, text, function, symbol, provider, name, ...)                         \
    do {                                                                                           \
        SDT_DIALECT_QUIET_                                                                         \
        SDT_NUMBERED_(count, SDT_PREPARE_, __VA_ARGS__)                                            \
        SDT_DECLARE_(void, function, (SDT_EACH_(count, SDT_PARAMETER_, __VA_ARGS__)), symbol)      \
        SDT_LIMIT_(count)                                                                          \
        SDT_CHECK_NAMES_(provider, name)                                                           \
        SDT_ASM_("/* site %c0 */" : : "i"(__COUNTER__));                                           \
        SDT_NUMBERED_(count, SDT_SET_, __VA_ARGS__)                                                \
        SDT_CALLEE_(call, function, symbol)(SDT_EACH_(count, SDT_WORD_, __VA_ARGS__));             \
        SDT_ASM_("991:\n" SDT_HAVE_COUNTER_(provider, name)                                        \
                 SDT_BIND_("4call", SDT_MANGLED_##count##_, symbol)                                \
                 SDT_ARGS_SECTION_                                                                 \
                 "\t.long 991b - . /* site %c[site] */\n"                                          \
                 "\t.byte " SDT_FORM_("1", "4") ", " SDT_TYPES_##count##_ "\n" SDT_SPELLING_       \
                 "\t.asciz \"" provider "\"\n"                                                     \
                 "\t.asciz \"" name "\"\n"                                                         \
                 "\t.popsection"                                                                   \
                 :                                                                                 \
                 : SDT_NUMBERED_(count, SDT_TYPED_, __VA_ARGS__)                                   \
                   SDT_SPELLING_OPERAND_(text) SDT_BIND_OPERANDS_(symbol),                         \
                   [site] "i"(__COUNTER__));                                                       \
        SDT_DIALECT_LOUD_                                                                          \
    } while (0)
/* clang-format on */

#define SDT_PARAMETER_(i, x) unsigned long
#define SDT_PARAMETER_none void
#define SDT_WORD_none
#define SDT_TYPED_(i, x) [t##i] "i"(SDT_TYPE_(i, x)),

/* A statement expression: without an asm after it, the call could become a jump (a tail call). */
#define SDT_ASK_(function, ...)                                                                    \
    SDT_COUNTER_QUIET_ SDT_CALL_ASK_(SDT_APART_(function, __COUNTER__), __VA_ARGS__)               \
        SDT_COUNTER_LOUD_
#define SDT_CALL_ASK_(function, symbol, provider, name)                                            \
    (__extension__({                                                                               \
        int sdt_answer_;                                                                           \
        SDT_DECLARE_(int, function, (void), symbol)                                                \
        SDT_CHECK_NAMES_(provider, name)                                                           \
        sdt_answer_ = SDT_CALLEE_(ask, function, symbol)();                                        \
        SDT_ASM_(SDT_BIND_("3ask", "EEEiv", symbol) : : SDT_BIND_OPERANDS_(symbol));               \
        SDT_OR_COUNTED_(__builtin_expect(sdt_answer_, 0) != 0, provider, name);                    \
    }))

#endif

/*
 * Where the site is in the source, and how its arguments are spelled there: a string literal, which
 * the entry in .sdt_args leads to. Not a part of the asm text, where `%`, `{` and `|` have meanings
 * of their own.
 */
#if defined(SDT_NO_NAMES) || defined(__i386__) /* in -fPIC no operand is an address there */
#define SDT_FORM_(unnamed, named) unnamed
#define SDT_SPELLING_
#define SDT_SPELLING_OPERAND_(text)
#else
#define SDT_FORM_(unnamed, named) named
#define SDT_SPELLING_ "\t.long " SDT_SPELLED_AT_ " - .\n"
#if defined(__riscv)
#define SDT_SPELLED_AT_ "%[spelled]" /* gcc has no %c there, and prints the same without */
#else
#define SDT_SPELLED_AT_ "%c[spelled]"
#endif
#define SDT_SPELLING_OPERAND_(text)                                                                \
    [spelled] SDT_SYMBOLIC_(__extension__(__FILE__ ":" SDT_LINE_(__LINE__) "\n" text)),
#define SDT_LINE_(line) SDT_LINE2_(line)
#define SDT_LINE2_(line) #line
#endif

/* Linux's build takes a section that is not loaded for a mistake, unless it is named so. */
#if defined(__KERNEL__)
#define SDT_ARGS_SECTION_ "\t.pushsection .discard.sdt_args, \"e?\", @progbits\n"
#else
#define SDT_ARGS_SECTION_ "\t.pushsection .sdt_args, \"e?\", @progbits\n"
#endif

/* The count, and the operands that hold the types of the arguments. */
#define SDT_TYPES_0_ "0"
#define SDT_TYPES_1_ "1, %c[t0]"
#define SDT_TYPES_2_ "2, %c[t0], %c[t1]"
#define SDT_TYPES_3_ "3, %c[t0], %c[t1], %c[t2]"
#define SDT_TYPES_4_ "4, %c[t0], %c[t1], %c[t2], %c[t3]"
#define SDT_TYPES_5_ "5, %c[t0], %c[t1], %c[t2], %c[t3], %c[t4]"
#define SDT_TYPES_6_ "6, %c[t0], %c[t1], %c[t2], %c[t3], %c[t4], %c[t5]"
#define SDT_TYPES_7_ "7, %c[t0], %c[t1], %c[t2], %c[t3], %c[t4], %c[t5], %c[t6]"
#define SDT_TYPES_8_ "8, %c[t0], %c[t1], %c[t2], %c[t3], %c[t4], %c[t5], %c[t6], %c[t7]"
#define SDT_TYPES_9_ "9, %c[t0], %c[t1], %c[t2], %c[t3], %c[t4], %c[t5], %c[t6], %c[t7], %c[t8]"
#define SDT_TYPES_10_                                                                              \
    "10, %c[t0], %c[t1], %c[t2], %c[t3], %c[t4], %c[t5], %c[t6], %c[t7], %c[t8], %c[t9]"
#define SDT_TYPES_11_                                                                              \
    "11, %c[t0], %c[t1], %c[t2], %c[t3], %c[t4], %c[t5], %c[t6], %c[t7], %c[t8], %c[t9], %c[t10]"
#define SDT_TYPES_12_                                                                              \
    "12, %c[t0], %c[t1], %c[t2], %c[t3], %c[t4], %c[t5], %c[t6], %c[t7], %c[t8], %c[t9], "         \
    "%c[t10], %c[t11]"
#define SDT_TYPES_13_ "0"

/* Per machine: the operand constraint for the address of an object, in position-independent code as
 * well; and the relocation type that does nothing but keep its target alive. */
#if defined(__aarch64__)
#define SDT_SYMBOLIC_ "S"
#define SDT_RELOCATION_NONE_ "R_AARCH64_NONE"
#elif defined(__riscv)
#define SDT_SYMBOLIC_ "i"
#define SDT_RELOCATION_NONE_ "R_RISCV_NONE"
#elif defined(__i386__)
#define SDT_RELOCATION_NONE_ "R_386_NONE"
#else
#define SDT_SYMBOLIC_ "i"
#define SDT_RELOCATION_NONE_ "R_X86_64_NONE"
#endif

/* `inline`: gcc takes each line for an instruction, and would not inline the function around it. */
#if defined(__clang__) ? __clang_major__ >= 11 : __GNUC__ >= 9
#define SDT_ASM_ __asm__ __volatile__ __inline
#else
#define SDT_ASM_ __asm__ __volatile__
#endif

#if !defined(SDT_STANDALONE)
/*
 * How a function gets the probe's symbol: by an asm label on a declaration in the block. In C, two
 * declarations of one function in one file must agree, and one probe may be used with several
 * argument lists; hence a function for each probe and count, all with the symbol of the probe. In
 * C++ it has the language linkage of the enclosing function, in which two in a file must also
 * agree; hence a function for each site.
 *
 * In an unnamed namespace of C++ such a declaration has internal linkage, and the compilers warn
 * that it is undefined; extern "C" is not allowed in a block. clang can be told not to warn. gcc
 * cannot, so there (from C++11 on) the callee is a function template with the symbol's hash as
 * arguments, and the asm statement equates its mangled name with the probe's symbol. The assembler
 * then writes relocations for the latter, and nothing of the former is left in the object.
 */
#if defined(__cplusplus)
#define SDT_APART_(function, number) SDT_APART2_(function, number)
#define SDT_APART2_(function, number) function##_##number
#else
#define SDT_APART_(function, number) function
#endif
#define SDT_HIDDEN_ __attribute__((__visibility__("hidden"), __nothrow__))
#if defined(__cplusplus) && __cplusplus >= 201103L && !defined(__clang__)
/* Computed once, and without the prefix (of a call; of a question's, a part): each character is one
 * more constexpr call. g++ 12 cannot read such an enumeration back from a compiled module. */
#if !defined(__cpp_modules)
#define SDT_DECLARE_(result, function, parameters, symbol)                                         \
    enum : unsigned long { sdt_hash_ = ::sdt_detail_::hash(symbol + 27) };
#define SDT_HASH_(symbol) sdt_hash_
#else
#define SDT_DECLARE_(result, function, parameters, symbol)
#define SDT_HASH_(symbol) ::sdt_detail_::hash(symbol + 27)
#endif
#define SDT_HIGH_(symbol) (SDT_HASH_(symbol) >> 33)
#define SDT_LOW_(symbol) (SDT_HASH_(symbol) & 0x7fffffff)
#define SDT_CALLEE_(family, function, symbol)                                                      \
    ::sdt_detail_::family<SDT_HIGH_(symbol), SDT_LOW_(symbol)>
#define SDT_BIND_(family, signature, symbol)                                                       \
    "\t.set _ZN11sdt_detail_" family "ILj%c[high]ELj%c[low]" signature ", " symbol "\n"            \
    "\t.hidden " symbol "\n"
#define SDT_BIND_OPERANDS_(symbol) [high] "i"(SDT_HIGH_(symbol)), [low] "i"(SDT_LOW_(symbol))
namespace sdt_detail_
{
constexpr unsigned long hash(const char *s, unsigned long h = 0xcbf29ce484222325ul)
{
    return *s == 0 ? h : hash(s + 1, (h ^ static_cast<unsigned char>(*s)) * 0x100000001b3ul);
}
template <unsigned High, unsigned Low, typename... Words> SDT_HIDDEN_ void call(Words...);
template <unsigned High, unsigned Low> SDT_HIDDEN_ int ask();
} // namespace sdt_detail_
  /* As the compiler mangles the pack Words: EJ, one m (unsigned long) a word, EEEvDpT1_. */
#define SDT_MANGLED_0_ "EJEEEvDpT1_"
#define SDT_MANGLED_1_ "EJmEEEvDpT1_"
#define SDT_MANGLED_2_ "EJmmEEEvDpT1_"
#define SDT_MANGLED_3_ "EJmmmEEEvDpT1_"
#define SDT_MANGLED_4_ "EJmmmmEEEvDpT1_"
#define SDT_MANGLED_5_ "EJmmmmmEEEvDpT1_"
#define SDT_MANGLED_6_ "EJmmmmmmEEEvDpT1_"
#define SDT_MANGLED_7_ "EJmmmmmmmEEEvDpT1_"
#define SDT_MANGLED_8_ "EJmmmmmmmmEEEvDpT1_"
#define SDT_MANGLED_9_ "EJmmmmmmmmmEEEvDpT1_"
#define SDT_MANGLED_10_ "EJmmmmmmmmmmEEEvDpT1_"
#define SDT_MANGLED_11_ "EJmmmmmmmmmmmEEEvDpT1_"
#define SDT_MANGLED_12_ "EJmmmmmmmmmmmmEEEvDpT1_"
#define SDT_MANGLED_13_ SDT_MANGLED_0_
#else
#define SDT_DECLARE_(result, function, parameters, symbol)                                         \
    SDT_QUIET_ extern result function parameters __asm__(symbol) SDT_HIDDEN_;                      \
    SDT_LOUD_
#define SDT_CALLEE_(family, function, symbol) function
#define SDT_BIND_(family, signature, symbol) "\t.hidden " symbol "\n"
#define SDT_BIND_OPERANDS_(symbol) "i"(0)
#if defined(__cplusplus) && defined(__clang__)
#define SDT_QUIET_                                                                                 \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wundefined-internal\"")
#define SDT_LOUD_ _Pragma("clang diagnostic pop")
#else
#define SDT_QUIET_
#define SDT_LOUD_
#endif
#endif
#endif

#include <sdt/semaphore.h>
#if defined(SDT_IS_INLINE_)
#include <sdt/inline.h>
#endif

#endif /* SDT_HAS_PROBES */

#endif
