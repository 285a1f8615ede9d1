// SPDX-License-Identifier: BSD-2-Clause
#include "record_values.c"
