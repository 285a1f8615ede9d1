/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a provider file declares: probes. The grammar is in grammar.y; everything else that such a
 * file may hold (types, translators, pragmas) is of use to tracers only.
 */
#ifndef SDT_DTRACE_PROVIDER_H
#define SDT_DTRACE_PROVIDER_H

#include "base/slice.h"
#include "lexer.h"

enum { PROVIDER_MAX_ARGUMENTS = 12 }; /* that <sys/sdt.h> and the tracers have */

struct provider_probe {
    struct slice provider, name;
    size_t place;         /* of the name, for complaints */
    size_t count;         /* of arguments */
    struct span declared; /* the text of the arguments */
    char *macro;          /* PROVIDER_NAME */
    bool is_again;        /* declared before: the same in every respect */
};

struct providers {
    const struct source *source;
    struct provider_probe *list;
    size_t count, capacity;
};

/* Complains, and returns -1, if the file is not right. Slices and spans are SOURCE's. */
int provider_parse(struct providers *providers, const struct source *source);
void provider_free(struct providers *providers);

/* For the grammar: it found a probe; -1 if it is not right. */
int provider_add(struct providers *providers, const struct provider_probe *probe);
/* In grammar.y. */
int provider_parse_text(struct providers *providers, const struct source *source);

#endif
