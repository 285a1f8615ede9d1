#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Starts the kvd that is named, and gives it commands."""
import subprocess
import sys

LINES = ["dump", *(f"set k{i} value{i}" for i in range(40)), *(f"get k{i}" for i in range(60)),
         *(f"evict k{i}" for i in range(10, 20)), "dump", "nonsense"]
sys.exit(subprocess.run([sys.argv[1]], input="\n".join(LINES), text=True, check=False).returncode)
