# SPDX-License-Identifier: BSD-2-Clause
"""A reader of Parquet, written from parquet-format's description: what `sdt export` uses of it, and
checks that a lenient reader would not make. zstd is read by the library that apt and dpkg need."""
import ctypes
import struct
from pathlib import Path

BOOLEAN, INT32, INT64, FLOAT, DOUBLE, BYTES = 0, 1, 2, 4, 5, 6
UTF8, UNSIGNED, SIGNED = 0, range(11, 15), range(15, 19)
PLAIN, RLE, DELTA, DICTIONARY = 0, 3, 5, 8
DATA_PAGE, DICTIONARY_PAGE = 0, 2


class Bytes:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, size):
        self.at += size
        assert self.at <= len(self.data), "cut off"
        return self.data[self.at - size:self.at]

    def varint(self):
        number = shift = 0
        while True:
            [byte] = self.take(1)
            number |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return number

    def zigzag(self):
        number = self.varint()
        return number >> 1 ^ -(number & 1)


def thrift(data):
    """A struct of the compact protocol: field number → value."""
    fields, number = {}, 0
    while True:
        [byte] = data.take(1)
        if not byte:
            return fields
        number = number + (byte >> 4) if byte >> 4 else data.zigzag()
        assert number not in fields
        fields[number] = thrift_value(data, byte & 15)


def thrift_value(data, kind):
    if kind in (1, 2):
        return kind == 1
    if kind in (5, 6):
        return data.zigzag()
    if kind == 8:
        return data.take(data.varint())
    if kind == 9:
        [byte] = data.take(1)
        count = byte >> 4 if byte >> 4 < 15 else data.varint()
        return [thrift_value(data, byte & 15) for _ in range(count)]
    assert kind == 12, f"type {kind} of Thrift"
    return thrift(data)


def unpack(data, count, bits):
    """COUNT numbers of BITS bits, the lowest first."""
    number = int.from_bytes(data.take((count * bits + 7) // 8), "little")
    return [number >> i * bits & ((1 << bits) - 1) for i in range(count)]


def runs(data, count, bits):
    """The hybrid of runs and packed numbers."""
    found = []
    while len(found) < count:
        header = data.varint()
        if header & 1:
            found += unpack(data, (header >> 1) * 8, bits)
        else:
            found += [int.from_bytes(data.take((bits + 7) // 8), "little")] * (header >> 1)
    assert not any(found[count:])
    return found[:count]


def differences(data, bits):
    block, parts, count, value = data.varint(), data.varint(), data.varint(), data.zigzag()
    assert block % 128 == 0 and block // parts % 32 == 0
    found = [value] if count else []
    while len(found) < count:
        least, widths = data.zigzag(), data.take(parts)
        for width in widths:
            if len(found) < count:
                assert width <= bits
                for above in unpack(data, block // parts, width):
                    value += least + above
                    found.append(value)
            else:
                assert width == 0
    return [(value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1) for value in found[:count]]


def plain(data, kind, count):
    if kind == BOOLEAN:
        return [bool(bit) for bit in unpack(data, count, 1)]
    if kind == BYTES:
        return [data.take(*struct.unpack("<I", data.take(4))) for _ in range(count)]
    form = {INT32: "i", INT64: "q", FLOAT: "f", DOUBLE: "d"}[kind]
    return list(struct.unpack(f"<{count}{form}", data.take(count * struct.calcsize(form))))


def expand(data, size, codec):
    if codec == 0:
        return data
    assert codec == 6
    zstd = ctypes.CDLL("libzstd.so.1")
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    zstd.ZSTD_decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p,
                                     ctypes.c_size_t]
    to = ctypes.create_string_buffer(size)
    assert zstd.ZSTD_decompress(to, size, data, len(data)) == size
    return to.raw


def page(file, codec):
    """Its header and its contents."""
    header = thrift(file)
    return header, Bytes(expand(file.take(header[3]), header[2], codec))


def chunk_values(file, meta, element):
    """A column of a row group: values, None where there is none; and the encoding."""
    kind, bits, dictionary = meta[1], 32 if meta[1] == INT32 else 64, None
    assert kind == element[1]
    file.at = meta.get(11, meta[9])
    if 11 in meta:
        header, data = page(file, meta[4])
        assert header[1] == DICTIONARY_PAGE and header[7][2] == PLAIN and file.at == meta[9]
        dictionary = plain(data, kind, header[7][1])
        assert len(set(dictionary)) == len(dictionary) and data.at == len(data.data)
    header, data = page(file, meta[4])
    assert header[1] == DATA_PAGE and header[5][1] == meta[5]
    assert file.at == meta.get(11, meta[9]) + meta[7]
    rows, encoding, present = header[5][1], header[5][2], None
    if element[3] == 1:
        end = struct.unpack("<I", data.take(4))[0] + data.at
        present = runs(data, rows, 1)
        assert data.at == end
    count = sum(present) if present else rows
    if encoding == DICTIONARY:
        values = [dictionary[i] for i in runs(data, count, data.take(1)[0])]
    elif encoding == DELTA:
        values = differences(data, bits)
    else:
        assert encoding == PLAIN
        values = plain(data, kind, count)
    assert len(values) == count and data.at == len(data.data) and encoding in meta[2]
    if 12 in meta:
        assert [min(values), max(values)] == [int.from_bytes(meta[12][key], "little", signed=True)
                                              for key in (6, 5)]
    if element.get(6) == UTF8:
        values = [value.decode() for value in values]
    elif element.get(6) in UNSIGNED:
        values = [value % (1 << bits) for value in values]
    if present:
        left = iter(values)
        values = [next(left) if is_there else None for is_there in present]
    return values, encoding


class File:
    """`rows`: dictionaries; `types`: (type, converted type) of each column; `encodings` of each row
    group, by column; `groups`: rows of each; `probe`."""

    def __init__(self, path):
        data = Path(path).read_bytes()
        assert data[:4] == data[-4:] == b"PAR1"
        [size] = struct.unpack("<I", data[-8:-4])
        footer = Bytes(data[:-8], len(data) - 8 - size)
        meta = thrift(footer)
        assert footer.at == len(footer.data)
        root, *elements = meta[2]
        assert root[5] == len(elements) == len(meta[7])
        names = [element[4].decode() for element in elements]
        self.types = {name: (element[1], element.get(6)) for name, element in zip(names, elements)}
        self.rows, self.encodings, self.groups = [], [], []
        self.probe = {pair[1]: pair[2] for pair in meta[5]}[b"probe"].decode()
        for group in meta[4]:
            columns, encodings = {}, {}
            for name, element, chunk in zip(names, elements, group[1], strict=True):
                assert chunk[3][3] == [name.encode()] and chunk[3][5] == group[3]
                columns[name], encodings[name] = chunk_values(Bytes(data), chunk[3], element)
            self.rows += [dict(zip(names, row)) for row in zip(*columns.values(), strict=True)]
            self.encodings.append(encodings)
            self.groups.append(group[3])
        assert len(self.rows) == meta[3] == sum(self.groups)
