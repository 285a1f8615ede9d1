# SPDX-License-Identifier: BSD-2-Clause
"""What compilers and linkers have made in this run, by what it was made of.

Half of all commands of a run compile a file of tests/ that another test has compiled with the same
flags, or link the same objects. A compiler gives the same again, so the first result is copied.
Only what is plainly a function of the command's words and of files whose content is known is
remembered: a word that could name another file, or ask for one more output, and nothing is.
Neither is anything that sdtlink does: it runs each time.

The directory is SDT_MADE, which `./run test` sets for all its stages, or else is the run's.
"""
import hashlib
import os
import pathlib
import re
import shutil

# No path, no @file, no output beside the one: -O2, -DNAME=1, -fno-pie, -Wl,--gc-sections.
BESIDE = "plugin|profile|dump|save|module|lto|stack-usage|callgraph|test-coverage|opt-info"
PLAIN = re.compile(
    r"-(c|O\w*|g(dwarf-\d|\d)?|std=[\w+]+|D\w+(=\w+)?"
    r"|pthread|pie|no-pie|static(-pie)?|shared|rdynamic"
    rf"|W[a-z][\w=+-]*|m[\w=,+-]+|f(?!{BESIDE})[\w=,+-]+|ldl|lm|lpthread"
    r"|(Wl|Wa)(,-{1,2}[\w+-]+(=(\d+|all|safe|none|yes|no|both|gnu|sysv))?)+)")
SEARCHED = "PATH", "CPATH", "C_INCLUDE_PATH", "COMPILER_PATH", "LIBRARY_PATH", "GCC_EXEC_PREFIX"


TESTS = pathlib.Path(__file__).resolve().parent.parent


class Made:
    def __init__(self, directory, known=()):
        """KNOWN: words that are as plain as a flag, such as directories that do not change."""
        self.directory = pathlib.Path(os.environ.get("SDT_MADE", directory))
        self.directory.mkdir(parents=True, exist_ok=True)
        self.known = {str(word) for word in known}

    def name(self, argv):
        """Of the result of ARGV; None: it may depend on more than can be seen here."""
        words = [argv[0], *(os.environ.get(name, "") for name in SEARCHED)]
        for word in argv[1:]:
            path = pathlib.Path(word)
            if word in self.known or PLAIN.fullmatch(word) or TESTS in path.parents:
                words.append(word)
            elif path.is_absolute() and path.suffix == ".o" and path.is_file():
                # Its name is nowhere in what is linked of it.
                words.append(hashlib.sha256(path.read_bytes()).hexdigest())
            else:
                return None
        return self.directory / hashlib.sha256("\0".join(words).encode()).hexdigest()

    def make(self, argv, output, run, big=False):
        """RUN() makes OUTPUT, unless it has been made by ARGV before. What is BIG is kept when it
        is made for the second time: most programs are linked once, and all are gigabytes."""
        made = self.name([str(word) for word in argv])
        if made is None:
            run()
        elif made.exists():
            output.unlink(missing_ok=True)
            shutil.copy(made, output)
        else:
            run()
            seen = made.with_suffix(".seen")
            if big and not seen.exists():
                seen.touch()
                return
            own = made.with_suffix(f".{os.getpid()}")
            shutil.copy(output, own)
            own.rename(made)
