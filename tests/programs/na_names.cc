/* SPDX-License-Identifier: BSD-2-Clause */
#include "na_names.h"
