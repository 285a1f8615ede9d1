/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/format.h> -- the one contract between the build-time tool and the runtime.
 *
 * `sdtlink` writes these structures into relocatable objects, the final linker concatenates and
 * relocates them, and the runtime reads them in the running program. docs/format.md walks through
 * one of them byte by byte; a test holds that page against this header.
 *
 * What an object carries after `sdtlink -o out.o in.o`:
 *
 *   sdt_sites       one struct sdt_site per probe site. One such section per text section that has
 *                   sites: SHF_LINK_ORDER to it, and a member of its COMDAT group if it has one, so
 *                   that a site's record lives and dies with the site. Read-only. Every address is
 *                   a 32-bit distance *from the field itself*, so that no dynamic relocation and no
 *                   text relocation is needed, and the final linker computes it: sections may be
 *                   garbage-collected, folded, reordered and relaxed at will.
 *   .bss.sdt_probes one struct sdt_probe per probe and enum sdt_access, defined by a hidden weak
 *                   symbol, such as __sdt_probe_<provider>___<name>: a DSO uses the first one of
 *                   each name. Nothing is in the file: it belongs to the runtime.
 *   .text.sdt_stub  the stub of a probe that has sites which call it, in a COMDAT group named after
 *                   its symbol, __sdt_stub_<provider>___<name>. (On aarch64 each text section has
 *                   stubs of its own, beside it and in its group, one for each of its probes: a
 *                   branch may not reach another file's.)
 *   .text.sdt_entry the code that an inline site jumps to, with unwind information; beside each
 *                   text section that has such sites, in its COMDAT group.
 *   .rodata.sdt_str names and argument descriptors, a mergeable string section.
 *   .rodata.sdt_fields argument descriptors that are followed by the names of the arguments.
 *   (group __sdt_dso)  one struct sdt_dso per DSO and the constructor that hands it to the runtime.
 *
 * Threading: the set is constant after relocation. Of struct sdt_probe and struct sdt_dso, the
 * fields marked "runtime" belong to the runtime, which says in its own sources how it locks them.
 *
 * Sources: System V ABI, gABI chapter 4 (section groups, SHF_LINK_ORDER); x86-64 psABI 4.4
 * (R_X86_64_PC32: S + A - P, where P is the address of the field).
 */
#ifndef SDT_FORMAT_H
#define SDT_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "SDTL" read as a little-endian word; first word of struct sdt_dso. */
#define SDT_FORMAT_MAGIC 0x4c544453u
/* Raised when a reader of the old format would misread the new one. 4: two constructors register
 * the object, the first of them before those of the program. 5: records have the file and the
 * line, and not the patch byte. 6: records have the probe's name, and probes nothing but two words
 * of the runtime's. */
#define SDT_FORMAT_VERSION 6u
#define SDT_FORMAT_OLDEST 6u /* that is still read */

/* Section and symbol names. */
#define SDT_SECTION_SITES "sdt_sites"
#define SDT_SECTION_BOUNDED ".sdt_sites" /* the same records, between two bounds objects */
#define SDT_SECTION_COMPANION "sdt_companion"
#define SDT_SECTION_PROBES ".bss.sdt_probes"
#define SDT_SECTION_STRINGS ".rodata.sdt_str"
#define SDT_SECTION_OPERANDS ".rodata.sdt_rip"      /* descriptors that name variables */
#define SDT_SECTION_WORDS ".data.rel.ro.sdt"        /* addresses, where the GOT cannot be named */
#define SDT_SECTION_FIELDS ".rodata.sdt_fields"     /* descriptors that names follow */
#define SDT_SECTION_STUB ".text.sdt_stub"           /* in a group of its own; aarch64: as entries */
#define SDT_SECTION_LOADER ".text.sdt_loader"       /* in the site's group */
#define SDT_SECTION_ENTRY ".text.sdt_entry"         /* the same */
#define SDT_SECTION_TAKEN ".text.sdt_taken"         /* address-taken stubs that stay callable */
#define SDT_SECTION_ANCHOR ".rodata.sdt_note"       /* ties the tracers' notes to the records */
#define SDT_SECTION_ARGS ".sdt_args"                /* compiler -> tool; SHF_EXCLUDE */
#define SDT_SECTION_KERNEL_ARGS ".discard.sdt_args" /* the same of Linux, which discards it */
#define SDT_SECTION_DESCRIBED ".sdt_described" /* the same, of sdt-dtrace -h: sdt-describe(5) */
#define SDT_SECTION_ENUMS ".sdt_enums"         /* the same, of SDT_ENUM_NAMES: <sdt/enum.h> */
#define SDT_SYMBOL_CALL "__dtrace_sdt_"
#define SDT_SYMBOL_INLINE "__dtrace_sdtasm_"
#define SDT_SYMBOL_ENABLED "__dtrace_sdtenabled_"
/* May follow each of these three: <sdt/probe.h> writes it, for readers of linkers' messages. */
#define SDT_SYMBOL_REMEDY "run_sdtlink___"
#define SDT_SYMBOL_MARK "__dtrace_sdtmark" /* undefined, unused: "this file has inline sites" */
#define SDT_SYMBOL_STUB "__sdt_stub_"
#define SDT_SYMBOL_PROBE "__sdt_probe_"     /* SDT_BY_ENTRY; all three: <provider>___<name> */
#define SDT_SYMBOL_FLAGGED "__sdt_flagged_" /* SDT_BY_FLAGGED_ENTRY */
#define SDT_SYMBOL_CALLED "__sdt_called_"   /* SDT_BY_CALL */
#define SDT_SYMBOL_ENTRIES "__sdt_entries"  /* local: the entries of one text section */
#define SDT_SYMBOL_DSO "__sdt_dso"
/* What the runtime of a freestanding set (below) defines: where x86-64's entries, stubs and
 * disabled tail calls lead. */
#define SDT_SYMBOL_ENTER "__sdt_enter"
#define SDT_SYMBOL_ENTER_CALL "__sdt_enter_call"
#define SDT_SYMBOL_FINISH "__sdt_finish"
#define SDT_SYMBOL_SITES_BEGIN "__start_" SDT_SECTION_SITES
#define SDT_SYMBOL_SITES_END "__stop_" SDT_SECTION_SITES

/*
 * How a site was compiled, and hence which bytes it may hold. The numbers are part of the format.
 * "patch" is the offset, inside the site, of the one byte that ever changes when the site is armed
 * for jumps; `arch/arch.h` has the byte forms. These bytes, and those of stubs, loaders and entries
 * below, are x86-64's; docs/decisions/0041-forms-of-a-site-on-aarch64.md has the others.
 *
 *   kind           compiled as        disabled in the file            patch
 */
enum sdt_kind {
    SDT_KIND_CALL = 1,           /* e8 rel32       90 66 0f 1f MM        0 */
    SDT_KIND_CALL6 = 2,          /* ff 15 disp32   90 3e 66 0f 1f MM     1 */
    SDT_KIND_INLINE = 3,         /* below */
    SDT_KIND_TAIL = 4,           /* e9 rel32       c3 rel32              0 */
    SDT_KIND_TAIL6 = 5,          /* ff 25 disp32   c3 rel32 cc           0 */
    SDT_KIND_JCC = 6,            /* 0f 8x rel32    kept; loader: c3      0 (of the loader) */
    SDT_KIND_ENABLED = 7,        /* e8 rel32       b8 00 00 00 00        1 */
    SDT_KIND_ENABLED6 = 8,       /* ff 15 disp32   b8 00 00 00 00 90     1 */
    SDT_KIND_ENABLED_TAIL = 9,   /* e9 rel32       6a 00 58 c3 cc        1 */
    SDT_KIND_ENABLED_TAIL6 = 10, /* ff 25 disp32   6a 00 58 c3 cc cc     1 */
    SDT_KIND_NOP1 = 11,          /* 90             90                    0 */
    SDT_KIND_NOP11 = 12,         /* below; x86-64 only */
    /* Of freestanding sets, x86-64 only: */
    SDT_KIND_DIRECT_CALL = 13,         /* e8 rel32       a9 rel32              0 */
    SDT_KIND_DIRECT_TAIL = 14,         /* e9, 0f 8x      kept; loader: eb 0c   1 (of the loader) */
    SDT_KIND_DIRECT_ENABLED_TAIL = 15, /* e9, 0f 8x     kept; loader: b8 0    1 (of the loader) */
    /* Calls that gcc makes by itself (`sdtlink --functions`), x86-64 only; below: */
    SDT_KIND_FUNCTION = 16,       /* e8 rel32       a9 rel32              0 */
    SDT_KIND_FUNCTION6 = 17,      /* ff 15 disp32   90 a9 rel32           1 */
    SDT_KIND_FUNCTION_RETURN = 18 /* e8 rel32 c3    c3 rel32              0 */
};

/*
 * An inline site is 10 bytes, which asm statements of our own compile; REL32 leads to its entry:
 *
 *   compiled    90  66 0f 1f 00           e8 rel32    nop; nopw (%rax); call
 *   disabled    90  66 0f 1f 84 e9 rel32              nop; nopw rel32(%rcx,%rbp,8)
 *   enabled     90  66 0f 1f 00           e9 rel32    nop; nopw (%rax); jmp
 *
 * The patch byte is byte 4, the ModRM byte of the NOP: 84 makes the e9 after it the SIB byte of an
 * address that a NOP does not use, and 00 makes it the opcode of a jump.
 *
 * A nop11 site is the same with one prefix more: `nop; nopw`, which <usdt.h> of libbpf compiles at
 * its notes. It stays as it was compiled: kernels that optimise it for tracers accept no other
 * bytes. Before the runtime arms it by a jump for the first time, it writes that jump into the
 * operand, where it stays:
 *
 *   in the file  90  66 2e 0f 1f 84 00 00 00 00 00    nop; nopw %cs:0(%rax,%rax)
 *   disabled     90  66 2e 0f 1f 84 e9 rel32          nop; nopw %cs:rel32(%rcx,%rbp,8)
 *   enabled      90  66 2e 0f 1f 00    e9 rel32       nop; nopw %cs:(%rax); jmp
 *
 * The patch byte is byte 5. Assemblers fill gaps by such a NOP as well, which code may then jump
 * to; so it is a nop11 site only if no gap can end there, or if .sdt_args says that it is one.
 */

/*
 * A function site is a call of __fentry__, the first instruction of a function, or of __return__,
 * which is before its return, or before the jump of a tail call (gcc -pg -mfentry
 * -minstrument-return=call); or it is in a sled of XRay's (clang -fxray-instrument). Every register
 * is live there, but not the flags. REL32 leads to its entry, as that of an inline site:
 *
 *   compiled    e8 rel32     call __fentry__    ff 15 disp32   call *__fentry__@GOTPCREL(%rip)
 *   disabled    a9 rel32     test $rel32,%eax   90 a9 rel32    nop; test $rel32,%eax
 *   enabled     e9 rel32     jmp                90 e9 rel32    nop; jmp
 *
 * Where the instruction after a direct call is a return, the disabled site is one as well (c3
 * rel32), so that it costs nothing; enabled, its entry leads to the return after it. (On aarch64 a
 * sled's first word is an inline site.)
 *
 * Its probe is SDT_FUNCTION_PROVIDER:entry or SDT_FUNCTION_PROVIDER:return. Its first argument is
 * the stack pointer, SDT_FUNCTION_FRAME: what the two hits of one call have in common, and no other
 * call that lasts at that time. Where debug information says so, the function's parameters or its
 * result follow. Such a site has no note: tracers know where functions begin.
 */
#define SDT_FUNCTION_PROVIDER "fn"
#define SDT_FUNCTION_ENTRY "entry"
#define SDT_FUNCTION_RETURN "return"
#define SDT_FUNCTION_FRAME "frame"

/*
 * A freestanding set (`sdtlink --freestanding`) is for a kernel, or a program with no operating
 * system: nothing loads or starts its runtime. Its differences from the others:
 *
 *   - There is no struct sdt_dso and no constructor. Who links or loads the object says where its
 *     records begin and end: by the linker's __start_sdt_sites and __stop_sdt_sites, or by the
 *     section's header.
 *   - Every record has SDT_SITE_FREESTANDING, and the format's version in its flags.
 *   - Each object has its own struct sdt_probe, in .bss, also of a probe that others have: records
 *     of one name are of one probe.
 *   - No notes for tracers unless asked for; unwind information only if the object has some, in
 *     .eh_frame or in Linux's ORC tables; and no section groups but those that the text is in.
 *   - What the sites of a text section lead to is beside it: in a section of its name and
 *     ".sdt_entry", ".sdt_stub" or ".sdt_loader". So the code of .init.text is freed with it.
 *   - On x86-64, no branch is indirect (a kernel built with retpolines has none), and nothing ends
 *     in a plain return (one built with return thunks has none): the code below leads to three
 *     functions of the runtime, by direct branches. On aarch64 and riscv64 the code is that of
 *     other sets, because a direct branch may get a veneer, which changes registers that are live.
 *
 * A call is not a NOP of one form in the file and a call of another when it is armed: one byte
 * makes the difference, and its displacement stays. A disabled one is `test $rel32,%eax`, which
 * changes nothing but the flags, as a call may. A tail call and a conditional one keep their
 * branch, which leads to the site among the loaders:
 *
 *    0  eb 0c|00          jmp  1f; enabled: jmp to the next instruction
 *    2  4c 8d 1d rel32    lea  patch(%rip),%r11
 *    9  e9 rel32          jmp  stub + SDT_STUB_AT
 *   14  e9 rel32       1: jmp  __sdt_finish, which returns; int3 up to 32 bytes
 *
 * A question in such a place leads to:
 *
 *    0  b8 00|01 0 0 0    mov  $0,%eax
 *    5  e9 rel32          jmp  __sdt_finish; int3 up to 16 bytes
 *
 * In the stub, `jmp __sdt_enter_call` (e9 rel32) is at 15; in the entry, `cs call __sdt_enter`
 * (2e e8 rel32) at 5.
 */

/* Bits of sdt_site.flags. */
enum sdt_site_flag {
    SDT_SITE_UNTYPED = 1,    /* no descriptor came with the call: six unsigned 64-bit words */
    SDT_SITE_COMPANION = 2,  /* the file still holds the call; the runtime NOPs it at start-up */
    SDT_SITE_LIVE_FLAGS = 4, /* the CPU's flags may be live across the site (.S, users' asm) */
    SDT_SITE_MOVED = 8,      /* the compiled branch stays and leads to `pc`, among the loaders */
    SDT_SITE_SEMAPHORE = 16, /* of a note: `module` leads to its semaphore, a counter */
    SDT_SITE_INDIRECT = 32,  /* … or to a word of the GOT that holds the semaphore's address */
    SDT_SITE_NOTE = 64,      /* the tool made a .note.stapsdt for it; nop1 and nop11 had one */
    SDT_SITE_FREESTANDING = 128, /* of a freestanding set; … */
    SDT_SITE_VERSION = 0xff00    /* … SDT_FORMAT_VERSION, of such a record alone, in these bits */
};
#define SDT_SITE_VERSION_SHIFT 8

/* How threads come from a site to its probe, which has a struct sdt_probe for each. */
enum sdt_access {
    SDT_BY_ENTRY,         /* inline, nop1, nop11 */
    SDT_BY_FLAGGED_ENTRY, /* the same, with SDT_SITE_LIVE_FLAGS */
    SDT_BY_CALL           /* all other kinds: by the stub, or not at all */
};

/*
 * One probe site: 40 bytes, aligned to 4. Each signed word is the distance from its own address to
 * the thing it names; 0 means "none" where that is allowed. What identifies the site is its patch
 * byte, at the offset from `pc` that its kind has (stubs get that address in %r11).
 */
struct sdt_site {
    int32_t pc;       /* first byte of the site, which tracers change; for a jcc, its loader */
    int32_t probe;    /* struct sdt_probe of this DSO */
    int32_t stub;     /* the probe's stub, its entry from a call (see SDT_STUB_AT); of an inline
                         or note's site: its entry (see SDT_ENTRY_SIZE) */
    int32_t name;     /* NUL-terminated `provider:name` */
    int32_t function; /* NUL-terminated name of the function around the site; 0: unknown */
    int32_t module;   /* NUL-terminated module name that overrides the DSO's; 0: none; or the
                         semaphore, see SDT_SITE_SEMAPHORE */
    int32_t args;     /* NUL-terminated argument descriptor; 0: no arguments */
    int32_t file;     /* NUL-terminated name of the source, as the compiler knew it; 0: unknown */
    uint32_t line;    /* in it; 0: unknown */
    uint8_t kind;     /* enum sdt_kind */
    uint8_t nargs;    /* 0..SDT_MAX_ARGS */
    uint16_t flags;   /* enum sdt_site_flag */
};

#define SDT_MAX_ARGS 12

/*
 * The argument descriptor: one `TYPE@OPERAND` per argument, separated by single blanks, e.g.
 * "-4@%rdi 8p@%rsi 8f@%rdx 2@8(%rsp)".
 *
 *   TYPE     [-]SIZE[f|p]: SIZE is 1, 2, 4 or 8 (bytes of the declared type); `-` says signed;
 *            `f` float (4f) or double (8f); `p` pointer; neither: unsigned integer, enum or bool.
 *   OPERAND  where the argument is when the program counter is at `pc`: a 64-bit register name, a
 *            constant `$n`, or `d(%reg)`, all numbers decimal.
 *
 * A nop1 or nop11 site has the operands that its note has: whatever the producer wrote. The runtime
 * evaluates constants (also `$0x10` and `010`), general registers under all their names, xmm
 * registers, and memory `d(%base,%index,scale)` with any part missing. Any other operand, such as
 * `?`, which stands for what the tool did not understand, has no value: sdt_nargs() counts it,
 * sdt_arg() returns 0. Two operands need the final linker: `name(%rip)`, a variable, and
 * `*name(%rip)`, one that another file may define, whose address is in the GOT. A descriptor with
 * such operands is in SDT_SECTION_OPERANDS, preceded by a word (a distance, as in struct sdt_site)
 * for each of them, in reverse order. The word leads to the variable, or to its entry of the GOT.
 *
 * A descriptor that ends in a tab is followed, after its NUL, by a string for each argument, which
 * says what it is called (SDT_SECTION_FIELDS; sites of one object with the same strings share
 * them, but linkers do not merge such a section):
 *
 *   "-4@%rdi 8p@%rsi\t" "i:n" "s:path"
 *
 * Each is `KIND:NAME`, NAME a C identifier, no two the same, and KIND what the value means:
 *
 *   i u f   signed or unsigned integer; float or double: what the type says
 *   x       unsigned, to be shown in base 16
 *           i, u and x may have names of values, `i;0=idle;1=in%20use:state`: decimal numbers,
 *           and text in which %XX is a byte
 *   b       bool
 *   p       an address; what it points to does not matter
 *   s       the address of text that ends with a NUL
 *   t y     the address of text (t) or bytes (y); the next argument is how many bytes
 *   n       the length of the argument before it
 *   a       the address of an array; the next argument is how many elements it has
 *   m       the argument after that length: the elements have its type; its value does not matter
 *   v       the address of a struct sdt_text (<sdt/runtime.h>): where text is, and how long
 *   S M U N a duration, in seconds, milli-, micro- or nanoseconds: a signed integer
 *
 * At call sites (every kind without an entry) each argument is one 64-bit word, arguments 0-5 in
 * rdi, rsi, rdx, rcx, r8, r9, argument i >= 6 on the stack: when `pc` is reached, at 8*(i-6)(%rsp)
 * if the site is a call, and one word higher, at 8*(i-5)(%rsp), if it is a tail call (tail, tail6,
 * jcc), where the caller's return address is on top already. In the stub both are at the same
 * offset, since a call has pushed its own return address by then. An integer was extended by its
 * own type; a float was converted to double; a double is its bits.
 *
 * On i386 all arguments are on the stack, in words of four bytes: argument 0 at 0(%esp) if the site
 * is a call, at 4(%esp) if it is a tail call. One of eight bytes takes two words, and so does a
 * float. A call without a descriptor has six arguments of four bytes.
 */

/* A word of the structures below has 8 bytes on every machine; i386 uses the first four. */
#define SDT_FORMAT_WORD __attribute__((aligned(8)))

/*
 * What hits of one probe of one DSO read, if they come by one enum sdt_access: 16 bytes, aligned to
 * 16, zeros in the file. Which it is, its records say.
 */
struct sdt_probe {
    void *way SDT_FORMAT_WORD;     /* runtime: where the stub jumps, or what entries call (see
                                      SDT_ENTRY_SIZE); 0 while it was never on */
    void *runtime SDT_FORMAT_WORD; /* runtime: its own state of it; set before `way`, and never 0
                                      again */
};

/*
 * One loaded object that has sites: the executable or a library. Its constructor calls
 * __sdt_register(dso) if the program has a runtime, its destructor __sdt_unregister(dso). Both are
 * weak references: without the runtime the program links and runs, its probes off.
 *
 * The constructor is entered twice: in .init_array.00100, which linkers put before the constructors
 * of the program, whose hits are then seen, and in .init_array, for linker scripts that know no
 * other. The second call does nothing.
 */
struct sdt_dso {
    uint32_t magic;                       /* SDT_FORMAT_MAGIC */
    uint16_t version;                     /* SDT_FORMAT_VERSION */
    uint16_t size;                        /* sizeof(struct sdt_dso), for later growth */
    int32_t sites_begin;                  /* first record; distance from this field */
    int32_t sites_end;                    /* one past the last record; distance from this field */
    struct sdt_dso *next SDT_FORMAT_WORD; /* runtime: list of registered objects */
    void *runtime SDT_FORMAT_WORD;        /* runtime: its index of this object's sites */
};

/*
 * Called by the constructors and destructors that sdtlink emits; on i386 by a jump, with the
 * address in %eax. Not for users.
 */
#if defined(__i386__)
#define SDT_FORMAT_CALL __attribute__((regparm(1)))
#else
#define SDT_FORMAT_CALL
#endif
void __sdt_register(struct sdt_dso *dso) SDT_FORMAT_CALL;
void __sdt_unregister(struct sdt_dso *dso) SDT_FORMAT_CALL;

/*
 * The stub of a probe, hidden, one body per probe and DSO. %r11 carries the address of the site's
 * patch byte, %r10 that of the struct sdt_probe; `entry` is reached by a jump with the site's own
 * stack and argument registers, and returns to the site.
 *
 *    0  4c 8b 1c 24       mov  (%rsp),%r11         entered by a call: patch byte = return - 5
 *    4  49 83 eb 05       sub  $5,%r11
 *    8  4c 8d 15 rel32    lea  probe(%rip),%r10    SDT_STUB_AT: entered with %r11 set
 *   15  49 8b 02          mov  (%r10),%rax
 *   18  48 85 c0          test %rax,%rax
 *   21  74 02             je   1f
 *   23  ff e0             jmp  *%rax
 *   25  c3             1: ret
 *
 * A companion defines the probe's symbols as functions. The symbol of the calls is the stub; that
 * of the is-enabled calls is a second body, which starts with the same 15 bytes, so that the
 * runtime finds its probe, and then returns 0, whatever the probe's state:
 *
 *   15  31 c0                xor  %eax,%eax
 *   17  c3                   ret
 *
 * A tail or jcc site is entered through its loader, 16 bytes:
 *
 *    0  4c 8d 1d rel32    lea  patch(%rip),%r11
 *    7  e9 rel32          jmp  stub + SDT_STUB_AT
 *   12  cc cc cc cc
 *
 * The entry of an inline, nop1 or nop11 site, where every register is live, and so are the 128
 * bytes below the stack pointer (the red zone). 32 bytes, aligned to 32, since the unwind
 * information that all entries of a section share looks at the low bits of the program counter:
 *
 *    0  48 8d 64 24 80         lea  -128(%rsp),%rsp
 *    5  ff 15 rel32            call *probe.way(%rip)
 *   11  48 8d a4 24 80 0 0 0   lea  128(%rsp),%rsp
 *   19  e9 rel32               jmp  the first byte after the site
 *   24  .long  record - .      struct sdt_site
 *   28  .long  probe - .       struct sdt_probe
 *
 * The called function preserves every register. It finds the site by the return address, entry +
 * 11, and an unwinder continues at the place that the entry jumps to, as if the site were a call.
 *
 * The conditional jump of a jcc site stays in the text, aimed at the site itself, which is among
 * the loaders: `c3|e9 00 00 00 00`, its loader after it, and int3 up to 32 bytes. A conditional
 * jump to an is-enabled symbol is aimed at the enabled-tail form, `6a 00|01 58 c3`, and int3 up to
 * 16.
 */
#define SDT_STUB_SIZE 32
#define SDT_STUB_AT 8
#define SDT_LOADER_SIZE 16
#define SDT_ENTRY_SIZE 32
#define SDT_ENTRY_RETURN 11 /* where its call returns to; 16 on aarch64 */
#define SDT_ENTRY_JUMP 20   /* the displacement of its jump */
#define SDT_ENTRY_RECORD 24
#define SDT_ENTRY_PROBE 28

/*
 * On aarch64 and riscv64, a companion holds the sites of tail calls and is-enabled calls itself;
 * their records have SDT_SITE_MOVED. The word so many bytes before such a site is the distance to
 * the branch in the object, which leads to the stub until start-up aims it at the site.
 */
#define SDT_COMPANION_BRANCH 4

/*
 * What <sdt/probe.h> tells sdtlink about the arguments of one site, in section .sdt_args
 * (SHF_EXCLUDE: a final link drops it; a member of the code's COMDAT group). Entries follow each
 * other without padding:
 *
 *   .long  label - .       call sites: a label after the call, no other call of the probe between
 *                          them; others: the first byte of the site
 *   .byte  form            enum sdt_args_form
 *   .byte  nargs           0..SDT_MAX_ARGS
 *   .byte  type  * nargs   enum sdt_arg_type bits, in order of the arguments
 *   .long  spelling - .    named forms only: a string, `FILE:LINE`, a newline, and the arguments of
 *                          the macro after the provider, as they are spelled in the source
 *   .asciz provider
 *   .asciz name
 *   .asciz operand * nargs (inline forms only)
 */
enum sdt_args_form {
    SDT_ARGS_CALL = 1,
    SDT_ARGS_INLINE = 2,
    SDT_ARGS_ASKED = 3, /* is-enabled, in an asm statement: nothing but %rax may change; nargs 0 */
    SDT_ARGS_NAMED_CALL = 4,
    SDT_ARGS_NAMED_INLINE = 5,
    SDT_ARGS_NOTE = 6, /* SDT_STANDALONE: the operands are in the note of the site */
    SDT_ARGS_NAMED_NOTE = 7
};
enum sdt_arg_type {
    SDT_ARG_SIZE = 0x0f, /* 1, 2, 4, 8 */
    SDT_ARG_SIGNED = 0x10,
    SDT_ARG_FLOAT = 0x20, /* size 4: float, 8: double */
    SDT_ARG_POINTER = 0x40,
    SDT_ARG_SPECIAL = 0x80, /* a pointer: to text that ends with a NUL; an integer of size 1: bool;
                               of size 8: a duration, whose unit is in two bits (SDT_ARG_UNIT) */
    SDT_ARG_UNIT = 0x30,    /* 0x00 s, 0x10 ms, 0x20 us, 0x30 ns: it is a signed integer */
    SDT_ARG_TEXT = 0xd8     /* a pointer to a struct sdt_text (<sdt/runtime.h>); on i386, where
                               pointers have size 4, 0xd4 */
};

#if defined(__cplusplus) && __cplusplus >= 201103L
#define SDT_FORMAT_ASSERT(e, m) static_assert(e, m)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define SDT_FORMAT_ASSERT(e, m) _Static_assert(e, m)
#else
#define SDT_FORMAT_ASSERT(e, m)
#endif
SDT_FORMAT_ASSERT(sizeof(struct sdt_site) == 40, "records follow each other without padding");
SDT_FORMAT_ASSERT(offsetof(struct sdt_site, kind) == 36, "nine words, then the small fields");
SDT_FORMAT_ASSERT(sizeof(struct sdt_probe) == 16, "stubs and entries use the first word");
SDT_FORMAT_ASSERT(offsetof(struct sdt_probe, runtime) == 8, "and hits the second one");
SDT_FORMAT_ASSERT(sizeof(struct sdt_dso) == 32, "as the tool lays it out");
SDT_FORMAT_ASSERT(offsetof(struct sdt_dso, sites_begin) == 8, "as the tool lays it out");

#ifdef __cplusplus
}
#endif

#endif
