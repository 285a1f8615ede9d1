/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/kernel.h> -- watch the probes of a kernel, or of a program without an operating system, from
 * inside it.
 *
 * Objects that went through `sdtlink --freestanding` have their probes off. The freestanding
 * runtime, libsdt-freestanding.a or its sources, switches them on and off. It is made of libsdt's
 * own sources, needs no C library, and has the functions of <sdt/runtime.h> that are named below.
 * Everything that only a kernel can do it asks of the kernel, by the functions sdt_kernel_…() that
 * you define. There are fourteen:
 *
 *     when a probe is hit          sdt_kernel_enter, sdt_kernel_leave, sdt_kernel_read
 *     when sites are changed       sdt_kernel_lock, sdt_kernel_unlock, sdt_kernel_lock_text,
 *                                  sdt_kernel_unlock_text, sdt_kernel_write,
 *                                  sdt_kernel_synchronise, sdt_kernel_wait
 *     memory, and the rest         sdt_kernel_allocate, sdt_kernel_free, sdt_kernel_cpus,
 *                                  sdt_kernel_refused
 *
 * Also memcpy, memmove, memset and memcmp, which compilers ask for.
 *
 *   At start-up, and when a module is loaded or goes:
 *
 *       static struct sdt_range ranges[] = {
 *           {(uintptr_t)_stext, (uintptr_t)_etext, SDT_RANGE_TEXT},
 *           {(uintptr_t)_sdata, (uintptr_t)_end, SDT_RANGE_DATA},
 *           {(uintptr_t)__start_rodata, (uintptr_t)__end_rodata, 0},
 *       };
 *       static struct sdt_kernel_module vmlinux = {
 *           .name = "vmlinux", .sites_begin = __start_sdt_sites, .sites_end = __stop_sdt_sites,
 *           .ranges = ranges, .range_count = 3,
 *       };
 *       sdt_add(&vmlinux);
 *
 *   Then, from a thread that may sleep:
 *
 *       int id = sdt_enable("sched:switch", on_switch, NULL);
 *       ...
 *       sdt_disable(id);
 *
 * FUNCTIONS of <sdt/runtime.h> that are there: sdt_enable, sdt_enable_mode, sdt_disable,
 * sdt_foreach, sdt_hits; and in handlers sdt_nargs, sdt_arg, sdt_args, sdt_arg_name, sdt_arg_type,
 * sdt_provider, sdt_name, sdt_function, sdt_module, sdt_pc. What that header says of them holds,
 * with these differences:
 *   - All but those for handlers may be called only where sdt_kernel_lock() may be, never in a
 *     handler.
 *   - A subscription of no site is an error unless SDT_PENDING is given; it stays in force for
 *     modules that are added later. So `sdt_enable_mode(…, SDT_PENDING)` before the first sdt_add()
 *     has the first initcall's probes armed.
 *   - SDT_MODE_TRAP arms by breakpoints, for which the kernel's handler calls sdt_breakpoint().
 *     SDT_MODE_AUTO never does: every kind of a freestanding site can be armed by a jump.
 *   - No floating point: there is no sdt_arg_double(), and sdt_arg() of a float or double in a
 *     vector register is 0.
 *
 * HANDLERS run where the probe was hit: perhaps with interrupts off, in an interrupt, in one that
 * cannot be masked. They may do there what that place allows, and must not sleep. A probe that is
 * hit in a handler is counted, and calls no handlers; whether one in an interrupt of a handler
 * does, says sdt_kernel_enter().
 *
 * ERRORS are negative numbers of Linux, as in <sdt/runtime.h>: -ENOMEM is -12, whatever the kernel
 * calls it. The functions that you define return them too.
 */
#ifndef SDT_KERNEL_H
#define SDT_KERNEL_H

#include <sdt/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

struct sdt_site;

/* ---- What a kernel calls. ---- */

/* A part of the address space that a module's records may lead to. */
struct sdt_range {
    uintptr_t begin, end; /* not included */
    unsigned kind;        /* SDT_RANGE_…, or 0: read-only data */
};
#define SDT_RANGE_TEXT 1u /* sites, and what they lead to, are in such parts only */
#define SDT_RANGE_DATA 2u /* it is writable: .bss has the probes */

/*
 * The kernel itself, or a module of it. The caller's; it and all that it names must stay as it is
 * until sdt_remove() has returned. Zero what is not set here.
 */
struct sdt_kernel_module {
    const char *name; /* the module of its probes, as in patterns */
    /* The section sdt_sites: its bounds as the linker or the section's header says. */
    const struct sdt_site *sites_begin, *sites_end;
    const struct sdt_range *ranges;
    size_t range_count;
    void *runtime; /* the runtime's own */
};

/*
 * The probes of MODULE have come: check each record against the ranges and the bytes of the text,
 * and arm what subscriptions in force want. A record that is wrong disables its own site, of which
 * sdt_kernel_refused() is told. No thread may be in MODULE's text for the first time meanwhile, or
 * it may miss what was enabled before.
 *
 * 0; -ENOMEM; -EILSEQ: the bounds are not those of records. On an error the module's probes stay
 * off, and sdt_remove() need not be called.
 */
int sdt_add(struct sdt_kernel_module *module);

/*
 * MODULE goes: disarm its sites, wait until no handler runs for one of them, and forget it. Its
 * text must still be there. That no thread is in that text any more when it is freed, is the
 * kernel's business, as always; what sites lead to is a part of it. Does nothing if MODULE was not
 * added. Only where sdt_kernel_lock() returns 0: else MODULE stays known, and its text must not go.
 */
void sdt_remove(struct sdt_kernel_module *module);

/*
 * The text from BEGIN to END of MODULE is about to be freed, as that of initcalls is: disarm its
 * sites, and never write to them again. Only where sdt_kernel_lock() returns 0.
 */
void sdt_forget(struct sdt_kernel_module *module, const void *begin, const void *end);

/* How a thread goes on that came to a breakpoint. */
enum sdt_resume_how {
    SDT_RESUME_FOREIGN, /* the breakpoint is not ours */
    SDT_RESUME_AT,      /* at `pc` */
    SDT_RESUME_CALL,    /* at `pc`, as if called: it returns to `link` */
    SDT_RESUME_JUMP,    /* at `pc`, with `patch` in the register of <sdt/format.h>, SDT_STUB_AT:
                           %r11, x11 or t2 */
    SDT_RESUME_RETURN   /* as after the return instruction of a function */
};
struct sdt_resume {
    enum sdt_resume_how how;
    uintptr_t pc, link, patch;
};

/*
 * A breakpoint at ADDRESS, its first byte, has trapped. To be called by the kernel's handler
 * between sdt_kernel_enter() and sdt_kernel_leave(); takes no lock.
 */
struct sdt_resume sdt_breakpoint(uintptr_t address);

/* ---- What a kernel defines. None of it may hit a probe. ---- */

/*
 * One for each processor, or one for each processor and level of interruption (threads, interrupts,
 * those that cannot be masked). With the second, an interrupt that comes during a handler has
 * handlers of its own; with the first, its hits are only counted. The kernel's; zeroed at first.
 */
struct sdt_context {
    unsigned cpu;         /* set by the kernel: from 0, below sdt_kernel_cpus() */
    unsigned in_handlers; /* the runtime's own */
};

/*
 * A hit begins, in any context. Have the thread stay on its processor, and be seen by
 * sdt_kernel_wait(), until sdt_kernel_leave(). Returns the context of this processor (and level);
 * or NULL: nothing can be done here, and the hit is lost. They nest: an interrupt may come in
 * between, and a handler may hit a probe.
 */
struct sdt_context *sdt_kernel_enter(void);
void sdt_kernel_leave(struct sdt_context *context);

/*
 * Copy N bytes (1 to 8) at ADDRESS, which may be no address at all, to TO. 0 or -EFAULT. In a hit:
 * it must not sleep.
 */
int sdt_kernel_read(void *to, uintptr_t address, size_t n);

/*
 * The one lock of the runtime. Threads hold it while they allocate, write to text and wait for
 * other processors; so it is one that sleeps. 0; or a negative error, which the called function
 * returns: -EDEADLK where the thread has it already, as in a handler that was hit under it or a
 * visitor of sdt_foreach(); -EPERM where a thread may not sleep.
 */
int sdt_kernel_lock(void);
void sdt_kernel_unlock(void);

/*
 * Between the two, nobody changes text but by sdt_kernel_write(): hold what the kernel's other
 * writers hold (Linux: text_mutex, as kprobes, ftrace and jump labels do). Sites are looked at and
 * written in between. What another writer has put over one is left alone, and the site has the
 * error -EILSEQ. Empty where there are no others. Locked, and may sleep.
 */
void sdt_kernel_lock_text(void);
void sdt_kernel_unlock_text(void);

/*
 * Write N bytes (1 on x86-64, 4 on aarch64, 2 on riscv64) to the text at ADDRESS, which is aligned
 * for them, by one store: a processor that executes them meanwhile sees the old ones or the new
 * ones. Flush caches of instructions where the machine has them apart. 0 or a negative error, which
 * is that of the site. Locked, and so is the text.
 *
 * On x86-64, a byte inside an instruction changes (docs/decisions/0055). Who follows Intel's manual
 * to the letter writes int3 over the instruction's first byte, synchronises, writes the byte,
 * synchronises, and restores the first byte; its handler of int3 retries at that address.
 */
int sdt_kernel_write(void *address, const void *bytes, size_t n);

/* Return when every processor has executed a serialising instruction, and so sees the text as it is
 * now. Locked; the text too, or not. */
void sdt_kernel_synchronise(void);

/* Return when every hit that had begun (sdt_kernel_enter) has ended. Not locked. */
void sdt_kernel_wait(void);

/* SIZE bytes, aligned to ALIGNMENT, a power of two up to 4096; or NULL. Not in hits; locked or not.
 * sdt_kernel_free() takes NULL. */
void *sdt_kernel_allocate(size_t size, size_t alignment);
void sdt_kernel_free(void *memory);

/* How many processors there can be, at least 1; always the same number. */
unsigned sdt_kernel_cpus(void);

/*
 * The site at PC of MODULE is never armed, for its record is wrong: ERROR is -EILSEQ. PROBE is its
 * name, as `provider:name`, or "". Locked: print it, and return.
 */
void sdt_kernel_refused(const struct sdt_kernel_module *module, const char *probe, const void *pc,
                        int error);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
