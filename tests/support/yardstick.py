# SPDX-License-Identifier: BSD-2-Clause
"""How slow this machine is at the moment, for a limit in seconds of processor time.

Processor time depends on what else runs: on caches, on the other half of a core, and, in a virtual
machine whose processors are taken away, on everything. So the same limit is for a fixed piece of
work as well, of what a tool does: it computes, touches new memory and makes system calls.
"""
import hashlib
import mmap
import os
import time

# Of the work, on an idle virtual machine (AMD EPYC, Zen 3, Linux 6.18; Python 3.11).
USUAL = 0.042
PAGE = 4096


def _work():
    memory = mmap.mmap(-1, 4000 * PAGE)
    for at in range(0, len(memory), PAGE):
        memory[at] = 1
    hashlib.sha256(memory).digest()
    for _ in range(20_000):
        os.getppid()
    for _ in range(2_000):
        os.close(os.open("/dev/null", os.O_RDONLY))
    memory.close()


def slowness():
    """How many times as long as usual the work takes now; at least 1."""
    before = time.process_time()
    _work()
    return max(1, (time.process_time() - before) / USUAL)
