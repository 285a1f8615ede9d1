/* SPDX-License-Identifier: BSD-2-Clause */
#include <arch/x86_64/machine/clock.h>
