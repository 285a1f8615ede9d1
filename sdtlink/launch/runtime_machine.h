/* SPDX-License-Identifier: BSD-2-Clause */
/* For which machine a runtime was built. */
#ifndef SDTLINK_LAUNCH_RUNTIME_MACHINE_H
#define SDTLINK_LAUNCH_RUNTIME_MACHINE_H

struct tool_arch;

/* 0: the library at PATH is for ARCH, or that is unknown; -1 after a message: it is another's. */
int runtime_check_machine(const char *path, const struct tool_arch *arch);

#endif
