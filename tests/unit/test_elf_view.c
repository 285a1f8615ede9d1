/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The quick look at section headers: what it says of a file that is whole, and that of one which is
 * cut off, at any byte, it reads no further than that.
 */
#include "check.h"

#include "base/elf_view.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_AT = sizeof(Elf64_Ehdr), NAMES_SIZE = 16, TABLE_AT = NAMES_AT + NAMES_SIZE };
enum { SECTIONS = 3, SIZE = TABLE_AT + SECTIONS * sizeof(Elf64_Shdr) };

struct file {
    Elf64_Ehdr header;
    char names[NAMES_SIZE];
    Elf64_Shdr sections[SECTIONS];
};

static struct file make(void)
{
    struct file file = {
        .header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                   .e_shoff = TABLE_AT,
                   .e_shnum = SECTIONS,
                   .e_shstrndx = 1},
        .names = "\0.names\0.text",
        .sections = {
            {0},
            {.sh_name = 1, .sh_type = SHT_STRTAB, .sh_offset = NAMES_AT, .sh_size = NAMES_SIZE},
            {.sh_name = 8, .sh_type = SHT_PROGBITS, .sh_offset = 4, .sh_size = 2}}};
    return file;
}

static void check_whole(const struct file *file)
{
    struct elf_view view;
    Elf64_Shdr header;
    CHECK(elf_view_open(&view, file, sizeof *file));
    CHECK(view.count == SECTIONS && view.names == 1);
    CHECK(elf_view_section(&view, 2, &header) && header.sh_size == 2);
    CHECK(elf_view_name(&view, &header) && !strcmp(elf_view_name(&view, &header), ".text"));
    CHECK(elf_view_data(&view, &header) == (const uint8_t *)file + 4);
    CHECK(!elf_view_section(&view, SECTIONS, &header));
    CHECK(!elf_view_section(&view, UINT64_MAX, &header));
}

/* Numbers that have no room in the header. */
static void check_extended(void)
{
    struct file file = make();
    file.header.e_shnum = 0;
    file.header.e_shstrndx = SHN_XINDEX;
    file.sections[0].sh_size = SECTIONS;
    file.sections[0].sh_link = 1;
    check_whole(&file);
}

static void check_damage(void)
{
    struct elf_view view;
    Elf64_Shdr header;
    struct file file = make();
    file.names[NAMES_SIZE - 1] = 'x';
    CHECK(elf_view_open(&view, &file, sizeof file) && elf_view_section(&view, 2, &header));
    CHECK(!elf_view_name(&view, &header));
    file = make();
    file.sections[2].sh_name = NAMES_SIZE;
    file.sections[2].sh_offset = UINT64_MAX;
    CHECK(elf_view_open(&view, &file, sizeof file) && elf_view_section(&view, 2, &header));
    CHECK(!elf_view_name(&view, &header) && !elf_view_data(&view, &header));
    file.sections[2].sh_offset = SIZE - 1;
    CHECK(elf_view_section(&view, 2, &header) && !elf_view_data(&view, &header));
    file.sections[2].sh_type = SHT_NOBITS;
    file.sections[2].sh_offset = 0;
    CHECK(elf_view_section(&view, 2, &header) && !elf_view_data(&view, &header));
    file.header.e_shoff = UINT64_MAX - 8;
    CHECK(elf_view_open(&view, &file, sizeof file) && !elf_view_section(&view, 0, &header));
    file.header.e_ident[EI_DATA] = ELFDATA2MSB;
    CHECK(!elf_view_open(&view, &file, sizeof file));
}

/* In memory that ends where the file does: AddressSanitizer sees a step beyond. */
static void check_cut(size_t size)
{
    struct file whole = make();
    struct elf_view view;
    Elf64_Shdr header;
    uint8_t *cut = malloc(size ? size : 1);
    CHECK(cut);
    if (!cut)
        return;
    memcpy(cut, &whole, size);
    bool is_open = elf_view_open(&view, cut, size);
    CHECK(is_open == (size >= sizeof(Elf64_Ehdr)));
    for (uint64_t i = 0; is_open && i < SECTIONS; i++) {
        size_t end = TABLE_AT + (i + 1) * sizeof header;
        CHECK(elf_view_section(&view, i, &header) == (size >= end));
    }
    CHECK(!is_open || (view.names_text != NULL) == (size >= TABLE_AT + 2 * sizeof header));
    free(cut);
}

/* Only regular files: nothing waits for the other end of a FIFO. */
static void check_files(void)
{
    static const char *const others[] = {"/", "/dev/zero", "/dev/null", "/nowhere"};
    char path[] = "test_elf_view.XXXXXX"; /* in the build directory */
    struct file file = make();
    struct elf_view view;
    int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, &file, sizeof file) == sizeof file);
    CHECK(elf_view_map(&view, path) && view.count == SECTIONS && view.size == sizeof file);
    elf_view_unmap(&view);
    CHECK(!view.image && ftruncate(fd, 10) == 0 && !elf_view_map_fd(&view, fd) && view.image);
    elf_view_unmap(&view);
    CHECK(ftruncate(fd, 0) == 0 && !elf_view_map_fd(&view, fd) && !view.image);
    close(fd);
    unlink(path);
    CHECK(mkfifo(path, 0600) == 0 && !elf_view_map(&view, path) && !view.image);
    unlink(path);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        CHECK(!elf_view_map(&view, others[i]) && !view.image);
}

int main(void)
{
    struct file file = make();
    CHECK(sizeof file == SIZE);
    check_whole(&file);
    check_extended();
    check_damage();
    for (size_t size = 0; size <= SIZE; size++)
        check_cut(size);
    check_files();
    return check_failures != 0;
}
