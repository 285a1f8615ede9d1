/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes, not threads: an object is processed by code that was written for one object in one
 * process, and that ends the process when memory runs out.
 */
#include "work.h"

#include "base/diag.h"
#include "supervise.h"

#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MUCH_MEMORY = 1 << 25 };

/* Shared by the workers. */
struct board {
    atomic_size_t next;
    atomic_int status; /* of the first job that failed */
};

/* Given back in between, it would come as new pages, which the kernel has to clear. */
void work_keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, MUCH_MEMORY);
    mallopt(M_TRIM_THRESHOLD, MUCH_MEMORY);
}

size_t work_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return (size_t)CPU_COUNT(&set);
}

static _Noreturn void be_worker(struct board *board, int (*job)(size_t, void *), size_t count,
                                void *data)
{
    static char words[1 << 14];
    size_t i;
    /* Standard output is the linker's; the words about one object stay together. */
    dup2(STDERR_FILENO, STDOUT_FILENO);
    setvbuf(stderr, words, _IOFBF, sizeof words);
    while (!atomic_load(&board->status) && (i = atomic_fetch_add(&board->next, 1)) < count) {
        int status = job(i, data);
        fflush(stderr); /* details and warnings first, then the summary */
        fflush(stdout);
        if (status) {
            atomic_store(&board->status, status);
            break;
        }
    }
    _exit(EXIT_SUCCESS);
}

/* What came of it: a signal, a job's status, or a worker that ended without one. */
static int judge(int received, struct board *board, const int *statuses, size_t started,
                 size_t wanted)
{
    int result = started < wanted ? 1 : atomic_load(&board->status);
    for (size_t i = 0; i < started; i++)
        if (!received && statuses[i] != 0)
            result = WIFSIGNALED(statuses[i]) ? -WTERMSIG(statuses[i]) : 1;
    return received ? -received : result;
}

int work_run(int (*job)(size_t index, void *data), size_t count, void *data)
{
    size_t wanted = work_processors() < count ? work_processors() : count, started = 0;
    if (count == 0)
        return 0;
    struct board *board =
        mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED) {
        diag_errno("cannot start workers");
        return 1;
    }
    pid_t *workers = memory_zeroed(wanted, sizeof *workers);
    int *statuses = memory_zeroed(wanted, sizeof *statuses);
    fflush(stdout);
    for (; started < wanted; started++) {
        pid_t worker = supervise_fork();
        if (worker == 0)
            be_worker(board, job, count, data);
        if (worker < 0) {
            atomic_store(&board->status, 1);
            break;
        }
        workers[started] = worker;
    }
    int received = supervise_wait(workers, statuses, started, NULL, 0);
    int result = judge(received, board, statuses, started, wanted);
    free(workers);
    free(statuses);
    munmap(board, sizeof *board);
    return result;
}
