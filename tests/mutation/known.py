# SPDX-License-Identifier: BSD-2-Clause
"""Mutants that change nothing which anybody could see, each with the reason.

(file, source line, column in it, old, new) -> why. A line that changes loses its entry, and has to
be looked at again.
"""
EQUIVALENT = {
    ("sdtlink/args.c", "return s->size > 4 && relocation->r_offset < s->size - 4 &&", 55, "4", "5"):
        "an entry whose fifth byte is the section's last is refused, being cut off, whatever its "
        "label would have been looked up with",
    ("sdtlink/operand.c", "char padded[NAME_MOST] = {0};", 26, "0", "1"):
        "the first byte is written over by any name; of an empty one, 1, 0, 0, 0 is no register",
}
