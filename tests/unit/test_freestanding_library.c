/* SPDX-License-Identifier: BSD-2-Clause */
/* The freestanding runtime's functions of the C library, beside the C library's own. */
#include "check.h"

#include <sdt/kernel.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What freestanding/include/string.h and stdlib.h name so. */
void *sdt_memchr(const void *memory, int byte, size_t n);
size_t sdt_strlen(const char *text);
char *sdt_strchr(const char *text, int byte);
int sdt_strcmp(const char *left, const char *right);
int sdt_strncmp(const char *left, const char *right, size_t n);
size_t sdt_strcspn(const char *text, const char *reject);
char *sdt_strstr(const char *text, const char *wanted);
char *sdt_strndup(const char *text, size_t n);
void *sdt_calloc(size_t n, size_t size);
void sdt_qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
void *sdt_bsearch(const void *key, const void *base, size_t n, size_t size,
                  int (*compare)(const void *, const void *));

void *sdt_kernel_allocate(size_t size, size_t alignment)
{
    void *memory = NULL;
    return posix_memalign(&memory, alignment, size) == 0 ? memory : NULL;
}

void sdt_kernel_free(void *memory)
{
    free(memory);
}

static int sign(int number)
{
    return (number > 0) - (number < 0);
}

/* Every text of up to five of three letters, one of them above 127, against every other. */
static void test_texts(void)
{
    enum { TEXTS = 364, LETTERS = 3 };
    static char texts[TEXTS][6];
    for (int i = 1, from = 0; i < TEXTS; from++)
        for (int letter = 0; letter < LETTERS && i < TEXTS; letter++, i++) {
            size_t length = strlen(texts[from]);
            memcpy(texts[i], texts[from], length);
            texts[i][length] = "a\xe4z"[letter];
        }
    for (int i = 0; i < TEXTS; i++) {
        const char *a = texts[i];
        CHECK(sdt_strlen(a) == strlen(a));
        CHECK(sdt_strchr(a, 'z') == strchr(a, 'z') && sdt_strchr(a, 0xe4) == strchr(a, 0xe4));
        CHECK(sdt_strchr(a, '\0') == strchr(a, '\0'));
        CHECK(sdt_memchr(a, 'z', 3) == memchr(a, 'z', 3));
        char *copy = sdt_strndup(a, 3);
        CHECK(copy && strlen(copy) == strnlen(a, 3) && strncmp(copy, a, 3) == 0);
        free(copy);
        for (int j = 0; j < TEXTS; j++) {
            const char *b = texts[j];
            CHECK(sign(sdt_strcmp(a, b)) == sign(strcmp(a, b)));
            CHECK(sign(sdt_strncmp(a, b, 2)) == sign(strncmp(a, b, 2)));
            CHECK(sdt_strcspn(a, b) == strcspn(a, b));
            CHECK(sdt_strstr(a, b) == strstr(a, b));
        }
    }
}

static void test_memory(void)
{
    unsigned char *zeros = sdt_calloc(7, 9);
    CHECK(zeros);
    for (int i = 0; zeros && i < 63; i++)
        CHECK(zeros[i] == 0);
    free(zeros);
    CHECK(!sdt_calloc(SIZE_MAX / 2, 3));
}

static int compare(const void *left, const void *right)
{
    uint16_t a = *(const uint16_t *)left, b = *(const uint16_t *)right;
    return a < b ? -1 : a > b;
}

/* Arrays of every size up to 200, and what is in them and is not. */
static void test_order(void)
{
    enum { MOST = 200 };
    uint16_t ours[MOST], theirs[MOST];
    srand(1);
    for (size_t n = 0; n < MOST; n++) {
        for (size_t i = 0; i < n; i++)
            ours[i] = theirs[i] = (uint16_t)(rand() % 300);
        sdt_qsort(ours, n, sizeof *ours, compare);
        qsort(theirs, n, sizeof *theirs, compare);
        CHECK(memcmp(ours, theirs, n * sizeof *ours) == 0);
        for (uint16_t key = 0; key < 300; key++) {
            const uint16_t *found = sdt_bsearch(&key, theirs, n, sizeof *theirs, compare);
            CHECK(!found == !bsearch(&key, theirs, n, sizeof *theirs, compare));
            CHECK(!found || *found == key);
        }
    }
}

int main(void)
{
    test_texts();
    test_memory();
    test_order();
    return check_failures != 0;
}
