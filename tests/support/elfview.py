# SPDX-License-Identifier: BSD-2-Clause
"""An independent view of ELF files: pyelftools for the structures, objdump for the instructions.

Nothing here shares code with the tool or the runtime; even the layout of `struct sdt_site` is
written down a second time, so that a test fails if one of the two is wrong.

    view = ElfView(path)
    view.sections                 every section, in order: .name .type .flags .link .info .data ...
    view.section(".text")         the only section of that name
    view.symbols / view.symbol(n) .name .value .size .bind .type .visibility .section
    view.relocations(section)     of the section with that index or name: .offset .type .symbol
                                  .addend .target (section name of a section symbol)
    view.groups                   [(signature, [member index, ...])]
    view.sites()                  decoded records, of a linked file or of an object
    view.disassemble(address)     one instruction of a linked file, as objdump prints it
    view.bytes(address, n)        of a linked file
"""
import dataclasses
import functools
import struct
import subprocess

from elftools.elf.elffile import ELFFile
from elftools.elf.enums import ENUM_RELOC_TYPE_x64

RELOCATION_NAMES = {number: name for name, number in ENUM_RELOC_TYPE_x64.items()
                    if isinstance(number, int)}
SITE = struct.Struct("<8iIBBH")
SITE_FIELDS = ("pc", "probe", "stub", "name", "function", "module", "args", "file")
NAMES = ("name", "function", "module", "file")  # of strings
KINDS = {1: "call", 2: "call6", 3: "inline", 4: "tail", 5: "tail6", 6: "jcc", 7: "enabled",
         8: "enabled6", 9: "enabled-tail", 10: "enabled-tail6", 11: "nop1", 12: "nop11",
         13: "direct-call", 14: "direct-tail", 15: "direct-enabled-tail"}
UNTYPED, COMPANION, LIVE_FLAGS, NOTE = 1, 2, 4, 64
SHF_ALLOC, SHF_EXECINSTR, SHF_LINK_ORDER, SHF_GROUP = 2, 4, 0x80, 0x200


@dataclasses.dataclass
class Section:
    index: int
    name: str
    type: str
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    align: int
    entsize: int
    data: bytes = dataclasses.field(repr=False)


@dataclasses.dataclass
class Symbol:
    index: int
    name: str
    value: int
    size: int
    bind: str
    type: str
    visibility: str
    section: object  # index, or "SHN_UNDEF", "SHN_ABS", ...


@dataclasses.dataclass
class Relocation:
    index: int
    offset: int
    type: str
    symbol: Symbol
    addend: int


@dataclasses.dataclass
class Site:
    """One record. Linked file: pc, probe, stub are addresses. Object: pc is an offset in section
    `text` (an index), probe and stub are symbol names."""
    pc: int
    probe: object
    stub: object
    function: object
    module: object
    args: object
    kind: str
    nargs: int
    flags: int
    provider: object = None
    name: object = None
    text: object = None
    file: object = None   # "server.c"
    line: int = 0
    fields: tuple = ()    # ("s", "path"), ("i", "n"), ...

    @property
    def place(self):
        return f"{self.file}:{self.line}" if self.file else ""

    @property
    def title(self):
        return f"{self.provider}:{self.name}"


def _string(data, offset):
    return data[offset:data.index(b"\0", offset)].decode()


def _descriptor(data, offset, nargs):
    """An argument descriptor: itself, and (kind, name) for each argument."""
    args = _string(data, offset)
    if not args.endswith("\t"):
        return {"args": args}
    fields = data[offset + len(args) + 1:].split(b"\0", nargs)[:nargs]
    fields = tuple(tuple(field.decode().split(":", 1)) for field in fields)
    return {"args": args[:-1], "fields": fields}


class ElfView:
    def __init__(self, path):
        self.path = str(path)
        with open(path, "rb") as file:
            elf = ELFFile(file)
            self.type = elf["e_type"]
            self.header = dict(elf.header)
            self.sections = [self._section(i, s) for i, s in enumerate(elf.iter_sections())]

    @staticmethod
    def _section(index, s):
        data = b"" if s["sh_type"] in ("SHT_NOBITS", "SHT_NULL") else s.data()
        return Section(index, s.name, s["sh_type"], s["sh_flags"], s["sh_addr"], s["sh_offset"],
                       s["sh_size"], s["sh_link"], s["sh_info"], s["sh_addralign"],
                       s["sh_entsize"], data)

    @functools.cached_property
    def symbols(self):
        with open(self.path, "rb") as file:
            table = ELFFile(file).get_section_by_name(".symtab")
            return self._read_symbols(table) if table else []

    def _read_symbols(self, table):
        extended = next((s.data for s in self.sections if s.type == "SHT_SYMTAB_SHNDX"), b"")
        symbols = []
        for index, symbol in enumerate(table.iter_symbols()):
            section = symbol["st_shndx"]
            if section == "SHN_XINDEX":
                section, = struct.unpack_from("<I", extended, index * 4)
            symbols.append(Symbol(index, symbol.name, symbol["st_value"], symbol["st_size"],
                                  symbol["st_info"]["bind"][4:], symbol["st_info"]["type"][4:],
                                  symbol["st_other"]["visibility"][4:], section))
        return symbols

    # ---- finding things ----

    def sections_named(self, name):
        return [s for s in self.sections if s.name == name]

    def section(self, name):
        found = self.sections_named(name)
        assert len(found) == 1, f"{self.path}: {len(found)} sections named {name}"
        return found[0]

    def symbols_named(self, name):
        return [s for s in self.symbols if s.name == name]

    def symbol(self, name):
        found = self.symbols_named(name)
        assert len(found) == 1, f"{self.path}: {len(found)} symbols named {name}"
        return found[0]

    def undefined(self):
        return {s.name for s in self.symbols[1:] if s.section == "SHN_UNDEF"}

    def relocations(self, section):
        """Of the section with this index or name, in file order."""
        target = section if isinstance(section, int) else self.section(section).index
        found = []
        for s in self.sections:
            if s.type != "SHT_RELA" or s.info != target:
                continue
            for offset, info, addend in struct.iter_unpack("<QQq", s.data):
                kind = info & 0xffffffff
                name = RELOCATION_NAMES.get(kind, str(kind))
                found.append(Relocation(len(found), offset, name, self.symbols[info >> 32],
                                        addend))
        return found

    @property
    def groups(self):
        found = []
        for s in self.sections:
            if s.type == "SHT_GROUP":
                words = struct.unpack(f"<{len(s.data) // 4}I", s.data)
                found.append((self.symbols[s.info].name, list(words[1:])))
        return found

    def group_of(self, index):
        return next((name for name, members in self.groups if index in members), None)

    # ---- linked files ----

    def bytes(self, address, count):
        for s in self.sections:
            if s.flags & SHF_ALLOC and s.data and s.address <= address < s.address + s.size:
                start = address - s.address
                return s.data[start:start + count]
        raise AssertionError(f"{self.path}: no contents at {address:#x}")

    def string(self, address):
        for s in self.sections:
            if s.flags & SHF_ALLOC and s.data and s.address <= address < s.address + s.size:
                return _string(s.data, address - s.address)
        raise AssertionError(f"{self.path}: no contents at {address:#x}")

    def _descriptor(self, address, nargs):
        for s in self.sections:
            if s.flags & SHF_ALLOC and s.data and s.address <= address < s.address + s.size:
                return _descriptor(s.data, address - s.address, nargs)
        raise AssertionError(f"{self.path}: no contents at {address:#x}")

    def disassemble(self, address, count=1):
        """COUNT instructions from ADDRESS: 'nop' or ['nop', ...], blanks collapsed."""
        out = subprocess.run(
            ["objdump", "-d", "--no-show-raw-insn", f"--start-address={address:#x}",
             f"--stop-address={address + 16 * count:#x}", self.path],
            capture_output=True, text=True, check=True).stdout
        found = [" ".join(line.split("\t", 1)[1].split()) for line in out.splitlines()
                 if line.startswith(" ") and "\t" in line]
        return found[0] if count == 1 else found[:count]

    def _linked_sites(self):
        for table in self.sections_named("sdt_sites") + self.sections_named(".sdt_sites"):
            assert table.size % SITE.size == 0
            for at in range(0, table.size, SITE.size):
                words = SITE.unpack_from(table.data, at)
                place = {name: table.address + at + 4 * i + words[i] if words[i] else None
                         for i, name in enumerate(SITE_FIELDS)}
                for name in NAMES:
                    place[name] = self.string(place[name]) if place[name] else None
                if place["args"]:
                    place.update(self._descriptor(place["args"], words[10]))
                place["provider"], place["name"] = place["name"].split(":")
                yield Site(**place, line=words[8], kind=KINDS[words[9]], nargs=words[10],
                           flags=words[11])

    # ---- objects ----

    def _object_sites(self, name):
        for table in self.sections_named(name):
            by_offset = {r.offset: r for r in self.relocations(table.index)
                         if r.type == "R_X86_64_PC32"}
            for at in range(0, table.size, SITE.size):
                words = SITE.unpack_from(table.data, at)
                field = {n: by_offset.get(at + 4 * i) for i, n in enumerate(SITE_FIELDS)}
                text = {n: _string(self.sections[field[n].symbol.section].data,
                                   field[n].symbol.value + field[n].addend) if field[n] else None
                        for n in NAMES}
                args = field["args"]
                text.update(_descriptor(self.sections[args.symbol.section].data,
                                        args.symbol.value + args.addend, words[10])
                            if args else {"args": None})
                text["provider"], text["name"] = text["name"].split(":")
                yield Site(field["pc"].symbol.value + field["pc"].addend,
                           field["probe"].symbol.name, field["stub"].symbol.name, **text,
                           line=words[8], kind=KINDS[words[9]], nargs=words[10], flags=words[11],
                           text=field["pc"].symbol.section)

    def sites(self, section="sdt_sites"):
        if self.type == "ET_REL":
            return list(self._object_sites(section))
        return sorted(self._linked_sites(), key=lambda site: site.pc)
