/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Arming and disarming sites: which byte becomes what, in which order, and what to do when the text
 * is not as expected. Composes text, sync, trap and arch; knows nothing of handlers.
 */
#ifndef SDT_PATCH_H
#define SDT_PATCH_H

#include "patch/thunk.h" /* by its whole name: freestanding/ has another one */
#include "registry/registry.h"
#include "text.h"
#include "trap.h"

#ifndef PATCH_CHUNK
#define PATCH_CHUNK 64
#endif

/* A run of changes; lives on the caller's stack. Locked from begin to end. */
struct patch {
    struct text_writer writer;
    int mode;        /* SDT_MODE_AUTO, _TRAP, _JUMP; or SDT_MODE_OFF: disarm */
    int trap_error;  /* 1: SIGTRAP not yet acquired by this run */
    bool is_careful; /* no breakpoint where a blocked SIGTRAP would go unnoticed; set after begin */
    bool wrote;      /* the text was changed */
    size_t n, capacity;
    struct text_edit *edits; /* `first`, or allocated; owned by their sites */
    struct text_edit first[PATCH_CHUNK];
    struct thunk_batch thunks;
};

/*
 * To disarm: patch_begin, patch_site for each site (best in order of addresses), patch_end. After
 * that all threads see the new text, and the result is in site->mode and site->error.
 *
 * To arm: the same, with patch_prepare before. If it returns that something was made for the site,
 * patch_site has to wait until patch_prepared has made that visible to all threads.
 */
void patch_begin(struct patch *patch, int mode);
bool patch_prepare(struct patch *patch, struct site *site);
void patch_prepared(struct patch *patch);
void patch_site(struct patch *patch, struct site *site);
void patch_end(struct patch *patch);

/* Note the mode of SITE, before its byte says so. Locked. */
void patch_set_mode(struct site *site, enum site_mode mode);

/* SIGTRAP stays acquired, though no site needs it. Locked. */
void patch_keep_signal(void);

#endif
