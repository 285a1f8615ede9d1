/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of `sdt diff --html`, but for its body: cmake/EmbedPage.cmake makes it of html/. */
#ifndef SDT_DIFF_PAGE_H
#define SDT_DIFF_PAGE_H

#include <stddef.h>

extern const unsigned char diff_page_before[], diff_page_after[];
extern const size_t diff_page_before_size, diff_page_after_size;

#endif
