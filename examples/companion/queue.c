/* SPDX-License-Identifier: BSD-2-Clause */
/* Run queues, one a priority, first in, first out. Probes: sched:enqueue, sched:dequeue. */
#include "queue.h"

#include <sdt/probe.h>
#include <stddef.h>

void queue_init(struct queue *queue)
{
    for (int i = 0; i < PRIORITIES; i++) {
        queue->first[i] = NULL;
        queue->last[i] = &queue->first[i];
    }
}

void queue_add(struct queue *queue, struct task *task)
{
    task->next = NULL;
    *queue->last[task->priority] = task;
    queue->last[task->priority] = &task->next;
    SDT_PROBE(sched, enqueue, task->id, task->priority);
}

struct task *queue_take(struct queue *queue)
{
    for (int i = 0; i < PRIORITIES; i++) {
        struct task *task = queue->first[i];
        if (!task)
            continue;
        queue->first[i] = task->next;
        if (!task->next)
            queue->last[i] = &queue->first[i];
        SDT_PROBE(sched, dequeue, task->id, task->priority);
        return task;
    }
    return NULL;
}
