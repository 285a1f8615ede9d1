/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One text or array in an event: of each length and alignment at the end of what is mapped; of so
 * many lengths that packets end in between; in a page that was recorded from, and is gone. What is
 * here stands in test_record_memory.py once more.
 */
#include <sdt/probe.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, LONGEST = 40, MANY = 20000 };

static void record_bytes(int length, const unsigned char *from, short space)
{
    SDT_PROBE(rec, bytes, length, SDT_BYTES(from, (unsigned)length), space);
}

static void record_numbers(char tag, const int32_t *numbers, unsigned count)
{
    SDT_PROBE(rec, numbers, tag, SDT_ARRAY(numbers, count), SDT_NAMED("sum", tag + count));
    SDT_PROBE(rec, last, count, SDT_ARRAY(numbers, count));
}

static void record_text(const char *text, int number)
{
    SDT_PROBE(rec, text, number, text, SDT_NAMED("next", number + 1));
}

static char *two_pages(void)
{
    char *map = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return map == MAP_FAILED ? NULL : map;
}

static void at_the_end(char *end)
{
    for (int length = 0; length <= LONGEST; length++)
        for (int space = 0; space < 9; space++) {
            unsigned char *from = (unsigned char *)end - length - space;
            for (int i = 0; i < length; i++)
                from[i] = (unsigned char)(length + i);
            record_bytes(length, from, (short)space);
        }
    for (int count = 0; count <= LONGEST; count++)
        for (int space = 0; space < 3; space++) {
            int32_t *numbers = (int32_t *)(void *)end - count - space;
            for (int i = 0; i < count; i++)
                numbers[i] = -i * 1000003;
            record_numbers((char)space, numbers, (unsigned)count);
        }
}

/* Which are both there. */
static void in_two_pages(char *end)
{
    memset(end - LONGEST, 't', 2 * LONGEST);
    end[LONGEST] = '\0';
    for (int space = 0; space <= LONGEST; space++) {
        record_text(end - space, space);
        record_bytes(LONGEST, (unsigned char *)end - space, (short)space);
    }
}

/* Also longer than 10 bits tell. */
static void of_many_lengths(void)
{
    static char text[1200];
    memset(text, 'y', sizeof text);
    for (int i = 0; i < MANY; i++) {
        int length = i % 100 == 99 ? 980 + i % 90 : 1 + i % 77; /* not 0, see record_texts.c */
        text[length] = '\0';
        record_text(text, i);
        text[length] = 'y';
    }
}

/* The runtime takes the page for one that can be read. */
static void gone(char *page)
{
    strcpy(page, "there");
    record_text(page, 1);
    record_bytes(5, (unsigned char *)page, 1);
    munmap(page, PAGE);
    record_text(page, 2);
    record_bytes(5, (unsigned char *)page, 2);
    record_numbers(3, (int32_t *)(void *)page, 2);
    record_text("after", 3);
}

int main(void)
{
    char *pages = two_pages(), *others = two_pages();
    if (!pages || !others || munmap(pages + PAGE, PAGE) != 0)
        return 1;
    at_the_end(pages + PAGE);
    of_many_lengths();
    in_two_pages(others + PAGE);
    gone(others);
    return 0;
}
