# SPDX-License-Identifier: BSD-2-Clause
"""Mutants that change nothing which anybody could see, each with the reason.

(file, source line, column in it, old, new) -> why. A line that changes loses its entry, and has to
be looked at again.
"""
EQUIVALENT = {
}
