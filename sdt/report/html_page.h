/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of `sdt report --html`, but for the data: cmake/EmbedPage.cmake makes it of html/. */
#ifndef SDT_HTML_PAGE_H
#define SDT_HTML_PAGE_H

#include <stddef.h>

/* What precedes the events, what is between them and their description, what follows that. */
extern const unsigned char html_before[], html_between[], html_after[];
extern const size_t html_before_size, html_between_size, html_after_size;

#endif
