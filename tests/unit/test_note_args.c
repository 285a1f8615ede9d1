/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the arguments of a note begin and end, and how many addresses come before its strings. */
#include "check.h"

#include <shared/note.h>
#include <shared/note_args.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The arguments of TEXT as a record has them, `|` between them, "!" at a problem. */
static void join(const char *text, char *joined)
{
    struct note_args rest;
    struct note_arg arg;
    char *copy = strdup(text); /* no NUL of ours after it */
    size_t length = strlen(text), used = 0;
    note_args_begin(&rest, copy, length);
    while (note_args_next(&rest, &arg)) {
        if (used)
            joined[used++] = '|';
        if (note_arg_is_sound(&arg))
            used += note_arg_describe(&arg, '8', false, joined + used);
        else
            joined[used++] = '?';
    }
    joined[used] = '\0';
    if (rest.problem)
        strcat(joined, "!");
    free(copy);
}

static const struct {
    const char *text, *joined;
} rows[] = {
    /* None. */
    {"", ""},
    {":", ""},
    {" : ", ""},
    {" \t", ""},
    /* The seeds' own. */
    {"-4@%edi 4@(%rsi)", "-4@%edi|4@(%rsi)"},
    {"%edi %rax (%rsi)", "8@%edi|8@%rax|8@(%rsi)"},
    {"4@(%rsi,%rdi,4) 8@%rax 4@$2", "4@(%rsi,%rdi,4)|8@%rax|4@$2"},
    {"%rax, -20(%rbp)", "8@%rax|8@-20(%rbp)"},
    {"(%rdi), %rax", "8@(%rdi)|8@%rax"},
    /* What separates. */
    {"4@%eax, 8@%rsi", "4@%eax|8@%rsi"},
    {"4@%eax,8@%rsi\t,\n1@$1", "4@%eax|8@%rsi|1@$1"},
    {"  4@%eax \t 8@%rsi  ", "4@%eax|8@%rsi"},
    /* What does not. */
    {"4@4(%rsi, %rdi, 4) 8@%rsi", "4@4(%rsi,%rdi,4)|8@%rsi"},
    {"8@[sp, 16], -4@[ x29 , #-8 ]", "8@[sp,16]|-4@[x29,#-8]"},
    {"8@( (%rax) )", "8@((%rax))"},
    {"8@-16 + 4(%rbp) 4@%eax", "8@-16+4(%rbp)|4@%eax"},
    {"8@name+ 8(%rip) 8@8 +name(%rip)", "8@name+8(%rip)|8@8|8@+name(%rip)"},
    {"4@ %eax 8@ -8(%rbp)", "4@%eax|8@-8(%rbp)"},
    {"8@$1 << 3 8@%rax", "8@$1<<3|8@%rax"},
    {"%eax -4(%rbp) +4(%rbp)", "8@%eax|8@-4(%rbp)|8@+4(%rbp)"},
    {"8@%fs: 16", "8@%fs:16"},
    {"8@9,10 i5, 8@9,8@10 8@9, 10", "8@9,10|8@i5|8@9|8@10|8@9|8@10"},
    {"$4 (%rsp)", "8@$4|8@(%rsp)"},
    /* Types. */
    {"8f@%xmm0 4f@%xmm1 -1@%al", "8f@%xmm0|4f@%xmm1|-1@%al"},
    {"16@%xmm0 3@%eax -8f@%xmm0 8p@%rdi @%rax 8@", "?|?|?|?|?|?"},
    {"8@a@GOTPCREL(%rip)", "?"},
    {"8@[sp 16] 8@1 (x", "?!"},
    /* What cannot be told apart. */
    {",4@%eax", "!"},
    {"4@%eax,", "4@%eax!"},
    {"4@%eax,,8@%rsi", "4@%eax!"},
    {",", "!"},
    {"4@(%rax 8@%rsi", "!"},
    {"4@%eax 8@%rsi)", "4@%eax!"},
    {"4@%eax 8@[x0", "4@%eax!"},
    {"8@4 (%rsp)", "!"},
    {"8@-0x10 (%rsp)", "!"},
};

static void check_arguments(void)
{
    char joined[256];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        join(rows[i].text, joined);
        if (strcmp(joined, rows[i].joined) != 0)
            fprintf(stderr, "'%s': '%s'\n", rows[i].text, joined);
        CHECK(strcmp(joined, rows[i].joined) == 0);
        size_t length = strlen(joined);
        int count = length ? 1 : 0;
        for (const char *at = joined; (at = strchr(at, '|')); at++)
            count++;
        bool has_problem = length && joined[length - 1] == '!';
        CHECK(note_args_count(rows[i].text, strlen(rows[i].text)) == (has_problem ? -1 : count));
    }
}

/* Descriptions of 64 bits: two addresses, perhaps a third, three strings. */
static void check_heads(void)
{
    static const struct {
        const char *third; /* and what follows */
        size_t size, head;
        bool has_third;
    } heads[] = {
#define ROW(text, ...) {text, sizeof text - 1, __VA_ARGS__}
        ROW("libfoo\0noargs\0:\0", 16, false), /* the first draft's */
        ROW("a\0b\0\0", 16, false),
        ROW("provider1\0x\0004@%eax\0", 16, false),
        ROW("\0\0\0\0\0\0\0\0p\0n\0\0", 24, false),
        ROW("@@@\0\0\0\0\0p\0n\0\0", 24, false), /* a semaphore at 0x404040 */
        ROW("abcdef\0\0p\0n\0\0", 24, false),
        ROW("libfoo\0noargs\0:", 24, false), /* it does not end */
        ROW("libfoo\0noargs\0:\0x", 24, false),
        ROW("lib foo\0noargs\0:\0", 24, false),
        ROW("libfoo\0\0:\0", 24, false),
        ROW("libfoo\0noargs\0:\0", 24, true),
    };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        size_t size = 16 + heads[i].size;
        uint8_t *text = calloc(1, size);
        memcpy(text + 16, heads[i].third, heads[i].size);
        CHECK(note_head_size(text, size, 8, heads[i].has_third) == heads[i].head);
        for (size_t cut = 0; cut < size; cut++) { /* and reads nothing after it */
            uint8_t *piece = malloc(cut + 1);
            memcpy(piece, text, cut);
            note_head_size(piece, cut, 8, false);
            free(piece);
        }
        free(text);
    }
}

/* Two notes, the first with an owner and a description that are padded, cut off anywhere. */
static void check_walk(void)
{
    static const uint32_t words[] = {5, 2, 1, 0x41414141, 0, 0xffff, 8, 4, NOTE_STAPSDT, 0, 0, 7};
    const size_t whole = sizeof words, first = 24;
    for (size_t size = 0; size <= whole; size++) {
        uint8_t *notes = malloc(size + 1);
        memcpy(notes, words, size);
        memcpy(notes + (size > 36 ? 36 : size), "stapsdt", size > 44 ? 8 : 0);
        struct note_walk walk = {notes, size, 0};
        struct note note;
        CHECK(note_next(&walk, &note) == (size >= 22));
        CHECK(note.at == 0 || size < 12);
        if (size >= 22) {
            CHECK(note.description == 20 && note.size == 2 && note.type == 1);
            CHECK(note.owner.length == 5 && note.owner.text == (const char *)notes + 12);
            CHECK(!note_is_stapsdt(note.owner));
            CHECK(walk.at == (size < first ? size : first));
            CHECK(note_next(&walk, &note) == (size == whole));
        }
        CHECK(note_has_head(&walk) == (size < 22 ? size >= 12 : size >= 36 && size < whole));
        if (size == whole)
            CHECK(note_is_stapsdt(note.owner) && note.type == NOTE_STAPSDT && walk.at == size);
        free(notes);
    }
    struct note_walk none = {NULL, 100, 0};
    struct note note;
    CHECK(!note_next(&none, &note) && !note_has_head(&none));
}

int main(void)
{
    check_arguments();
    check_heads();
    check_walk();
    return check_failures != 0;
}
