/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of this kernel know of each other. Nothing of it is for probes but sdt.c. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum { CPUS = 2 };

/* ---- machine.c and start.S of each machine. ---- */

/* What an interruption found in the registers. The other members are the machine's own. */
struct frame;
uintptr_t *frame_pc(struct frame *frame);
uintptr_t *frame_link(struct frame *frame);  /* where a function returns to */
uintptr_t *frame_patch(struct frame *frame); /* the register of <sdt/format.h>, SDT_STUB_AT */

unsigned machine_cpu(void); /* that this runs on */
/* Have processor 1 run FUNCTION, which does not return. */
void machine_start_cpu(void (*function)(void));
void machine_put(char c);
_Noreturn void machine_off(void);

void machine_timer(unsigned hertz); /* of this processor; 0: off */
void machine_interrupt(unsigned cpu);
void machine_flush(const void *text, size_t size); /* this processor executes what was stored */
void machine_serialise(void); /* and so does this one what another has stored and flushed */
/* Copy a byte, from where there may be no memory: 0, or -1. */
int machine_read(void *to, uintptr_t from);

/* Calls of a machine.c, with interrupts off. */
void on_timer(void);
void on_interrupt(void);
int on_breakpoint(struct frame *frame); /* 0: it is nobody's */

/* ---- cpu.c: the processors. ---- */

enum level { THREAD, INTERRUPT, LEVELS };
enum level cpu_level(void); /* that this runs in */
void cpu_start(void (*function)(void));
/* Return when every processor has serialised. Not in an interrupt. */
void cpu_serialise_all(void);

/* ---- memory.c ---- */

void *memory_take(size_t size, size_t alignment); /* a power of two up to 4096; or NULL */
void memory_give(void *memory);

/* ---- print.c ---- */

/* memcpy, memmove, memset and memcmp are there too, for compilers. */
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
int same(const char *a, const char *b);

/* %s, %d, %u, %lx, %c. */
__attribute__((format(printf, 1, 2))) void print(const char *format, ...);
_Noreturn __attribute__((format(printf, 1, 2))) void panic(const char *format, ...);

/* ---- loader.c: modules. ---- */

struct module;
/* Load the relocatable object that starts at IMAGE, and run its module_start(). NULL, and it has
 * printed why: nothing is loaded. NAME must stay. */
struct module *module_load(const char *name, const unsigned char *image);
void module_unload(struct module *module);
void *module_function(const struct module *module, const char *name); /* or NULL */
/* The header of a section in IMAGE, or NULL. */
struct elf_section;
const struct elf_section *module_section(const unsigned char *image, const char *name);

/* ---- sdt.c ---- */

void probes_start(void);
void probes_forget(const void *begin, const void *end); /* text that is freed */

#endif
