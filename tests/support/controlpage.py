# SPDX-License-Identifier: BSD-2-Clause
"""The control page of docs/live.md, written and read without any code of ours: tools and processes
that lie."""
import contextlib
import ctypes
import fcntl
import mmap
import os
import pathlib
import struct
import threading

MAGIC, ABI = 0x316576696C746473, 3
PID, STATE, GENERATION, FREED, BELL, ENABLED = 16, 20, 32, 40, 48, 52
SESSIONS, SESSION, REQUESTS, REQUEST, COUNT = 128, 64, 1024, 5248, 16
SIZE = REQUESTS + COUNT * REQUEST
FREE, POSTED, RUNNING, DONE = range(4)
OP, ID, ARGUMENT, FLAGS, PROGRAM_SIZE, RESULT, FD, INODE, MESSAGE, TEXT, PROGRAM = \
    4, 8, 16, 24, 28, 32, 36, 40, 48, 128, 1152
LIST, ENABLE, DISABLE, TABLE, RECORD, FLUSH, RESET, DETACH = range(1, 9)
FOLLOW = 8
SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW
FUTEX, WAIT, WAKE = 202, 0, 1
libc = ctypes.CDLL(None, use_errno=True)


def file(name, data=b"", size=None, seals=SEALS):
    """A memfd of this process."""
    fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.truncate(fd, len(data) if size is None else size)
    os.pwrite(fd, data, 0)
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, seals)
    return fd


def ring(page):
    word = ctypes.c_uint32.from_buffer(page, BELL)
    word.value += 1
    libc.syscall(FUTEX, ctypes.byref(word), WAKE, 2**31 - 1, None, None, 0)
    del word


def find(pid):
    """The number of a process's page."""
    for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        if os.readlink(entry) == "/memfd:sdt-control (deleted)":
            return entry
    raise AssertionError(f"process {pid} has no control page")


def open_page(pid):
    fd = os.open(find(pid), os.O_RDWR)
    page = mmap.mmap(fd, SIZE)
    os.close(fd)
    return page


def header(pid=None, abi=ABI, state=1, magic=MAGIC):
    return struct.pack("<QIIIIQQQII32s", magic, abi, SIZE, os.getpid() if pid is None else pid,
                       state, 7, 0, 0, 0, 0, b"0.1.0")


@contextlib.contextmanager
def watching(directory):
    """Be the one who watches recording DIRECTORY, which is made: its name, as requests have it."""
    directory.mkdir()
    with open(directory / ".sdt-recording", "w+b") as mark:
        lock = struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0)
        fcntl.fcntl(mark, fcntl.F_OFD_SETLK, lock)
        yield os.fsencode(directory)


class Tool:
    """A session with process PID, by the protocol alone."""

    def __init__(self, pid, place=0, session=None):
        self.page, self.place = open_page(pid), place
        self.session = session or int.from_bytes(os.urandom(7), "little") | 1
        struct.pack_into("<Q", self.page, SESSIONS + place * SESSION, self.session)
        ring(self.page)

    def ask(self, op, text=b"", argument=0, flags=0, program=b"", is_read=True):
        """The result, and the descriptor of the answer, which stays open if it IS not READ."""
        at = REQUESTS + 2 * self.place * REQUEST
        self.page[at + TEXT:at + TEXT + len(text) + 1] = text + b"\0"
        self.page[at + PROGRAM:at + PROGRAM + len(program)] = program
        struct.pack_into("<IQQII", self.page, at + OP, op, self.session, argument, flags,
                         len(program))
        struct.pack_into("<I", self.page, at, POSTED)
        ring(self.page)
        word = ctypes.c_uint32.from_buffer(self.page, at)
        moment = (ctypes.c_long * 2)(0, 50000000)
        while True:
            state = word.value
            if state == DONE:
                break
            libc.syscall(FUTEX, ctypes.byref(word), WAIT, state, moment, None, 0)
            self.beat()
        del word
        result, fd = struct.unpack_from("<ii", self.page, at + RESULT)
        if is_read:
            struct.pack_into("<I", self.page, at, FREE)
            ring(self.page)
        return result, fd

    def beat(self):
        at = SESSIONS + self.place * SESSION + 8
        struct.pack_into("<Q", self.page, at, struct.unpack_from("<Q", self.page, at)[0] + 1)

    def end(self):
        struct.pack_into("<Q", self.page, SESSIONS + self.place * SESSION, 0)
        ring(self.page)
        self.page.close()


class Liar:
    """This process, with a page of which ANSWER(request, page, at) fills in what is posted."""

    def __init__(self, answer, **kwargs):
        seals, size = kwargs.pop("seals", SEALS), kwargs.pop("size", SIZE)
        self.fd = file("sdt-control", header(**kwargs), size=size, seals=seals)
        self.page = mmap.mmap(self.fd, size) if size >= SIZE else None
        self.answer, self.ending = answer, threading.Event()
        self.thread = threading.Thread(target=self.serve)

    def serve(self):
        while self.page and not self.ending.wait(0.001):
            for i in range(COUNT):
                at = REQUESTS + i * REQUEST
                if struct.unpack_from("<I", self.page, at)[0] == POSTED:
                    self.answer(self.page, at)
                    struct.pack_into("<I", self.page, at, DONE)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        self.thread.join()
        if self.page:
            self.page.close()
        os.close(self.fd)
