/* SPDX-License-Identifier: BSD-2-Clause */
/* What libsdt makes of objects without records (runtime/stock/build.h): nothing here. */
#ifndef SDT_BUILD_H
#define SDT_BUILD_H

#include "site/image.h"

static inline void stock_unbuild(struct annex *annex)
{
    (void)annex;
}

#endif
