/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is read of stock binaries: their notes and symbols, whole and damaged anywhere, and the
 * descriptors that are made of operands.
 */
#include "check.h"
#include "stock/notes.h"
#include "stock/operands.h"
#include "stock/symbols.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- Operands. ---- */

static bool find(void *data, const char *name, size_t length, uint64_t *address)
{
    (void)data;
    *address = 0x1000;
    return length == 3 && memcmp(name, "var", 3) == 0;
}

static void check_descriptors(void)
{
    static const struct {
        const char *args, *text;
        unsigned count, places;
        uint64_t first;
    } rows[] = {
        {"", "", 0, 0, 0},
        {"-4@%edi 8@-8(%rbp)", "-4@%edi 8@-8(%rbp)", 2, 0, 0},
        {":", "", 0, 0, 0},
        {"  4@$5\t8f@%xmm1 ", "4@$5 8f@%xmm1", 2, 0, 0},
        {"4@%eax, 8@%rsi,%rdi , 1@$2", "4@%eax 8@%rsi 8@%rdi 1@$2", 4, 0, 0},
        {"4@4(%rsi, %rdi, 4) 8@%rsi", "4@4(%rsi,%rdi,4) 8@%rsi", 2, 0, 0},
        {"8@-16 + 4(%rbp) 4@ %eax", "8@-16+4(%rbp) 4@%eax", 2, 0, 0},
        {"8@(%rax, 1 2) 8@$(1 2)", "8@? 8@?", 2, 0, 0},
        {"8@%st(1) 2@%ah", "8@? 8@?", 2, 0, 0},
        {"4@%eax,", "8@?", 1, 0, 0},
        {"%rax %eax %ax %al %ah %r8 %r8d %r9w %r9b",
         "8@%rax 4@%eax 2@%ax 1@%al 1@%ah 8@%r8 "
         "4@%r8d 2@%r9w 1@%r9b",
         9, 0, 0},
        {"16@%xmm0 3@%eax -8f@%xmm0 @%rax 8@", "8@? 8@? 8@? 8@? 8@?", 5, 0, 0},
        {"8@a@b 8p@%rdi", "8@? 8@?", 2, 0, 0},
        {"8@8(%rax, %rbx) -4@(%rax,\t%rcx,8) 8@5", "8@8(%rax,%rbx) -4@(%rax,%rcx,8) 8@5", 3, 0, 0},
        {"4@(%rax 8@%rbx ", "8@?", 1, 0, 0},
        {"8@%rax) 8@5", "8@?", 1, 0, 0},
        {"8@var(%rip)", "8@var(%rip)", 1, 1, 0x1000},
        {"8@var+8(%rip) 8@no(%rip)", "8@var+8(%rip) 8@?", 2, 1, 0x1008},
        {"8@-0x10+var(%rip)", "8@-0x10+var(%rip)", 1, 1, 0xff0},
        {"8@var+no(%rip) 8@-var(%rip) 8@(%rip) 8@8(%rip)", "8@? 8@? 8@? 8@?", 4, 0, 0},
        {"8@var(%rip)+1 8@var(%rip)x(%rip)", "8@? 8@?", 2, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct operand_places places = {.find = find};
        size_t room = operands_room(rows[i].args);
        char *text = malloc(room);
        size_t size = operands_describe(rows[i].args, text, &places);
        if (strcmp(text, rows[i].text) != 0)
            fprintf(stderr, "%s: %s\n", rows[i].args, text);
        CHECK(strcmp(text, rows[i].text) == 0 && size == strlen(text) + 1 && size <= room);
        CHECK(operands_count(rows[i].args) == rows[i].count);
        CHECK(places.n == rows[i].places && (!places.n || places.address[0] == rows[i].first));
        free(text);
    }
}

/* ---- A file. ---- */

static struct file {
    Elf64_Ehdr header;
    Elf64_Shdr sections[6];
    char names[64];
    struct {
        Elf64_Nhdr header;
        char vendor[8];
        uint32_t words[6];
        char texts[40];
    } notes[2];
    Elf64_Sym symbols[3];
    char strings[16];
} whole;

#define AT(member) offsetof(struct file, member)

static void make_section(unsigned i, const char *name, uint32_t type, uint64_t at, uint64_t size)
{
    static uint32_t end = 1;
    memcpy(whole.names + end, name, strlen(name));
    whole.sections[i] =
        (Elf64_Shdr){.sh_name = end, .sh_type = type, .sh_offset = at, .sh_size = size};
    end += (uint32_t)strlen(name) + 1;
}

static void make_note(unsigned i, const char *name)
{
    whole.notes[i].header = (Elf64_Nhdr){8, 64, 3};
    memcpy(whole.notes[i].vendor, "stapsdt", 8);
    whole.notes[i].words[0] = 0x1100 + i; /* and its upper half, 0 */
    whole.notes[i].words[2] = 0x2000;
    whole.notes[i].words[4] = i ? 0x3000 : 0;
    snprintf(whole.notes[i].texts, 40, "shop%c%s%c-4@%%edi", 0, name, 0);
}

static void make_whole(void)
{
    memcpy(whole.header.e_ident, ELFMAG, SELFMAG);
    whole.header.e_ident[EI_CLASS] = ELFCLASS64;
    whole.header.e_ident[EI_DATA] = ELFDATA2LSB;
    whole.header.e_machine = EM_X86_64;
    whole.header.e_shoff = AT(sections);
    whole.header.e_shentsize = sizeof(Elf64_Shdr);
    whole.header.e_shnum = 6;
    whole.header.e_shstrndx = 1;
    make_section(1, ".shstrtab", SHT_STRTAB, AT(names), sizeof whole.names);
    make_section(2, ".note.stapsdt", SHT_NOTE, AT(notes), sizeof whole.notes);
    make_section(3, ".stapsdt.base", SHT_PROGBITS, 0, 1);
    make_section(4, ".symtab", SHT_SYMTAB, AT(symbols), sizeof whole.symbols);
    make_section(5, ".strtab", SHT_STRTAB, AT(strings), sizeof whole.strings);
    whole.sections[3].sh_addr = 0x2010; /* moved by 16 */
    whole.sections[4].sh_link = 5;
    whole.sections[4].sh_entsize = sizeof(Elf64_Sym);
    make_note(0, "sale");
    make_note(1, "left");
    memcpy(whole.strings, "\0sell\0stock", 12);
    whole.symbols[1] = (Elf64_Sym){1, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), 0, 1, 0x1100, 0x20};
    whole.symbols[2] = (Elf64_Sym){6, ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), 0, 1, 0x3000, 4};
}

static int put(const void *bytes, size_t size)
{
    static int fd = -1;
    if (fd < 0)
        fd = memfd_create("file", MFD_CLOEXEC);
    CHECK(ftruncate(fd, 0) == 0 && pwrite(fd, bytes, size, 0) == (ssize_t)size);
    return fd;
}

static void check_whole(void)
{
    struct stock_notes notes;
    struct stock_symbols symbols;
    uint64_t address;
    int fd = put(&whole, sizeof whole);
    CHECK(stock_notes_read(fd, &notes) == 0 && notes.n == 2 && !notes.is_processed);
    CHECK(notes.notes[0].pc == 0x1110 && notes.notes[0].semaphore == 0);
    CHECK(notes.notes[1].pc == 0x1111 && notes.notes[1].semaphore == 0x3010);
    CHECK(!strcmp(notes.notes[1].provider, "shop") && !strcmp(notes.notes[1].name, "left") &&
          !strcmp(notes.notes[1].args, "-4@%edi"));
    stock_notes_free(&notes);
    stock_symbols_read(fd, &symbols);
    CHECK(symbols.n == 2 && !strcmp(stock_symbols_function(&symbols, 0x111f), "sell"));
    CHECK(!stock_symbols_function(&symbols, 0x1120) && !stock_symbols_function(&symbols, 0x10ff));
    CHECK(stock_symbols_variable(&symbols, "stocks", 5, &address) && address == 0x3000);
    CHECK(!stock_symbols_variable(&symbols, "sell", 4, &address) &&
          !stock_symbols_variable(&symbols, "sto", 3, &address));
    stock_symbols_free(&symbols);
}

static void check_processed(void)
{
    struct file file = whole;
    struct stock_notes notes;
    memcpy(file.names + file.sections[5].sh_name, "sdt_sites", sizeof "sdt_sites");
    CHECK(stock_notes_read(put(&file, sizeof file), &notes) == 0 && notes.is_processed &&
          notes.n == 0);
    stock_notes_free(&notes);
}

static size_t count_notes(const struct file *file)
{
    struct stock_notes notes;
    CHECK(stock_notes_read(put(file, sizeof *file), &notes) == 0);
    size_t n = notes.n;
    stock_notes_free(&notes);
    return n;
}

/* What is cut off, or another's, hides no note before or after it. */
static void check_cut(void)
{
    struct file file = whole;
    file.notes[1].header.n_descsz = 65;
    CHECK(count_notes(&file) == 1);
    file.notes[1].header.n_descsz = 63; /* the last NUL is not in it: the texts have several */
    CHECK(count_notes(&file) == 2);
    file.notes[1].header.n_descsz = 24 + 5;
    CHECK(count_notes(&file) == 1);
    file.notes[0].header.n_type = 4;
    CHECK(count_notes(&file) == 0);
    file = whole;
    file.sections[2].sh_flags = SHF_COMPRESSED;
    CHECK(count_notes(&file) == 0);
}

/* Without .stapsdt.base, or a note that names none, nothing was moved. */
static void check_base(void)
{
    struct file file = whole;
    struct stock_notes notes;
    file.notes[1].words[2] = 0;
    CHECK(stock_notes_read(put(&file, sizeof file), &notes) == 0 && notes.n == 2);
    CHECK(notes.notes[0].pc == 0x1110 && notes.notes[1].pc == 0x1101);
    stock_notes_free(&notes);
    file = whole;
    file.names[file.sections[3].sh_name] = 'x';
    CHECK(stock_notes_read(put(&file, sizeof file), &notes) == 0 && notes.n == 2);
    CHECK(notes.notes[0].pc == 0x1100 && notes.notes[1].semaphore == 0x3000);
    stock_notes_free(&notes);
}

static size_t below(size_t n)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % n;
}

/* Whatever it holds and wherever it ends: what is read of it are strings, and sanitizers look on.
 */
static void check_damaged(void)
{
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
    size_t good = 0;
    for (int round = 0; round < 20000; round++) {
        struct file file = whole;
        struct stock_notes notes;
        struct stock_symbols symbols;
        for (int i = (int)below(4); i >= 0; i--)
            ((uint8_t *)&file)[below(sizeof file)] = values[below(sizeof values)];
        size_t size = below(4) ? sizeof file : below(sizeof file);
        int fd = put(&file, size);
        if (stock_notes_read(fd, &notes) == 0)
            for (size_t i = 0; i < notes.n; i++)
                good += strlen(notes.notes[i].provider) + strlen(notes.notes[i].args) > 0;
        stock_symbols_read(fd, &symbols);
        const char *function = stock_symbols_function(&symbols, 0x1105);
        CHECK(!function || strlen(function) < sizeof file);
        stock_symbols_free(&symbols);
        stock_notes_free(&notes);
    }
    CHECK(good > 10000);
}

int main(void)
{
    check_descriptors();
    make_whole();
    check_whole();
    check_processed();
    check_cut();
    check_base();
    check_damaged();
    return check_failures != 0;
}
