/* SPDX-License-Identifier: BSD-2-Clause */
/* Names as c++filt prints them, and as they are shown. */
#include "base/std_names.h"

#include <stdio.h>
#include <string.h>

#define STRING "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"

static const char *const names[][2] = {
    {"f(" STRING " const&)", "f(std::string const&)"},
    {"f(std::vector<" STRING ", std::allocator<" STRING " > >)", "f(std::vector<std::string>)"},
    {"f(std::map<" STRING ", int, std::less<" STRING " >, std::allocator<std::pair<" STRING
     " const, int> > >&)",
     "f(std::map<std::string, int>&)"},
    {"f(std::set<int, std::less<void>, std::allocator<int> >)",
     "f(std::set<int, std::less<void> >)"},
    {"f(std::set<int, std::greater<int>, std::allocator<int> >)",
     "f(std::set<int, std::greater<int> >)"},
    {"f(std::map<int, char, std::less<int>, pool<int> >)",
     "f(std::map<int, char, std::less<int>, pool<int> >)"},
    {"f(std::unordered_map<int, std::unique_ptr<a, std::default_delete<a> >, std::hash<int>, "
     "std::equal_to<int>, std::allocator<std::pair<int const, std::unique_ptr<a, "
     "std::default_delete<a> > > > >)",
     "f(std::unordered_map<int, std::unique_ptr<a> >)"},
    {"f(std::unique_ptr<a, std::default_delete<b> >)",
     "f(std::unique_ptr<a, std::default_delete<b> >)"},
    {"pool<int, std::allocator<int> >::get()", "pool<int, std::allocator<int> >::get()"},
    {"mystd::vector<int, std::allocator<int> >::f()",
     "mystd::vector<int, std::allocator<int> >::f()"},
    {"std::vector<int, std::allocator<int> >::~vector()", "std::vector<int>::~vector()"},
    {STRING "::"
            "basic_string<std::allocator<char> >(char const*, std::allocator<char> const&)",
     "std::string::basic_string<std::allocator<char> >(char const*, std::allocator<char> const&)"},
    {"std::basic_ostream<char, std::char_traits<char> >& std::operator<< <std::char_traits<char> >("
     "std::basic_ostream<char, std::char_traits<char> >&, char const*)",
     "std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)"},
    {"f(std::basic_string<wchar_t, std::char_traits<wchar_t>, std::allocator<wchar_t> >)",
     "f(std::basic_string<wchar_t>)"},
    {"bool operator< <int>(std::list<int, std::allocator<int> > const&)",
     "bool operator< <int>(std::list<int> const&)"},
    {"p<int>::operator->()", "p<int>::operator->()"},
    {"p::operator<=>(p const&)", "p::operator<=>(p const&)"},
    {"decltype ((({parm#1})->size)()) f<std::vector<int, std::allocator<int> > >(int)",
     "decltype ((({parm#1})->size)()) f<std::vector<int> >(int)"},
    {"f<(a > b)>(int)", "f<(a > b)>(int)"},
    {"main::{lambda(std::vector<int, std::allocator<int> >&)#1}::operator()(int) const",
     "main::{lambda(std::vector<int>&)#1}::operator()(int) const"},
    {"std::function<void (int, std::list<int, std::allocator<int> >)>::operator()(int) const",
     "std::function<void (int, std::list<int>)>::operator()(int) const"},
    {"void std::__1::sort<int*>(int*, int*)", "void std::sort<int*>(int*, int*)"},
    {"f(std::tuple<>)", "f(std::tuple<>)"},
    {"core::ptr::drop_in_place<alloc::vec::Vec<u8>>",
     "core::ptr::drop_in_place<alloc::vec::Vec<u8>>"},
    /* Patterns, and what is no name. */
    {"f(std::vector<*, std::allocator<*> >*)", "f(std::vector<*>*)"},
    {"std::vector<int, std::allocator<int", "std::vector<int"},
    {"std::a<", "std::a<"},
    {"std::a<,>,", "std::a<,>,"},
    {"<>>(", "<>>("},
    {"std::<std::allocator<", "std::<std::allocator<"},
    {"", ""},
};

int main(void)
{
    int result = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[1000];
        snprintf(name, sizeof name, "%s", names[i][0]);
        std_names_shorten(name);
        if (strcmp(name, names[i][1]) != 0) {
            printf("%s\n  is      %s\n  and not %s\n", names[i][0], name, names[i][1]);
            result = 1;
        }
    }
    return result;
}
