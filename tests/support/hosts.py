# SPDX-License-Identifier: BSD-2-Clause
"""The tools built for another host beside those of this one: both get the same files and words, and
everything that they print and write must be the same.

    pair = Pair(sdt, "aarch64", tools("aarch64"))
    answer = pair.same([object], "-o", "out.o", object.name)
    answer.status, answer.stdout, answer.files["out.o"]

The objects are for all machines that have sites, whatever the host. What is checked here is what
the host may change: signed or unsigned `char`, alignment, the size of a page, libelf's build.
"""
import collections
import pathlib
import random
import shutil
import subprocess
import sys

import cross
import root
from conftest import BUILD, ROOT

EVERY = [["-v", "-o", "out.o"], ["--dry-run", "--json"], ["list", "--json"],
         ["--companion", "-o", "out.o"], ["list", "--check", "--json"], ["finalize"]]
Answer = collections.namedtuple("Answer", "status stdout stderr files")


class Pair:
    def __init__(self, sdt, machine, prefix):
        cross.need(f"qemu-{machine}")
        self.sdt = sdt
        self.emulator = [f"qemu-{machine}", "-L", str(root.root(machine))]
        self.other = prefix

    def answer(self, argv, inputs):
        """Of one command in a directory that holds nothing but copies of the inputs. There are
        thousands, so they are started without patience.py, which looks at all processes."""
        place = self.sdt.path("place")
        place.mkdir()
        for path in inputs:
            shutil.copyfile(path, place / path.name)
        result = subprocess.run([str(word) for word in argv], cwd=place, capture_output=True,
                                check=False)
        files = {}
        for path in place.iterdir():
            files[path.name] = path.read_bytes()
            path.unlink()
        place.rmdir()
        return Answer(result.returncode, result.stdout, result.stderr, files)

    def compare(self, native, other, inputs):
        here = self.answer(native, inputs)
        there = self.answer([*self.emulator, *other], inputs)
        assert here.status in (0, 1, 2), (native, here)
        assert here == there, native
        return here

    def same(self, inputs, *args):
        if args[0] == "list":
            return self.executed(inputs, *args)
        return self.compare([self.sdt.tool, *args], [self.other / "bin" / "sdtlink", *args], inputs)

    def executed(self, inputs, command, *args):
        """A command that is a program of its own: what sdtlink would execute, qemu must be told."""
        program = self.other / "libexec" / "sdtlink" / f"sdtlink-{command}"
        return self.compare([self.sdt.tool, command, *args],
                            ["-0", command, program, *args], inputs)

    def verified(self, inputs, *args):
        return self.executed(inputs, "verify", *args)

    def dtrace(self, inputs, *args):
        return self.compare([BUILD / "sdt-dtrace" / "sdt-dtrace", *args],
                            [self.other / "bin" / "sdt-dtrace", *args], inputs)

    def all(self, path, commands):
        """The answers to each of the commands."""
        return [self.same([path], *command, path.name) for command in commands]


def corpus(sdt):
    """What fuzzing starts from, of all machines: objects, archives, programs and libraries."""
    for program in ("clang", "llvm-mc", "ld.lld", "llvm-ar"):
        cross.need(program)
    subprocess.run([sys.executable, ROOT / "tests" / "fuzz" / "corpus.py", sdt.path("corpus")],
                   check=True, stdout=subprocess.DEVNULL)
    return sorted(path for path in (sdt.path("corpus") / "list").iterdir())


def damaged(path, place, count):
    """COUNT copies with four changed bits each, mostly in the header and the section table."""
    chance = random.Random(path.name)
    for number in range(count):
        data = bytearray(path.read_bytes())
        table = min(int.from_bytes(data[40:48], "little"), len(data) - 1)
        for _ in range(4):
            first, last = chance.choice([(0, len(data) - 1), (16, 63), (table, len(data) - 1)])
            at = chance.randint(min(first, len(data) - 1), min(last, len(data) - 1))
            data[at] ^= 1 << chance.randrange(8)
        copy = pathlib.Path(place, f"{number}_{path.name}")
        copy.write_bytes(data)
        yield copy
