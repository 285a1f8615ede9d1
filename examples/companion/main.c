/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scheduler TASKS: tasks that need 1, 2, 3, ... time slices, run round robin in four priorities. A
 * task that used its slice up goes to the end of the next worse queue.
 *
 * Prints how often a task was put into each queue, as seen by a handler on sched:enqueue.
 */
#include "queue.h"

#include <inttypes.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void count_by_priority(const struct sdt_event *event, void *data)
{
    unsigned long *counts = data;
    counts[sdt_arg(event, 1)]++;
}

static void run(struct queue *queue)
{
    struct task *task;
    while ((task = queue_take(queue)) != NULL) {
        if (--task->left == 0)
            continue;
        if (task->priority < PRIORITIES - 1)
            task->priority++;
        queue_add(queue, task);
    }
}

int main(int argc, char **argv)
{
    int count = argc == 2 ? atoi(argv[1]) : 0;
    unsigned long counts[PRIORITIES] = {0};
    struct queue queue;

    if (count < 1 || count > 1000) {
        fprintf(stderr, "usage: scheduler TASKS (1..1000)\n");
        return 2;
    }
    struct task *tasks = calloc((size_t)count, sizeof *tasks);
    if (!tasks || sdt_enable("sched:enqueue", count_by_priority, counts) < 0 ||
        sdt_enable("sched", SDT_COUNT, NULL) < 0) {
        fprintf(stderr, "scheduler: cannot start\n");
        return 1;
    }
    queue_init(&queue);
    for (int i = 0; i < count; i++) {
        tasks[i].id = i;
        tasks[i].left = i + 1;
        queue_add(&queue, &tasks[i]);
    }
    run(&queue);
    for (int i = 0; i < PRIORITIES; i++)
        printf("priority %d: %lu\n", i, counts[i]);
    printf("sched:enqueue %" PRIu64 "\n", sdt_hits("sched:enqueue"));
    printf("sched:dequeue %" PRIu64 "\n", sdt_hits("sched:dequeue"));
    free(tasks);
    return 0;
}
