/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts and exits; with an argument, first prints what start-up has touched. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern const char __start_sdt_sites[] __attribute__((weak, visibility("hidden")));

/* Sum of one field of /proc/self/smaps over this program's mappings: executable ones, or the one
 * that holds ADDRESS. In KiB. */
static long smaps_sum(const char *field, uintptr_t address)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[512], perms[8];
    unsigned long begin, end;
    long sum = 0, value;
    int counted = 0;
    if (!maps)
        return -1;
    while (fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx %7s", &begin, &end, perms) == 3 && strchr(line, '-') < line + 17)
            counted = address ? begin <= address && address < end
                              : perms[2] == 'x' && strstr(line, "startup-") != NULL;
        else if (counted && strncmp(line, field, strlen(field)) == 0 &&
                 sscanf(line + strlen(field), " %ld", &value) == 1)
            sum += value;
    }
    fclose(maps);
    return sum;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        /* A page of text that was written has become anonymous. (Private_Dirty would also count
         * pages that the linker wrote to the file a moment ago.) */
        printf("text_dirty %ld\n", smaps_sum("Anonymous:", 0) / 4);
        printf("set_resident %ld\n", smaps_sum("Rss:", (uintptr_t)__start_sdt_sites));
    }
    return 0;
}
