/* SPDX-License-Identifier: BSD-2-Clause */
#include "argument_names.h"
