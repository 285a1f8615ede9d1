// SPDX-License-Identifier: BSD-2-Clause
// ferry CARS: a ferry with room for six crosses until so many cars have been taken.
#include "queue.h"

#include <sdt.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int cars = argc > 1 ? atoi(argv[1]) : 20, taken = 0, crossings = 0;
    for (int i = 0; i < cars; i++)
        queue_arrive(i % 3 ? HERE : THERE);
    for (enum side side = HERE; taken < cars; side = !side) {
        int on_board = queue_board(side, 6);
        SDT_PROBE(ferry, cross, side, on_board);
        taken += on_board;
        crossings++;
    }
    printf("%d cars in %d crossings\n", taken, crossings);
    return 0;
}
