/* SPDX-License-Identifier: BSD-2-Clause */
#include "macros_types.h"

/* What only C++ has: references, its own types, templates, and where a probe may stand. */
#if __cplusplus >= 201103L
enum class scoped : unsigned char { one = 1 };
void modern(scoped value, char16_t c16, char32_t c32);
void modern(scoped value, char16_t c16, char32_t c32)
{
    SDT_PROBE(modern, scoped, value);
    SDT_PROBE(modern, c16, c16);
    SDT_PROBE(modern, c32, c32);
    SDT_PROBE(modern, null, nullptr);
    [&] { SDT_PROBE(modern, lambda, value, c16); }();
}
namespace
{
void unnamed(int x)
{
    SDT_PROBE(unnamed, plain, x);
    if (SDT_PROBE_ENABLED(unnamed, plain))
        SDT_PROBE(unnamed, plain, x, x);
}
} // namespace
void call_unnamed(int x);
void call_unnamed(int x)
{
    unnamed(x);
}
#endif

template <typename T> struct holder {
    T value;
    explicit holder(T v) : value(v)
    {
        SDT_PROBE(cxx, constructed, value, this);
    }
    ~holder()
    {
        SDT_PROBE(cxx, destroyed, value);
    }
};

template <typename T> inline void refer(T &reference)
{
    SDT_PROBE(cxx, reference, reference);
}

namespace named
{
void inside(wchar_t wide);
void inside(wchar_t wide)
{
    SDT_PROBE(cxx, wide, wide);
    holder<short> s(-1);
    holder<double> d(1.0);
    refer(wide);
    refer(d.value);
}
} // namespace named
