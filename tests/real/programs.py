# SPDX-License-Identifier: BSD-2-Clause
"""The programs: how each is configured, built, linked with `sdtlink`, and made to work.

In commands, {bin} and {include} are the directories of build.Tree, {source} is the source tree,
and {here} the directory with the files in `results`.
"""
import dataclasses
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
WORKLOADS = HERE / "workloads"
PYTHON = "/usr/bin/python3"


@dataclasses.dataclass(frozen=True)
class Program:
    package: str  # of Debian, or a directory here
    directory: str  # below the source, where it is built
    configure: tuple
    make: tuple
    link: tuple  # the end of `make` again, with `sdtlink` in front of the compiler
    results: tuple  # files with probes, as they are named below `directory`
    workload: tuple
    expected: tuple  # (probe, hits) that follow from the workload
    guarded: tuple  # probes that are reached only if their semaphore is up
    environment: dict = dataclasses.field(default_factory=dict)
    others: tuple = ()  # files without probes that the workload needs
    idle: tuple = ()  # does what constructors and destructors do, if they hit probes
    providers: tuple = ()
    configured_with_sdtlink: bool = False  # Meson writes the compiler's name into every command


@dataclasses.dataclass(frozen=True)
class Questions:
    """What is asked of a program while it works. Values are not negative, texts end with a NUL and
    are short."""
    patterns: tuple
    by_number: tuple  # probe, number of the argument
    by_text: tuple
    pair: tuple  # probes of one thread, one after the other


# Ours, and small; in the manner of memcached and PostgreSQL.
KVD = Program(
    package="kvd", directory=".", providers=("kvd",),
    configure=(("./configure",),),
    make=(("make", "-j2", "kvd"),),
    link=(("make", "CC={bin}/sdtlink gcc", "kvd"),),
    results=("kvd",),
    workload=(PYTHON, str(WORKLOADS / "kvd.py"), "{here}/kvd"),
    expected=(("command__start", 113), ("command__done", 113), ("find", 101), ("store", 40),
              ("evict", 10), ("catch", 1), ("stats__dump", 30)),
    guarded=("command__done", "stats__dump"),
)

MEMCACHED = Program(
    package="memcached", directory=".", providers=("memcached",),
    configure=(("./configure", "--enable-dtrace"),),
    make=(("make", "memcached_dtrace.h"), ("make", "-j2", "memcached")),
    link=(("make", "CC={bin}/sdtlink gcc", "memcached"),),
    results=("memcached",),
    workload=(PYTHON, str(WORKLOADS / "memcached.py"), "{here}/memcached"),
    expected=(("command__set", 51), ("command__get", 100), ("command__delete", 10),
              ("command__incr", 10), ("conn__create", 2)),
    guarded=(),
)

TCL = Program(
    package="tcl8.6", directory="unix", providers=("tcl",),
    # TEBCresume() looks at this variable before it gives it a value, and reports the end of an
    # instruction if what it finds is not NULL.
    configure=(("sed", "-i", "s/const char \\*curInstName;/const char *curInstName = NULL;/",
                "{source}/generic/tclExecute.c"),
               ("./configure", "--enable-dtrace", "--disable-shared")),
    make=(("make", "-j2", "tclsh"),),
    link=(("make", "CC={bin}/sdtlink gcc", "tclsh"),),
    results=("tclsh",),
    workload=("{here}/tclsh", str(WORKLOADS / "count.tcl")),
    environment={"TCL_LIBRARY": "{source}/library"},
    expected=(("proc__return", 1975), ("tcl__probe", 7)),  # 2 are Tcl's own, at its start
    guarded=("cmd__args", "cmd__entry", "cmd__info", "cmd__result", "cmd__return", "inst__done",
             "inst__start", "proc__args", "proc__entry", "proc__info", "proc__result",
             "proc__return", "tcl__probe"),
)

PERL = Program(
    package="perl", directory=".", providers=("perl",),
    configure=(("sh", "Configure", "-des", "-Dusedtrace={bin}/dtrace", "-Dcc=gcc",
                "-Doptimize=-O2", "-Accflags=-I{include}"),),
    make=(("make", "-j2", "miniperl"),),
    # Whose commands link miniperl; its own rule is but a `touch`.
    link=(("rm", "-f", "lib/buildcustomize.pl"), ("make", "CC={bin}/sdtlink gcc", "miniperl")),
    results=("miniperl",),
    workload=("{here}/miniperl", str(WORKLOADS / "count.pl")),
    environment={"PERL_HASH_SEED": "0"},
    expected=(("sub__entry", 1973), ("sub__return", 1973)),
    guarded=("op__entry", "phase__change", "sub__entry", "sub__return"),
)

GLIB_FILES = ("glib/libglib-2.0.so.0", "gobject/libgobject-2.0.so.0")
GLIB_MAKE = ("meson", "compile", "-j2", "glib-2.0:shared_library", "gobject-2.0:shared_library")
GLIB = Program(
    package="glib2.0", directory="_build", providers=("glib", "gobject"),
    configure=(("meson", "setup", "--buildtype=plain", "-Dsystemtap=true", "-Ddtrace=true",
                "-Dtests=false", "-Dselinux=disabled", "-Dlibmount=disabled", "-Dxattr=false",
                "-Dnls=disabled", ".", "{source}"),),
    make=(GLIB_MAKE,
          ("gcc", "-O2", *(f"-I{place}{part}" for place in ("{source}", ".")
                           for part in ("", "/glib")), str(WORKLOADS / "objects.c"), *GLIB_FILES,
           "-o", "objects")),
    configured_with_sdtlink=True,
    link=(GLIB_MAKE,),
    results=GLIB_FILES, others=("objects",),
    workload=("{here}/objects",), idle=("{here}/objects", "idle"),
    environment={"LD_LIBRARY_PATH": "{here}", "G_SLICE": "always-malloc"},
    expected=(("signal__emit", 300), ("signal__new", 2), ("idle__add", 25)),
    guarded=(),
)

ALL = {program.package: program for program in (KVD, MEMCACHED, TCL, PERL, GLIB)}

# Of builds that have room for a jump: nothing is there that a semaphore guards.
QUESTIONS = {
    "kvd": Questions(("kvd:*",), ("find", 2), ("find", 0), ("command__start", "store")),
    "memcached": Questions(("memcached:*",), ("command__set", 3), ("command__delete", 1),
                           ("process__command__start", "process__command__end")),
    "glib2.0": Questions(("glib:*", "gobject:*"), ("idle__add", 2), ("signal__new", 1),
                         ("signal__emit", "signal__emit__end")),
}
