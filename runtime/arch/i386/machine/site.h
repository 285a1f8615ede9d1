/* SPDX-License-Identifier: BSD-2-Clause */
/* Sites are those of x86-64, and so are the instructions that are written. */
#include <arch/x86_64/machine/site.h>
