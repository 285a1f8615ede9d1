/* SPDX-License-Identifier: BSD-2-Clause */
/* copies DIRECTORY: for each line `SIZE FILE` of standard input, read the file, and write a file of
 * SIZE bytes in DIRECTORY; then remove those. What any program pays that gives a linker copies. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char bytes[1 << 24];

static int copy(const char *from, const char *to, size_t size)
{
    struct stat status;
    int in = open(from, O_RDONLY), out = open(to, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (in < 0 || out < 0 || size > sizeof bytes || fstat(in, &status) != 0 ||
        read(in, bytes, sizeof bytes) != status.st_size || write(out, bytes, size) != (ssize_t)size)
        return -1;
    return close(in) | close(out);
}

static void name_of(char name[4096], const char *directory, int number)
{
    snprintf(name, 4096, "%s/%d.o", directory, number);
}

int main(int argc, char **argv)
{
    char from[4096], to[4096];
    size_t size;
    int count = 0;
    if (argc != 2)
        return 2;
    for (; scanf("%zu %4095s", &size, from) == 2; count++) {
        name_of(to, argv[1], count);
        if (copy(from, to, size) != 0) {
            perror(from);
            return 1;
        }
    }
    while (count-- > 0) {
        name_of(to, argv[1], count);
        unlink(to);
    }
    return 0;
}
