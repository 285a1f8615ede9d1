# SPDX-License-Identifier: BSD-2-Clause
"""The tools on a riscv64 host: Debian 13, since 12 has none."""
import pytest

from host_tests import *  # noqa: F403 (tests and fixtures)
from host_tests import check_program

pytestmark = [pytest.mark.nosan, pytest.mark.riscv64]  # the other one is cross-compiled
HOST = "riscv64"


@pytest.mark.parametrize("command", [
    ["gcc", "-O2"], ["gcc", "-O2", "-static"], ["gcc", "-O2", "-flto"], ["clang", "-O2"],
    ["clang", "-O2", "-fuse-ld=lld"], ["gcc", "-O2", "-no-pie", "-DSDT_CALL_SITES"],
    ["riscv64-linux-gnu-gcc", "-O2"]], ids=" ".join)
def test_a_program_for_the_host(sdt, inside, command):
    check_program(sdt, inside, command)
