# SPDX-License-Identifier: BSD-2-Clause
"""The tools on an aarch64 host, where there is also a cross compiler for x86-64."""
import pytest

from conftest import BUILD
from host_tests import *  # noqa: F403 (tests and fixtures)
from host_tests import build, check_program, probes

pytestmark = [pytest.mark.nosan, pytest.mark.aarch64]  # the other one is cross-compiled
HOST = "aarch64"


@pytest.mark.parametrize("command", [
    ["gcc", "-O2"], ["gcc", "-O2", "-static"], ["gcc", "-O2", "-fuse-ld=gold"],
    ["gcc", "-O2", "-flto"], ["clang", "-O2"], ["clang", "-O2", "-fuse-ld=lld"],
    ["gcc-12", "-O2", "-no-pie", "-DSDT_CALL_SITES"], ["aarch64-linux-gnu-gcc", "-O2"]],
    ids=" ".join)
def test_a_program_for_the_host(sdt, inside, command):
    check_program(sdt, inside, command)


def test_a_program_for_x86_64(sdt, inside, prefix):
    """The other way round: its runtime is one of another machine there, in a directory below. What
    it makes runs here."""
    cross_gcc = ["x86_64-linux-gnu-gcc", "-O2"]
    place = prefix / "lib" / "x86_64-linux-gnu"
    if place.exists():
        place.joinpath("libsdt.a").unlink()
        place.rmdir()
    refused = build(sdt, inside, status=1, command=cross_gcc)
    assert "libsdt.a for x86-64 is not installed with this sdtlink" in refused.stderr
    place.mkdir()
    place.joinpath("libsdt.a").write_bytes((BUILD / "runtime" / "libsdt.a").read_bytes())
    for flags in ([], ["-flto"], ["-static"]):
        build(sdt, inside, *flags, command=cross_gcc)
        assert probes(sdt, "a.out") == ["web:request"]
        assert sdt.run(sdt.path("a.out")) == "2 hits\n"
