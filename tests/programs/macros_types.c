/* SPDX-License-Identifier: BSD-2-Clause */
#include "macros_types.h"
