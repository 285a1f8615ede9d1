/* SPDX-License-Identifier: BSD-2-Clause */
/* Expressions on the events of a recording: the names of expression.h get their meaning. */
#ifndef SDT_FILTER_H
#define SDT_FILTER_H

#include "expression/expression.h"
#include "trace/merge.h"

struct filter {
    struct expression *expression; /* NULL: everything passes */
};

/* TEXT may be NULL. Reports, with the place, what is not an expression. */
int filter_parse(struct filter *filter, const char *text);
/* The same without a message. */
int filter_try(struct filter *filter, const char *text);
/* Whether events of RECORDING may have all names; without a message. */
bool filter_knows(const struct filter *filter, const struct recording *recording);
/* Reports names that no event of RECORDING could have. */
int filter_check(const struct filter *filter, const char *text, const struct recording *recording);
bool filter_passes(const struct filter *filter, const struct event *event);
/* What the expression, which is not NULL, is of EVENT. */
struct term filter_value(const struct filter *filter, const struct event *event);
/* What the name of FIELD stands for: VALUE, with the name of an enumerator, or a unit of time. */
struct term filter_field(const struct field *field, const struct value *value);
/* Append VALUE, which is not missing, for people; text as it is. */
void filter_text(struct bytes *to, const struct term *value);
void filter_free(struct filter *filter);

#endif
