// SPDX-License-Identifier: BSD-2-Clause
// Cars that wait for the ferry: how many there are on each side.
enum side { HERE, THERE };

void queue_arrive(enum side side);
int queue_board(enum side side, int room); // how many go on board
