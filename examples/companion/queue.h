/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef QUEUE_H
#define QUEUE_H

enum { PRIORITIES = 4 };

struct task {
    struct task *next;
    int id;
    int priority; /* 0 is served first */
    int left;     /* time slices that it still needs */
};

struct queue {
    struct task *first[PRIORITIES], **last[PRIORITIES];
};

void queue_init(struct queue *queue);
void queue_add(struct queue *queue, struct task *task);
/* The first task of the best priority that has one; NULL if all have run. */
struct task *queue_take(struct queue *queue);

#endif
