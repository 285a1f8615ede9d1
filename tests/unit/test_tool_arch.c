/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tool's seam, proven by a machine that there is not (fake_arch.h): an object for it goes
 * through judging, plan, rewriting, the check of what was written, and a second run. Nothing of
 * x86-64 is linked in here, so what the generic code knows of that would be missing or wrong.
 *
 * All of it happens twice: with objects of ELF64, and with the same ones of ELF32.
 */
#include "check.h"
#include "fake_arch.h"

#include <base/diag.h>
#include <base/output.h>
#include <base/status.h>
#include <elf/add.h>
#include <elf/reindex.h>
#include <elf/writer.h>
#include <fcntl.h>
#include <process.h>
#include <stdlib.h>
#include <unistd.h>

#define WORD(operation) operation, 0, 0, 0

static unsigned machine; /* FAKE_MACHINE, then FAKE_NARROW */

static const uint8_t code[] = {
    WORD(FAKE_NOP),                    /*  0: a note's */
    WORD(FAKE_CALL),                   /*  4: p:hit */
    WORD(FAKE_CALL),                   /*  8: is p:hit enabled? */
    WORD(FAKE_NOP),  WORD(FAKE_PROBE), /* 12: p:here, inline */
    WORD(FAKE_JUMP),                   /* 20: p:hit, a tail call */
};
static const uint8_t rewritten[] = {
    WORD(FAKE_NOP), WORD(FAKE_SKIP),    WORD(FAKE_SET),
    WORD(FAKE_NOP), WORD(FAKE_NO_JUMP), WORD(FAKE_RETURN),
};

/* ---- making it ---- */

static uint32_t undefined(struct object *o, const char *name)
{
    return object_add_symbol(o, name, STB_GLOBAL, STT_NOTYPE, STV_DEFAULT, SHN_UNDEF, 0, 0);
}

/* An operand of one inline site: the label is its first byte. */
static void add_args(struct object *o, uint32_t text)
{
    static const uint8_t entry[] = {
        0, 0, 0, 0, SDT_ARGS_INLINE, 1, 8, 'p', 0, 'h', 'e', 'r', 'e', 0, 'x', '5', 0};
    uint32_t args = object_add_section(o, SDT_SECTION_ARGS, SHT_PROGBITS, SHF_EXCLUDE, 1, 0);
    object_append(o, args, entry, sizeof entry);
    object_relocate(o, args, 0, FAKE_R_DISTANCE, object_symbol_for(o, text), 12);
}

static void add_note(struct object *o, uint32_t text)
{
    const uint32_t words = 3 * o->arch->word;
    const uint32_t head[] = {8, words + 12, 3, 0x70617473 /* stap */, 0x00746473 /* sdt */};
    static const char strings[12] = "q\0mark\0w2"; /* no type: the register says it */
    uint32_t notes = object_add_section(o, SECTION_STAPSDT, SHT_NOTE, 0, 4, 0);
    object_append(o, notes, head, sizeof head);
    object_append(o, notes, NULL, words);
    object_append(o, notes, strings, sizeof strings);
    object_relocate(o, notes, sizeof head, FAKE_R_ADDRESS, object_symbol_for(o, text), 0);
}

/* An address of SYMBOL in section NAME. */
static void add_pointer(struct object *o, const char *name, uint64_t flags, uint32_t symbol)
{
    const uint8_t word = o->arch->word;
    uint32_t section = object_add_section(o, name, SHT_PROGBITS, flags, word, 0);
    object_append(o, section, NULL, word);
    object_relocate(o, section, 0, FAKE_R_ADDRESS, symbol, 0);
}

static void write_object(struct object *o)
{
    struct output output = {.fd = -1};
    reindex(o);
    CHECK(output_open(&output, o->path, 0600) == 0 && writer_write(o, &output) == 0 &&
          output_commit(&output) == 0);
    output_abandon(&output);
    object_close(o);
}

/* Write PATH. STRANGE: of that operation is the word at 4. */
static void make_object(const char *path, uint8_t strange)
{
    struct object o;
    object_create(&o, path, tool_arch_of(machine));
    uint32_t text = object_add_section(&o, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 4, 0);
    object_append(&o, text, code, sizeof code);
    if (strange)
        o.sections[text].tail.data[4] = strange;
    object_add_symbol(&o, "work", STB_GLOBAL, STT_FUNC, STV_DEFAULT, text, 0, sizeof code);
    uint32_t hit = undefined(&o, SDT_SYMBOL_CALL "p___hit");
    object_relocate(&o, text, 4, FAKE_R_BRANCH, hit, 0);
    uint32_t asks = undefined(&o, SDT_SYMBOL_ENABLED "p___hit");
    object_relocate(&o, text, 8, FAKE_R_BRANCH, asks, 0);
    object_relocate(&o, text, 16, FAKE_R_BRANCH, undefined(&o, SDT_SYMBOL_INLINE "p___here"), 0);
    object_relocate(&o, text, 20, FAKE_R_BRANCH, hit, 0);
    add_args(&o, text);
    add_note(&o, text);
    add_pointer(&o, ".data", SHF_ALLOC | SHF_WRITE, asks); /* stays callable */
    add_pointer(&o, ".debug", 0, hit);                     /* leaves the table */
    write_object(&o);
}

/* A call in a section that a companion can speak of. */
static void make_call(const char *path)
{
    static const uint8_t call[] = {WORD(FAKE_CALL)};
    struct object o;
    object_create(&o, path, tool_arch_of(machine));
    uint32_t text = object_add_section(&o, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 4, 0);
    object_append(&o, text, call, sizeof call);
    object_add_symbol(&o, "work", STB_GLOBAL, STT_FUNC, STV_DEFAULT, text, 0, sizeof call);
    object_relocate(&o, text, 0, FAKE_R_BRANCH, undefined(&o, SDT_SYMBOL_CALL "p___hit"), 0);
    write_object(&o);
}

/* ---- running the tool ---- */

enum { LOG_SIZE = 1024 };

static size_t read_file(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    size_t got = file ? fread(text, 1, size, file) : 0;
    if (file)
        fclose(file);
    return got;
}

/* Process an object; the messages are in LOG. */
static int process(const struct options *options, char log[LOG_SIZE])
{
    int saved = dup(STDERR_FILENO);
    int file = open("log", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    dup2(file, STDERR_FILENO);
    int status = process_object(options);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(file);
    log[read_file("log", log, LOG_SIZE - 1)] = '\0';
    return status;
}

/* ---- looking at it ---- */

static uint32_t find_section(const struct object *o, const char *name)
{
    for (uint32_t i = 1; i < o->section_count; i++)
        if (strcmp(o->sections[i].name, name) == 0)
            return i;
    printf("no section %s\n", name);
    check_failures++;
    return 0;
}

/* Whether in section NAME the field at OFFSET has a relocation TYPE that leads to TO + ADDEND. */
static bool leads(const struct object *o, const char *name, uint64_t offset, uint32_t type,
                  const char *to, int64_t addend)
{
    size_t count;
    const struct section *s = &o->sections[find_section(o, name)];
    const Elf64_Rela *all = section_relocations(&o->sections[s->rela], &count);
    for (size_t i = 0; s->rela && i < count; i++) {
        uint32_t symbol = (uint32_t)ELF64_R_SYM(all[i].r_info);
        uint32_t home = object_symbol_section(o, symbol);
        if (all[i].r_offset == offset && ELF64_R_TYPE(all[i].r_info) == type &&
            all[i].r_addend == addend && strcmp(home ? o->sections[home].name : "", to) == 0)
            return true;
    }
    return false;
}

static bool holds(const struct object *o, const char *name, const void *bytes, size_t size)
{
    const struct section *s = &o->sections[find_section(o, name)];
    for (size_t at = 0; at + size <= s->size; at++)
        if (memcmp(s->data + at, bytes, size) == 0)
            return true;
    return false;
}

/* Every relocation in the file is of this machine. */
static void check_types(const struct object *o)
{
    for (uint32_t i = 1; i < o->section_count; i++) {
        size_t count = 0;
        const Elf64_Rela *all = NULL;
        if (o->sections[i].header.sh_type == SHT_RELA)
            all = section_relocations(&o->sections[i], &count);
        for (size_t k = 0; k < count; k++)
            CHECK(ELF64_R_TYPE(all[k].r_info) >= FAKE_R_NONE);
    }
}

static void check_sites(const struct object *o)
{
    CHECK(holds(o, ".text", rewritten, sizeof rewritten));
    CHECK(leads(o, ".text", 0, FAKE_R_NONE, SDT_SECTION_SITES, 0));
    CHECK(leads(o, ".text", 4, FAKE_R_NONE, SDT_SECTION_SITES, 0));
    CHECK(leads(o, ".text", 8, FAKE_R_NONE, SDT_SECTION_SITES, 0));
    CHECK(!leads(o, ".text", 12, FAKE_R_NONE, SDT_SECTION_SITES, 0)); /* its entry names it */
    CHECK(leads(o, ".text", 16, FAKE_R_BRANCH, SDT_SECTION_ENTRY, FAKE_ENTRY_SIZE));
    CHECK(leads(o, ".text", 20, FAKE_R_NONE, SDT_SECTION_SITES, 0));
    CHECK(leads(o, ".text", 20, FAKE_R_BRANCH, SDT_SECTION_LOADER, 0));
}

static void check_records(const struct object *o)
{
    static const uint8_t kinds[] = {SDT_KIND_NOP1, SDT_KIND_CALL, SDT_KIND_ENABLED, SDT_KIND_INLINE,
                                    SDT_KIND_TAIL};
    static const uint8_t starts[] = {0, 4, 8, 12, 20};
    const struct section *s = &o->sections[find_section(o, SDT_SECTION_SITES)];
    CHECK(s->size == sizeof kinds * sizeof(struct sdt_site));
    for (size_t i = 0; i < sizeof kinds && s->size > i * sizeof(struct sdt_site); i++) {
        uint64_t at = i * sizeof(struct sdt_site);
        CHECK(s->data[at + offsetof(struct sdt_site, kind)] == kinds[i]);
        CHECK(leads(o, SDT_SECTION_SITES, at + offsetof(struct sdt_site, pc), FAKE_R_DISTANCE,
                    ".text", starts[i]));
    }
    bool is_narrow = machine == FAKE_NARROW; /* of a call nothing is known but its words */
    const char *call = is_narrow ? "4@x0 4@x1 4@x2 4@x3 4@[sp,0] 4@[sp,8]"
                                 : "8@x0 8@x1 8@x2 8@x3 8@[sp,0] 8@[sp,8]";
    const char *tail = is_narrow ? "4@x0 4@x1 4@x2 4@x3 4@[sp,1] 4@[sp,9]"
                                 : "8@x0 8@x1 8@x2 8@x3 8@[sp,1] 8@[sp,9]";
    CHECK(holds(o, SDT_SECTION_STRINGS, call, strlen(call) + 1));
    CHECK(holds(o, SDT_SECTION_STRINGS, tail, strlen(tail) + 1));
    CHECK(holds(o, SDT_SECTION_STRINGS, "8@x5", 5) && holds(o, SDT_SECTION_STRINGS, "4@w2", 5));
}

static void check_stub(const struct object *o)
{
    const struct tool_arch *arch = o->arch;
    CHECK(holds(o, SDT_SECTION_STUB, arch->code.stub.bytes, FAKE_STUB_SIZE));
    CHECK(leads(o, SDT_SECTION_STUB, 0, FAKE_R_HIGH, SDT_SECTION_PROBES, 0));
    CHECK(leads(o, SDT_SECTION_STUB, 4, FAKE_R_LOW, SDT_SECTION_PROBES, 0));
    CHECK(holds(o, SDT_SECTION_LOADER, arch->code.loader.bytes, FAKE_LOADER_SIZE));
    CHECK(leads(o, SDT_SECTION_LOADER, 0, FAKE_R_HIGH, ".text", 20));
    CHECK(leads(o, SDT_SECTION_LOADER, 8, FAKE_R_BRANCH, SDT_SECTION_STUB, 4));
}

static void check_entry(const struct object *o)
{
    const uint64_t entry = FAKE_ENTRY_SIZE; /* the second one, of the inline site */
    CHECK(o->sections[find_section(o, SDT_SECTION_ENTRY)].size == 2 * entry);
    CHECK(leads(o, SDT_SECTION_ENTRY, entry + 4, FAKE_R_DISTANCE, SDT_SECTION_PROBES, 0));
    CHECK(leads(o, SDT_SECTION_ENTRY, entry + 12, FAKE_R_BRANCH, ".text", 20));
    CHECK(leads(o, SDT_SECTION_ENTRY, entry + 16, FAKE_R_DISTANCE, SDT_SECTION_SITES,
                3 * sizeof(struct sdt_site)));
}

static void check_functions(const struct object *o)
{
    const struct tool_arch *arch = o->arch;
    CHECK(
        holds(o, SDT_SECTION_TAKEN, arch->code.taken_enabled.bytes, arch->code.taken_enabled.size));
    CHECK(leads(o, ".data", 0, FAKE_R_ADDRESS, SDT_SECTION_TAKEN, 0));
    CHECK(holds(o, ".text.sdt_dso", arch->constructor.bytes, arch->constructor.size));
    CHECK(leads(o, ".text.sdt_dso", 0, FAKE_R_GOT, "", 0)); /* the runtime's function */
    CHECK(leads(o, ".init_array.00100", 0, FAKE_R_ADDRESS, ".text.sdt_dso", 0));
    CHECK(leads(o, ".init_array", 0, FAKE_R_ADDRESS, ".text.sdt_dso", 0));
}

static void check_unwind(const struct object *o)
{
    const struct tool_arch *arch = o->arch;
    CHECK(o->sections[find_section(o, ".eh_frame")].header.sh_type == SHT_PROGBITS);
    CHECK(holds(o, ".eh_frame", arch->plain_cie.bytes, arch->plain_cie.size));
    CHECK(holds(o, ".eh_frame", arch->entry_cie.bytes, arch->entry_cie.size));
}

static void check_output(const char *path)
{
    struct object o;
    if (object_open(&o, path) != 0) {
        check_failures++;
        return;
    }
    CHECK(o.header.e_machine == machine);
    check_types(&o);
    check_sites(&o);
    check_records(&o);
    check_stub(&o);
    check_entry(&o);
    check_functions(&o);
    check_unwind(&o);
    object_close(&o);
}

/* As its header says it, before anybody decodes it. */
static void check_class(const char *path)
{
    unsigned char head[EI_NIDENT] = {0};
    CHECK(read_file(path, (char *)head, sizeof head) == sizeof head);
    CHECK(head[EI_CLASS] == (machine == FAKE_NARROW ? ELFCLASS32 : ELFCLASS64));
}

static void check_first(void)
{
    const struct options options = {.output = "out.o", .input = "in.o"};
    char log[LOG_SIZE];
    make_object("in.o", 0);
    CHECK(process(&options, log) == STATUS_DONE);
    CHECK(strstr(log, ".data+0x0: R_FAKE_OTHER against " SDT_SYMBOL_ENABLED "p___hit"));
    check_class("in.o");
    check_class("out.o");
    check_output("out.o");
}

/* What has been processed comes out as it is, without a message. */
static void check_again(void)
{
    const struct options options = {.output = "twice.o", .input = "out.o"};
    static char a[1 << 16], b[1 << 16], log[LOG_SIZE];
    CHECK(process(&options, log) == STATUS_DONE && !*log);
    size_t size = read_file("out.o", a, sizeof a);
    CHECK(size && size < sizeof a && read_file("twice.o", b, sizeof b) == size);
    CHECK(memcmp(a, b, size) == 0);
}

/* A word that is no call is refused, in this machine's words. */
static void check_refusal(void)
{
    const struct options options = {.output = "none.o", .input = "strange.o"};
    char log[LOG_SIZE];
    make_object("strange.o", 0x7f);
    CHECK(process(&options, log) == STATUS_FAILED && access("none.o", F_OK) != 0);
    CHECK(strstr(log, "R_FAKE_BRANCH against " SDT_SYMBOL_CALL "p___hit"));
    CHECK(strstr(log, "a strange word") && strstr(log, "[7f 00 00 00], addend 0"));
}

/* A companion of a call is for this machine; one of an inline site is refused. */
static void check_companion(void)
{
    const struct options good = {.output = "sdt.o", .input = "call.o", .companion = true};
    const struct options options = {.output = "none.o", .input = "in.o", .companion = true};
    char log[LOG_SIZE];
    CHECK(process(&options, log) == STATUS_FAILED && access("none.o", F_OK) != 0);
    CHECK(strstr(log, "not on this machine"));
    struct object o;
    make_call("call.o");
    CHECK(process(&good, log) == STATUS_DONE && !*log);
    if (object_open(&o, "sdt.o") != 0) {
        check_failures++;
        return;
    }
    CHECK(o.header.e_machine == machine);
    check_types(&o);
    CHECK(leads(&o, SDT_SECTION_COMPANION, offsetof(struct sdt_site, stub), FAKE_R_DISTANCE,
                SDT_SECTION_STUB, 0));
    object_close(&o);
}

int main(void)
{
    static const char *const made[] = {"in.o",   "out.o", "twice.o", "strange.o",
                                       "call.o", "sdt.o", "log"};
    char directory[] = "test_tool_arch-XXXXXX";
    if (!mkdtemp(directory) || chdir(directory) != 0)
        return EXIT_FAILURE;
    diag_set_level(DIAG_QUIET);
    static const unsigned machines[] = {FAKE_MACHINE, FAKE_NARROW};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        machine = machines[i];
        check_first();
        check_again();
        check_refusal();
        check_companion();
    }
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        unlink(made[i]);
    CHECK(chdir("..") == 0 && rmdir(directory) == 0);
    return check_failures != 0;
}
