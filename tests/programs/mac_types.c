/* SPDX-License-Identifier: BSD-2-Clause */
#include "mac_types.h"
