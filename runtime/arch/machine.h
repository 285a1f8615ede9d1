/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the runtime needs from its machine, under neutral names. Each architecture's folder defines
 * all of this, and CMake chooses the folder: a process has one architecture, so no pointers are
 * needed. Hits do not call these functions: what hits need is inline, in headers of the same
 * folder, <machine/…>, and in assembly.
 *
 *     <machine/clock.h>      the counter that tells the time
 *     <machine/elf.h>        what files of this machine say of themselves
 *     <machine/context.h>    registers of a thread that a signal has interrupted
 *     <machine/flush.h>      what must follow a write to the text
 *     <machine/frame.h>      what the walk of a stack must know
 *     <machine/layout.h>     places in structures that assembly knows; asserted beside them
 *     <machine/percpu.h>     adding to words of a CPU
 *     <machine/registers.h>  struct registers, as entries save it
 *     <machine/site.h>       the bytes that arming writes
 *     <machine/thread.h>     the thread pointer
 *     <machine/valgrind.h>   how to tell valgrind something
 */
#ifndef SDT_ARCH_MACHINE_H
#define SDT_ARCH_MACHINE_H

#include <arch/arch.h>
#include <machine/site.h>

/* Must be before the first site with an entry is armed. Locked. */
void machine_prepare(void);

/* ---- Sites (arch.h). ---- */

/* The row of KIND, or NULL if KIND is no kind of this format. */
const struct sdt_form *machine_form(unsigned kind);
/* What SITE (form->length bytes) is doing. For a jcc, SITE is the first byte of its loader. */
enum sdt_state machine_state(unsigned kind, const uint8_t *site);
/* Write the disabled form of KIND to SITE, which holds the site as compiled. */
void machine_encode_off(unsigned kind, uint8_t *site);
/* What the word at `trap` of a site of FORM is when the site is off. */
site_word machine_off_word(const struct sdt_form *form);

/* What kind of site the NOP of a note is, CODE, which is loaded at ADDRESS; 0: that is no NOP. */
#define MACHINE_NOTE_BYTES 128 /* as many of CODE are read, if the text has them */
unsigned machine_note_kind(uintptr_t address, const uint8_t *code, size_t size);

/* ---- Code that leads to a probe (<sdt/format.h>); the caller has seen that it is there. ---- */

bool machine_is_stub(const uint8_t *stub, uintptr_t probe);
bool machine_is_loader(const uint8_t *loader, uintptr_t patch, uintptr_t stub);
bool machine_is_entry(const uint8_t *code, const struct sdt_entry *entry);
/* Write ENTRY, which will be at ADDRESS, to CODE. All it names must be in reach. */
void machine_make_entry(uint8_t *code, uintptr_t address, const struct sdt_entry *entry);
/* Where the branch of a site leads that has its displacement at FIELD; 0: that cannot be seen. */
uintptr_t machine_kept_target(const uint8_t *field);

/* Whether PC is a call, or a jump, as it was compiled, and where that leads. */
bool machine_is_branch(const uint8_t *pc);
uintptr_t machine_branch_target(const uint8_t *pc);

/*
 * Companions lead a branch of the program to the site that stands for it: in SITE_REAIM_STEPS, and
 * after each of them all threads must have seen it. A word to write: how far from the branch's
 * first byte, and from what to what.
 */
struct machine_edit {
    size_t at;
    site_word was, value;
};
/* Where the branch at PLACE (SITE_REAIM_BRANCH bytes) leads; 0: it is no such branch. */
uintptr_t machine_companion_branch(const uint8_t *place);
/* The edits of STEP that lead it to TARGET: how many; 0: it does not reach that. */
size_t machine_reaim(const uint8_t *place, uintptr_t target, unsigned step,
                     struct machine_edit edits[SITE_REAIM_MOST]);

/* ---- Thunk windows: where a site goes when its patch byte becomes a call. ---- */

/* Every value of a form's `mm` byte, in the order in which they are to be tried; how many. */
const uint8_t *machine_mms(size_t *n);
/* How far a site's thunk is from its patch byte when the site holds MM. */
int64_t machine_thunk_distance(uint8_t mm);
/* A thunk for ADDRESS, or a branch of a form that gets one: it is in reach of TARGET. */
void machine_encode_thunk(uint64_t address, uint64_t target, uint8_t thunk[SITE_THUNK]);
/* Whether a distance at FIELD reaches TARGET. */
bool machine_can_reach(uint64_t field, uint64_t target);

/* ---- Breakpoints. ---- */

/* Whether what is at ADDRESS can be what a breakpoint of ours, taken out, leaves. */
bool machine_is_disarmed(uintptr_t address);
/* Where a thread goes on that was stopped by a breakpoint at ADDRESS which is gone: there, or after
 * what is there now, if the CPU may still have the breakpoint instead. */
uintptr_t machine_retry(uintptr_t address);
/* Where the function at PLACE, which does nothing, returns, with padding after; 0: it does more,
 * or another function follows. */
uintptr_t machine_empty_return(uintptr_t place);

/* ---- Foreign calls, to be redirected. ---- */

/* The calls of, and jumps to, the function at PLACE among the instructions from BEGIN to END: how
 * many; the first MAX become CALLS. 0 if it is unknown at which bytes instructions begin, or if one
 * of the calls cannot be redirected. */
size_t machine_find_calls(uintptr_t place, uintptr_t begin, uintptr_t end, uintptr_t *calls,
                          size_t max);
/* What leads CALL to TARGET, which it reaches, instead; a breakpoint if SITE_TRAPS_CALLS. */
site_word machine_redirected(uintptr_t call, uintptr_t target);
/* Write a jump to TARGET, a function wherever it is, to CODE. */
void machine_make_far_jump(uint8_t code[SITE_FAR_JUMP], uintptr_t target);

#endif
