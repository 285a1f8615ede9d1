/* SPDX-License-Identifier: BSD-2-Clause */
/* `sdtlink verify FILE…`: hands over to sdtlink-verify, the second reader (see verify/main.c). */
#ifndef SDTLINK_VERIFY_H
#define SDTLINK_VERIFY_H

/* argv[0] is "verify". Does not return if the program exists; otherwise prints a message and
 * returns 1. */
int verify_main(int argc, char **argv);

#endif
