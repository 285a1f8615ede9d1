# SPDX-License-Identifier: BSD-2-Clause
"""Every order in which a tracer and sdt_enable() can meet at one site, and what must come of it.

Steps are the letters of programs/tracer_orders.c: T and O turn the tracer and the probe on or off,
h, f and r hit the site here, in a child that is forked for it, and in one (k) that stays.

    walk(n)              steps in which every N toggles, with every kind of hits between them, occur
                         from every state that tracer and probe can be in
    Model(kind, ...)     what the steps must show, from the bytes that are written at the site
"""
import copy
import errno
import itertools

BETWEEN = ("", "h", "f", "hk", "rf")


def walk(length, between=BETWEEN):
    """An Eulerian circuit: its edges are all words of LENGTH moves from each of the four states.

    A node is a state, and the moves that led to it but the oldest one; so each word is an edge.
    Starts with both off.
    """
    moves = [toggle + hits for toggle in "TO" for hits in between]
    left = {(state, memory): list(moves)
            for state in itertools.product((False, True), repeat=2)
            for memory in itertools.product(moves, repeat=length - 1)}
    # Reach a node whose memory is full; the circuit goes on from there.
    node, prefix = ((False, False), ()), []
    while len(node[1]) < length - 1:
        node = follow(node, moves[0], length)
        prefix.append(moves[0])
    stack, circuit = [(node, "")], []
    while stack:  # Hierholzer
        node, move = stack[-1]
        if left[node]:
            move = left[node].pop(0)
            stack.append((follow(node, move, length), move))
        else:
            circuit.append(move)
            stack.pop()
    assert not any(left.values())
    return "".join(prefix + circuit[::-1])


def follow(node, move, length):
    (tracer, probe), memory = node
    state = (not tracer, probe) if move[0] == "T" else (tracer, not probe)
    return state, (memory + (move,))[-(length - 1):] if length > 1 else ()


OFF, ON, INT3 = "off", "on", "int3"
OWN_BYTE = {("call", "trap"), *((kind, mode) for kind in ("call6", "inline", "nop11")
                                for mode in ("trap", "jump", "auto"))}
AUTO_FALLS_BACK = {"call"}  # to a breakpoint, at a byte of its own


class Process:
    """One process's copy of the site."""

    def __init__(self, kind, mode):
        self.kind, self.mode = kind, mode
        self.tracers_byte = OFF
        self.is_probed = False  # by the kernel
        self.armed = None       # the mode, while the runtime believes the probe to be enabled
        self.is_enabled = False
        self.is_frozen = False

    def shares(self, mode):
        """Whether MODE is armed at the byte that the tracer takes."""
        return (self.kind, mode) not in OWN_BYTE

    def attach(self):
        self.tracers_byte, self.is_probed = INT3, True

    def detach(self):
        if self.tracers_byte == INT3 and self.is_probed:
            self.tracers_byte = OFF  # the kernel's copy of the file
        self.is_probed = False

    def enable(self):
        mode = "jump" if self.mode == "auto" else self.mode
        if self.is_frozen and self.tracers_byte != OFF:
            return -errno.EBUSY
        self.is_frozen = False
        if self.shares(mode) and self.tracers_byte == INT3:
            if self.mode != "auto" or self.kind not in AUTO_FALLS_BACK:
                return -errno.EBUSY
            mode = "trap"
        self.armed = mode
        if self.shares(mode):
            self.tracers_byte = INT3 if mode == "trap" else ON
        return 0

    def disable(self):
        if self.shares(self.armed):
            if self.tracers_byte == INT3 and self.armed == "jump":
                self.is_frozen = True  # the tracer's
            else:
                self.tracers_byte = OFF
        self.armed = None
        return 0

    def toggle(self):
        result = self.disable() if self.armed else self.enable()
        return result

    def hit(self, count):
        """How many the tracer sees, how many the runtime."""
        tracer = count if self.is_probed and self.tracers_byte == INT3 else 0
        if not self.armed:
            return tracer, 0
        if not self.shares(self.armed):
            return tracer, count
        own = INT3 if self.armed == "trap" else ON
        return tracer, count if self.tracers_byte == own and not tracer else 0


class Model:
    """What tracer_orders prints, step by step."""

    def __init__(self, kind, mode, scope):
        self.main, self.resident = Process(kind, mode), None
        self.is_everywhere = scope == "all"
        self.is_traced = False

    def child(self):
        child = copy.copy(self.main)
        if not self.is_everywhere and child.is_probed:
            child.detach()  # as soon as it hits the site, the kernel sees that it was not asked for
        return child

    def expect(self, steps):
        n, lines = 0, []
        for step in steps:
            if step == "T":
                self.toggle_tracer()
                lines.append("T")
            elif step == "O":
                lines.append(f"O {self.main.toggle()}")
            elif step == "k":
                self.resident = self.child()
            else:
                count = 3 + n % 5
                n += 1
                where = {"h": self.main, "f": self.child(), "r": self.resident}[step]
                count = count if where else 0
                tracer, own = where.hit(count) if where else (0, 0)
                lines.append(f"{step} {count} {tracer} {own}")
        return [*lines, "ok"]

    def toggle_tracer(self):
        self.is_traced = not self.is_traced
        watched = [self.main]
        if self.is_everywhere and self.resident:
            watched.append(self.resident)
        for process in watched:
            (process.attach if self.is_traced else process.detach)()
