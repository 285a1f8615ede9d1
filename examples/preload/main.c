/* SPDX-License-Identifier: BSD-2-Clause */
/* A program that knows nothing of who looks, and asks for no runtime: a shop with two customers. */
#include <sdt/probe.h>
#include <stdio.h>

static int stock = 5;

static int sell(int customer, int wanted)
{
    int sold = wanted < stock ? wanted : stock;
    SDT_PROBE(shop, sale, customer, wanted, sold);
    stock -= sold;
    if (stock == 0)
        SDT_PROBE(shop, empty);
    return sold;
}

int main(void)
{
    int sold = sell(1, 3);
    sold += sell(2, 4);
    printf("%d sold\n", sold);
    return 0;
}
