#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Starts the kvd that is named, and gives it commands, once there is the file WAIT_FOR."""
import os
import subprocess
import sys
import time

LINES = ["dump", *(f"set k{i} value{i}" for i in range(40)), *(f"get k{i}" for i in range(60)),
         *(f"evict k{i}" for i in range(10, 20)), "dump", "nonsense"]
with subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, text=True) as server:
    while os.environ.get("WAIT_FOR") and not os.path.exists(os.environ["WAIT_FOR"]):
        time.sleep(0.01)
    server.communicate("\n".join(LINES))
sys.exit(server.returncode)
