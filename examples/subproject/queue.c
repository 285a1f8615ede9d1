// SPDX-License-Identifier: BSD-2-Clause
#include "queue.h"

#include <sdt.h>

static int waiting[2];

void queue_arrive(enum side side)
{
    waiting[side]++;
    SDT_PROBE(ferry, arrive, side, waiting[side]);
}

int queue_board(enum side side, int room)
{
    int cars = waiting[side] < room ? waiting[side] : room;
    waiting[side] -= cars;
    SDT_PROBE(ferry, board, side, cars, waiting[side]);
    return cars;
}
