/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What processes do to those who live in them: the first argument says what. Ends with "ok".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sdt/probe.h>
#include <sdt/record.h>
#include <sdt/runtime.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sdt_recorder *recorder;

static void check(int holds, int line)
{
    if (!holds) {
        fprintf(stderr, "line %d: errno %d\n", line, errno);
        _exit(1);
    }
}
#define CHECK(condition) check(condition, __LINE__)

static void begin(unsigned flags)
{
    const struct sdt_record_options options = {
        .size = sizeof options, .flags = flags, .packet_size = 4096, .ring_size = 1 << 20};
    CHECK(sdt_record_create("rec", &options, &recorder) == 0);
    CHECK(sdt_record_add(recorder, "early:*") == 0);
}

static void hit(long n)
{
    for (long i = 0; i < n; i++)
        SDT_PROBE(early, tick, i);
}

static void hit_late(const char *text)
{
    SDT_PROBE(late, text, text);
}

/* ---- A daemon: the recorder's descriptors are closed, and the numbers used again. ---- */

static void be_daemon(int has_thread)
{
    struct sdt_record_stats stats = {.size = sizeof stats};
    char name[32];
    begin(has_thread ? SDT_RECORD_THREAD : 0);
    hit(1000);
    while (has_thread && stats.bytes == 0) /* its streams are open */
        CHECK(sdt_record_stats(recorder, &stats) == 0);
    CHECK(has_thread || sdt_record_flush(recorder) == 0);
    CHECK(mkdir("own", 0700) == 0 && chdir("own") == 0);
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    for (int i = 3; i < 32; i++) {
        snprintf(name, sizeof name, "%d", i);
        int fd = open(name, O_RDWR | O_CREAT, 0600);
        CHECK(fd >= 3 && write(fd, "own", 3) == 3);
    }
    hit(1000);
    CHECK(sdt_record_add(recorder, "late:*") == 0);
    hit_late("late");
    int error = sdt_record_flush(recorder);
    CHECK(error == 0 || error == -EBUSY);
    hit(500);
    hit_late("last");
    puts("ok");
    exit(0);
}

/* ---- Signals. ---- */

static sigjmp_buf back;
static volatile int handled;

static void jump_back(int number)
{
    (void)number;
    handled++;
    siglongjmp(back, 1);
}

static void fault(void)
{
    if (sigsetjmp(back, 1) == 0)
        *(volatile int *)64000 = 1;
}

/* A program that leaves its handler of SIGSEGV by siglongjmp(), which was installed when something
 * was recorded already. */
static void jump(void)
{
    static char room[65536];
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction action = {.sa_handler = jump_back, .sa_flags = SA_ONSTACK};
    begin(0);
    CHECK(sigaltstack(&stack, NULL) == 0 && sigaction(SIGSEGV, &action, NULL) == 0);
    CHECK(sdt_record_add(recorder, "late:*") == 0);
    for (int i = 0; i < 5; i++) {
        fault();
        hit_late((const char *)64000);
    }
    CHECK(handled == 5);
}

/* One that has its handler only once. */
static void once(void)
{
    struct sigaction action = {.sa_handler = jump_back, .sa_flags = SA_RESETHAND | SA_NODEFER};
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
    begin(0);
    CHECK(sdt_record_add(recorder, "late:*") == 0);
    hit_late((const char *)64000);
    fault();
    hit_late((const char *)64000);
    CHECK(handled == 1);
    pid_t child = fork();
    if (child == 0)
        fault(); /* the second time it is the end */
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

/* Text in a file that becomes shorter. */
static void truncated(void)
{
    int fd = open("text", O_RDWR | O_CREAT, 0600);
    begin(0);
    CHECK(sdt_record_add(recorder, "late:*") == 0);
    CHECK(fd >= 0 && ftruncate(fd, 8192) == 0);
    char *text = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    memset(text, 'x', 8192);
    CHECK(ftruncate(fd, 4096) == 0);
    hit_late(text + 4096);
    hit_late(text + 4000);
    munmap(text, 8192);
    hit_late(text);
}

/* A hit leaves errno, whatever happens in it. */
static void keep_errno(void)
{
    begin(0);
    CHECK(sdt_record_add(recorder, "late:*") == 0);
    errno = 12345;
    hit(2000);
    hit_late((const char *)64000);
    hit_late(NULL);
    hit_late("text");
    pid_t child = fork();
    CHECK(errno == 12345);
    if (child == 0) {
        hit(2000);
        CHECK(errno == 12345);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* ---- Ends: the environment has made the recorder. ---- */

/* Nothing of what was open by name can be opened again; nor, perhaps, are the descriptors there. */
static void in_jail(void)
{
    CHECK(mkdir("jail", 0700) == 0 && chroot("jail") == 0 && chdir("/") == 0);
    hit(100);
}

static void in_jail_closed(void)
{
    in_jail();
    for (int fd = 3; fd < 64; fd++)
        close(fd);
}

/* The names of the streams are taken, by what is no file. */
static void spoiled(void)
{
    char name[64];
    for (int i = 0; i < 512; i++) {
        snprintf(name, sizeof name, "rec/a.out-%d/cpu%d", (int)getpid(), i);
        CHECK(mkdir(name, 0700) == 0);
    }
    hit(100);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } all[] = {{"jump", jump},
               {"once", once},
               {"truncated", truncated},
               {"jail", in_jail},
               {"jail-closed", in_jail_closed},
               {"spoiled", spoiled},
               {"errno", keep_errno}};
    if (argc > 1 && !strncmp(argv[1], "daemon", 6))
        be_daemon(!strcmp(argv[1], "daemon-thread"));
    for (size_t i = 0; argc > 1 && i < sizeof all / sizeof *all; i++)
        if (!strcmp(argv[1], all[i].name)) {
            all[i].run();
            puts("ok");
            return 0;
        }
    return 99;
}
