/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The architecture seam: what a probe site looks like in each of its states, as pure functions on
 * byte buffers. They touch no memory but their arguments and are compiled on every host, so that
 * the tool can cross-process objects and the tests can try every byte. Tool and runtime share this
 * directory and <sdt/format.h>, and nothing else. Its words are explained in form.h.
 */
#ifndef SDT_ARCH_ARCH_H
#define SDT_ARCH_ARCH_H

#include <arch/aarch64/forms.h>
#include <arch/form.h>
#include <arch/riscv64/forms.h>
#include <arch/x86_64/forms.h>

#endif
