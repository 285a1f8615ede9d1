/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PARSE_H
#define PARSE_H

/* Are the brackets of TEXT balanced: (), [] and {}, nested at most 64 deep? */
int parse_balanced(const char *text);

#endif
