/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of C++ functions as a person writes them, where the demangler spells out the library's own
 * defaults: std::vector<int>, not std::vector<int, std::allocator<int> >. */
#ifndef SDT_BASE_STD_NAMES_H
#define SDT_BASE_STD_NAMES_H

/*
 * In NAME, or a pattern for names: leave out arguments of templates of namespace std that are
 * defaults at the end of the list (allocators; comparison, hash and deletion of the first
 * argument), and inline namespaces; and name std::basic_string<char> and its kin std::string. NAME
 * only becomes shorter.
 */
void std_names_shorten(char *name);

#endif
