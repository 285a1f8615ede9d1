# SPDX-License-Identifier: BSD-2-Clause
"""A short run of tests/stress in each of its kinds of turn; ./run stress is the long one."""
import pytest

from conftest import BUILD, CFLAGS
from stress import run as stress


@pytest.mark.parametrize("mode, unlock", stress.TURNS)
def test_toggling_under_load_with_the_books_kept(sdt, mode, unlock):
    exe = stress.compile_program(BUILD, sdt.dir, CFLAGS)
    done = stress.turn(exe, 1, mode, unlock, 60_000)
    assert done["toggles"] >= 60_000 and done["quiescent points"] >= 2
    assert done["counted"] > 10_000 and done["handled"] > 10_000 and done["forks"] >= 1
