# SPDX-License-Identifier: BSD-2-Clause
"""CREL: an object's relocations written as clang -Wa,--crel does, for tests without such a clang.

A section begins with a number: eight times the count, 4 if there are addends, and by how many bits
offsets are shifted. Each relocation is a byte of flags (a new symbol, type, addend) and of the
lowest bits of the distance to the one before, then the rest, as differences.
"""
import struct

SHT_RELA, SHT_CREL = 4, 0x40000014


def uleb(value):
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def sleb(value):
    out = bytearray()
    while not -0x40 <= value < 0x40:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out) + bytes([value & 0x7f])


def difference(new, old, bits):
    """Signed, modulo 2**BITS: as far as it must go either way."""
    return (new - old + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def encode(relas, has_addends=True):
    """(offset, symbol, type, addend) of each relocation, as the contents of a section."""
    shift = next((n for n in (3, 2, 1) if all(rela[0] % (1 << n) == 0 for rela in relas)), 0)
    flag_bits = 3 if has_addends else 2
    out = bytearray(uleb(len(relas) * 8 + (4 if has_addends else 0) + shift))
    last = (0, 0, 0, 0)
    for rela in relas:
        distance = (rela[0] - last[0]) % (1 << 64) >> shift
        changes = [difference(rela[i], last[i], 64 if i == 3 else 32) for i in (1, 2, 3)]
        if not has_addends:
            changes.pop()
        flags = sum(1 << i for i, change in enumerate(changes) if change)
        low = 7 - flag_bits
        first = (distance & (1 << low) - 1) << flag_bits | flags
        more = distance >> low
        out += bytes([first | 0x80]) + uleb(more) if more else bytes([first])
        for change in changes:
            if change:
                out += sleb(change)
        last = rela
    return bytes(out)


def convert(data, has_addends=True):
    """The 64-bit object DATA with all of its SHT_RELA sections as CREL."""
    data = bytearray(data)
    shoff, = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)
    name_table, = struct.unpack_from("<Q", data, shoff + 64 * names + 24)
    for at in range(shoff, shoff + 64 * count, 64):
        name, kind = struct.unpack_from("<II", data, at)
        offset, size = struct.unpack_from("<QQ", data, at + 24)
        if kind != SHT_RELA:
            continue
        relas = [(where, info >> 32, info & 0xffffffff, addend) for where, info, addend in
                 struct.iter_unpack("<QQq", data[offset:offset + size])]
        contents = encode(relas, has_addends)
        struct.pack_into("<I", data, at + 4, SHT_CREL)
        struct.pack_into("<QQ", data, at + 24, len(data), len(contents))
        struct.pack_into("<QQ", data, at + 48, 1, 1)
        assert data[name_table + name:][:5] == b".rela"
        data[name_table + name:name_table + name + 5] = b".crel"
        data += contents
    return bytes(data)


def find(data, name):
    """Where the contents of the only section of this name are: from, to."""
    shoff, = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)
    name_table, = struct.unpack_from("<Q", data, shoff + 64 * names + 24)
    for at in range(shoff, shoff + 64 * count, 64):
        start = name_table + struct.unpack_from("<I", data, at)[0]
        if data[start:data.index(0, start)] == name.encode():
            offset, size = struct.unpack_from("<QQ", data, at + 24)
            return offset, offset + size
    raise KeyError(name)
