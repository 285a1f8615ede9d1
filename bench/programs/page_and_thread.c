/* SPDX-License-Identifier: BSD-2-Clause */
/* What any process pays that shares a page with others and has a thread that waits for them: a
 * sealed file in memory, mapped, locked and written to, and the thread. Nothing of sdtlink. Prints,
 * as attachable.c does: nanoseconds; page faults until the thread sleeps. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "now.h"

enum { SIZE = 84992, STACK = 1 << 17 };

static long faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

static void *wait_on(void *page)
{
    syscall(SYS_futex, page, FUTEX_WAIT, 0, NULL, NULL, 0);
    return NULL;
}

static int share(void)
{
    struct flock all = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    pthread_attr_t attributes;
    pthread_t thread;
    int fd = memfd_create("page", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, SIZE) != 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW) != 0)
        return -1;
    uint32_t *page = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED || fcntl(fd, F_OFD_SETLK, &all) != 0)
        return -1;
    page[1] = 1;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK);
    return pthread_create(&thread, &attributes, wait_on, page);
}

int main(void)
{
    now();
    long faults_before = faults();
    double before = now();
    int error = share();
    double after = now();
    usleep(20000);
    long faults_after = faults();
    printf("%.0f %ld\n", after - before, faults_after - faults_before);
    return error != 0;
}
