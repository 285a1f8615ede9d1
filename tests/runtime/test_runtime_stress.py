# SPDX-License-Identifier: BSD-2-Clause
"""A short run of tests/stress in each of its kinds of turn; ./run stress is the long one."""
import pytest

import fixture
from conftest import BUILD, CFLAGS
from stress import run as stress

FEW = 8  # copies: 4662 sites


@pytest.mark.parametrize("mode, unlock", stress.TURNS)
def test_toggling_under_load_with_the_books_kept(sdt, mode, unlock):
    exe = stress.compile_program(BUILD, sdt.dir, FEW, CFLAGS)
    done = stress.turn(exe, 1, mode, unlock, 60_000)
    assert done["toggles"] >= 60_000 and done["quiescent points"] >= 2
    assert done["counted"] >= 10_000 and done["handled"] >= 10_000 and done["forks"] >= 1


def test_toggling_under_load_has_no_data_race(sdt):
    """The runtime's sources and the program under ThreadSanitizer, which permits jumps only."""
    exe = fixture.thread_sanitized(sdt, f"-DCOPIES={FEW}",
                              *(stress.HERE / source for source in stress.SOURCES))
    result = sdt.command("setarch", "-R", exe, "1", "jump", "20000")
    assert result.stderr == "" and '"quiescent points"' in result.stdout
