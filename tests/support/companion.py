# SPDX-License-Identifier: BSD-2-Clause
"""What tests/programs/companion_moved.c must print."""

FUNCTIONS = ("cm_call", "cm_tail", "cm_zero", "cm_bit", "cm_less")
QUESTIONS = ("cm_asks", "cm_passes")
HITS = " call(1, 2) tail(3, 4) zero(0, 5) bit(8, 6) less(6, 7)"
EVENTS = ["off:; answers 1 0", f"on:{HITS}; answers 2 1", "off:; answers 1 0",
          "tail: tail(3, 4); answers 1 0", "passes: tail(3, 4); answers 1 1", "off:; answers 1 0"]


def check(stdout, mode="jump"):
    """Armed by MODE; questions have no breakpoint, and serve every mode."""
    off, modes, *others = stdout.splitlines()
    assert [off, *others] == EVENTS
    assert sorted(modes.removeprefix("modes: ").split(" ")) == sorted(
        [f"{name}:{mode}" for name in FUNCTIONS] + [f"{name}:jump" for name in QUESTIONS])
