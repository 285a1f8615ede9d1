/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every probe of dtrace_traced.d, as C and as C++, in every dialect. Work for an argument is done
 * only while it is traced. With LATE: a loop in which nothing but the question stands, until a
 * signal handler counts the semaphore up.
 */
#include "dtrace_traced.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int asked(void);

#if defined(LATE)
static void count_up(int number)
{
    (void)number;
    app_never_semaphore = (unsigned short)(app_never_semaphore + 1);
}
#endif

int asked(void)
{
    return APP_REQUEST_START_ENABLED() ? 3 : 4;
}

int main(int argc, char **argv)
{
    int i, rounds = argc > 1 ? atoi(argv[1]) : 10, looked = 0;

#if defined(LATE)
    signal(SIGALRM, count_up);
    alarm(1);
    while (!APP_NEVER_ENABLED()) {
    }
#endif
    for (i = 0; i < rounds; i++) {
        APP_NONE();
        if (APP_REQUEST_START_ENABLED()) {
            char path[] = "/path/0";
            path[6] = (char)('0' + i % 10);
            looked++;
            APP_REQUEST_START(i - 5, path);
        }
        APP_A1(i);
        APP_A2(i, 2);
        APP_A3(i, 2, 3);
        APP_A4(i, 2, 3, 4);
        APP_A5(i, 2, 3, 4, 5);
        APP_A6(i, 2, 3, 4, 5, 6);
        APP_A7(i, 2, 3, 4, 5, 6, 7);
        APP_A8(i, 2, 3, 4, 5, 6, 7, 8);
        APP_A9(i, 2, 3, 4, 5, 6, 7, 8, 9);
        APP_A10(i, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        APP_A11(i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
        APP_A12(i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, argc);
        APP_TRANSLATED(&i, argv, &argc);
        APP2__X_CATCH(1.5);
    }
    printf("looked %d\n", looked);
    return APP_NEVER_ENABLED() && asked() == 3;
}
