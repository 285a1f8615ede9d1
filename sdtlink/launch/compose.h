/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_LAUNCH_COMPOSE_H
#define SDTLINK_LAUNCH_COMPOSE_H

#include "line.h"

/*
 * The words for the real linker: replacements in their places, AT_START before the first input,
 * RUNTIME at libraries_runtime_place(), AT_END after all. Options count for nothing in this,
 * wherever they stand.
 */
void compose_words(const struct line *line, struct words *to, const struct words *at_start,
                   const struct words *runtime, const struct words *at_end);

#endif
