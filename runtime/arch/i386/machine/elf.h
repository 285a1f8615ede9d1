/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of this machine say of themselves. */
#ifndef SDT_MACHINE_ELF_H
#define SDT_MACHINE_ELF_H

#include <elf.h>

#define MACHINE_ELF EM_386

/* Where Debian has libraries, below lib. */
#define MACHINE_LIBRARIES "i386-linux-gnu"

#endif
