/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See loader.h. For debuggers the loader calls an empty function, `_r_debug.r_brk`, before and
 * after each change. The machine decides which of two ways is taken:
 *
 *     the function is diverted   by a breakpoint at its `ret`, if padding follows (divert_function)
 *     its calls are diverted     where each call can be found: to call_changed(), by a jump that is
 *                                made near the loader, or by a breakpoint in place of the call;
 *                                call_changed() calls the function, for debuggers
 *
 * On aarch64 that function is one word between others, and `ret` is no instruction that may be
 * changed while another thread runs it; `bl` is. So no signal is needed, and a debugger's
 * breakpoint at the function and our change are at different places. On riscv64 a call is four
 * bytes at any even address, which cannot be changed at once; a breakpoint has two.
 *
 * Data between functions could look like such a call. So only what the loader's file calls code is
 * searched.
 */
#define _GNU_SOURCE
#include "loader.h"

#include "patch/divert.h"
#include "patch/text.h"
#include "place.h"
#include "process/loaded.h"
#include "sections.h"

#include <arch/machine.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

/* The calls of the loader's function that were found in its file. */
struct calls {
    uintptr_t at[DIVERT_CALLS];
    size_t n;
    int error; /* of diverting them */
};

static void (*on_change)(int state);

#pragma weak _r_debug

int loader_state(void)
{
    return &_r_debug ? (int)__atomic_load_n(&_r_debug.r_state, __ATOMIC_SEQ_CST) : -1;
}

static void function_changed(void)
{
    on_change(loader_state());
}

static void call_changed(void)
{
    on_change(loader_state());
    ((void (*)(void))_r_debug.r_brk)();
}

/* ---- Its calls. ---- */

/* Whether the file has the code at ADDRESS. */
static bool is_in(const struct dl_phdr_info *object, uintptr_t address, size_t size)
{
    const ElfW(Phdr) *segment = loaded_segment(object, address, size, PF_X);
    return segment && address + size <= object->dlpi_addr + segment->p_vaddr + segment->p_filesz;
}

static void find_calls(const struct dl_phdr_info *object, const struct stock_sections *file,
                       struct calls *calls)
{
    for (size_t i = 1; i < file->n; i++) {
        const Elf64_Shdr *section = &file->all[i];
        uintptr_t begin = object->dlpi_addr + section->sh_addr;
        if (!(section->sh_flags & SHF_EXECINSTR) || !is_in(object, begin, section->sh_size))
            continue;
        size_t left = DIVERT_CALLS - calls->n;
        size_t n = machine_find_calls(_r_debug.r_brk, begin, begin + section->sh_size,
                                      &calls->at[calls->n], left);
        bool is_sorted = !n || !calls->n || calls->at[calls->n] > calls->at[calls->n - 1];
        if (n > left || !is_sorted) { /* all of them, in order, or none */
            calls->n = 0;
            return;
        }
        calls->n += n;
    }
}

/* Write a jump to call_changed(), which the calls of OBJECT reach; 0: there is no room. */
static uintptr_t make_jump(const struct dl_phdr_info *object, const struct calls *calls)
{
    uint8_t code[SITE_FAR_JUMP];
    struct text_writer writer;
    struct stock_place place = {.object = object, .code = stock_whole_pages(sizeof code)};
    place.first = calls->at[0];
    place.last = calls->at[calls->n - 1];
    if (stock_place_map(&place) != 0)
        return 0;
    machine_make_far_jump(code, (uintptr_t)call_changed);
    text_begin(&writer);
    int error = text_write_run(&writer, (uint8_t *)place.at, code, sizeof code);
    text_end(&writer);
    if (!error)
        return place.at;
    stock_place_unmap(&place);
    return 0;
}

static int divert(const struct dl_phdr_info *object, const struct calls *calls)
{
    if (SITE_TRAPS_CALLS)
        return divert_calls_by_trap(calls->at, calls->n, SITE_CALL, call_changed);
    uintptr_t jump = make_jump(object, calls);
    return jump ? divert_calls(calls->at, calls->n, jump) : -EADDRINUSE;
}

static int visit(struct dl_phdr_info *object, size_t size, void *data)
{
    struct calls *calls = data;
    struct stock_sections file;
    (void)size;
    if (!is_in(object, _r_debug.r_brk, 1))
        return 0;
    int fd = stock_sections_open(object);
    if (fd < 0)
        return 1;
    if (stock_sections_read(fd, &file) == 0)
        find_calls(object, &file, calls);
    stock_sections_free(&file);
    close(fd);
    if (calls->n)
        calls->error = divert(object, calls);
    return 1;
}

int loader_watch(void (*changed)(int state))
{
    if (!&_r_debug || !_r_debug.r_brk)
        return -ENOTSUP;
    on_change = changed;
    uintptr_t place = machine_empty_return(_r_debug.r_brk);
    if (place)
        return divert_function(place, function_changed);
    struct calls calls = {.error = -ENOTSUP};
    dl_iterate_phdr(visit, &calls);
    return calls.error;
}
