/* SPDX-License-Identifier: BSD-2-Clause */
/* Patterns of probes, cut into words; functions of C++, and their spellings. */
#include "check.h"

#include <base/demangle.h>
#include <base/function_name.h>
#include <base/probe_words.h>
#include <stdlib.h>
#include <string.h>

static const char *shown(const char *word)
{
    return word ? word : "-";
}

static void check_words(void)
{
    static const struct {
        const char *text;
        int parts;
        const char *words[PROBE_WORDS];
    } cases[] = {
        {"web", 1, {"web", "-", "-", "-"}},
        {"", 1, {"", "-", "-", "-"}},
        {"web:request", 2, {"web", "-", "-", "request"}},
        {"web:m:f", 3, {"-", "-", "-", "-"}},
        {"web:m:f:name", 4, {"web", "m", "f", "name"}},
        {"web:::name", 4, {"web", "", "", "name"}},
        {"web::ns::f:name", 4, {"web", "", "ns::f", "name"}},
        {"web::ns::f", 3, {"-", "-", "-", "-"}},
        {"fn::f", 4, {"fn", "", "f", "-"}},
        {"fn:libx.so:f", 4, {"fn", "libx.so", "f", "-"}},
        {"fn::f:", 4, {"fn", "", "f", ""}},
        {"fn::ns::f", 4, {"fn", "", "ns::f", "-"}},
        {"fn::ns::f:entry", 4, {"fn", "", "ns::f", "entry"}},
        {"fn::s<a::b>::f(a::b):entry", 4, {"fn", "", "s<a::b>::f(a::b)", "entry"}},
        {"fn::f[abi:cxx11]()", 4, {"fn", "", "f[abi:cxx11]()", "-"}},
        {"fn::main::{lambda(int)#1}::operator()",
         4,
         {"fn", "", "main::{lambda(int)#1}::operator()", "-"}},
        {"fn::operator<:entry", 4, {"fn", "", "operator<", "entry"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct probe_words words;
        CHECK(probe_words_split(&words, cases[i].text, "fn") == cases[i].parts);
        for (unsigned k = 0; k < PROBE_WORDS; k++)
            CHECK(!strcmp(shown(words.word[k]), cases[i].words[k]));
        probe_words_free(&words);
    }
}

static void check_several(void)
{
    char text[] = "fn::a,web:b,fn::s<int, long>::f(int, char),fn::operator<,,c", *rest = text;
    static const char *const parts[] = {"fn::a",         "web:b", "fn::s<int, long>::f(int, char)",
                                        "fn::operator<", "",      "c"};
    size_t n = 0;
    for (char *part; (part = probe_words_next(&rest)); n++)
        CHECK(n < sizeof parts / sizeof *parts && !strcmp(part, parts[n]));
    CHECK(n == sizeof parts / sizeof *parts);
}

static void check_functions(void)
{
    static const struct {
        const char *text, *module, *function; /* NULL: it is none */
    } cases[] = {
        {"serve", "", "serve"},
        {"ns::serve", "", "ns::serve"},
        {"fn::serve", "", "serve"},
        {"fn:libx.so:ns::serve", "libx.so", "ns::serve"},
        {"f(int, char)", "", "f(int, char)"},
        {"s<a, b::c>::f", "", "s<a, b::c>::f"},
        {"web:begin", NULL, NULL},
        {"fn::serve:entry", NULL, NULL},
        {"a,b", NULL, NULL},
        {"a/b", NULL, NULL},
        {"", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct probe_words words;
        bool is_function = probe_words_function(&words, cases[i].text, "fn");
        CHECK(is_function == (cases[i].function != NULL));
        if (!is_function)
            continue;
        CHECK(!strcmp(words.word[WORD_MODULE], cases[i].module));
        CHECK(!strcmp(words.word[WORD_FUNCTION], cases[i].function));
        probe_words_free(&words);
    }
}

static void check_spellings(void)
{
    static const struct {
        const char *symbol, *spellings[FUNCTION_SPELLINGS];
    } cases[] = {
        {"serve", {"serve", "-", "-", "-"}},
        {"_Z5servei", {"_Z5servei", "serve(int)", "serve", "serve"}},
        {"_ZN2fn6serverIiE5serveEi",
         {"_ZN2fn6serverIiE5serveEi", "fn::server<int>::serve(int)", "fn::server<int>::serve",
          "fn::server::serve"}},
        {"_Z5twiceIiET_S0_", {"_Z5twiceIiET_S0_", "int twice<int>(int)", "twice<int>", "twice"}},
        {"_ZN1AltERKS_",
         {"_ZN1AltERKS_", "A::operator<(A const&)", "A::operator<", "A::operator<"}},
        {"_ZZ4mainENKUliE_clEi",
         {"_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()(int) const",
          "main::{lambda(int)#1}::operator()", "main::{lambda(int)#1}::operator()"}},
    };
    for (size_t i = 0; demangle_is_there && i < sizeof cases / sizeof *cases; i++) {
        struct function_name name;
        function_name_make(&name, slice_of(cases[i].symbol));
        for (unsigned k = 0; k < FUNCTION_SPELLINGS; k++)
            CHECK(!strcmp(shown(name.spelling[k]), cases[i].spellings[k]));
        function_name_free(&name);
    }
}

int main(void)
{
    check_words();
    check_several();
    check_functions();
    check_spellings();
    return check_failures != 0;
}
