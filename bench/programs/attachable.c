/* SPDX-License-Identifier: BSD-2-Clause */
/* Lets tools attach to it, and prints: nanoseconds of that call; page faults of the process, until
 * everything that the call started sleeps; KiB of the control page that are there. */
#include <sdt/runtime.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static long faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

int main(void)
{
    struct stat page;
    sdt_hits("none:none"); /* the copies of the library have found each other */
    now();
    long faults_before = faults(), before = now();
    int error = sdt_attachable();
    long after = now();
    usleep(20000);
    long faults_after = faults();
    if (error || fstat(3, &page) != 0)
        return 1;
    printf("%ld %ld %ld\n", after - before, faults_after - faults_before, (long)page.st_blocks / 2);
    return 0;
}
