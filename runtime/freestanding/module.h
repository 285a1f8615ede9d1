/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A struct sdt_kernel_module of <sdt/kernel.h> as libsdt's sources see it: an object of the
 * program.
 */
#ifndef SDT_FREESTANDING_MODULE_H
#define SDT_FREESTANDING_MODULE_H

#include <sdt/format.h>
#include <sdt/kernel.h>

/* What sdt_module.runtime is. */
struct added {
    struct sdt_dso dso; /* only `next` and `runtime` of it are in use */
    const struct sdt_kernel_module *module;
};

#endif
