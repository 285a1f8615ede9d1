/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/enum.h> -- a part of <sdt/probe.h>: SDT_ENUM_NAMES, names for the values of an argument. Do
 * not include it yourself; all names in it that end in `_` are internal.
 *
 *     enum state { IDLE, BUSY };
 *     SDT_ENUM_NAMES(web, request, state, {IDLE, "idle"}, {BUSY, "busy"});
 *
 * at file or namespace scope names the values of argument `state` of probe web:request; see "What
 * arguments are called" in <sdt/probe.h>. It applies to the sites of the same object, so put it
 * into the header that has the enumeration. Values are integer constants or enumerators, scoped
 * ones as well. A name has at most 55 bytes.
 *
 * It is data for sdtlink: entries of 64 bytes, the probe's names first, in a section that no linked
 * file has (<sdt/format.h>, SDT_SECTION_ENUMS). An array, not asm: a value may be any constant
 * expression.
 */
#ifndef SDT_ENUM_H
#define SDT_ENUM_H

#if !defined(SDT_PROBE_H)
#error "include <sdt/probe.h>"
#endif

#if defined(__cplusplus) && __cplusplus >= 201103L
#define SDT_ENUM_CONST_ static constexpr
namespace sdt_detail_
{
struct enum_value {
    __INT64_TYPE__ value;
    template <typename T> constexpr enum_value(T x) : value(static_cast<__INT64_TYPE__>(x)) {}
};
} // namespace sdt_detail_
struct sdt_enum_name_ {
    ::sdt_detail_::enum_value value;
    char text[56];
};
#else
#define SDT_ENUM_CONST_ static const
struct sdt_enum_name_ {
    __INT64_TYPE__ value;
    char text[56];
};
#endif

/* One more macro level, so that # and ## below get the expanded provider and name. */
#define SDT_ENUM_NAMES(provider, name, argument, ...)                                              \
    SDT_ENUM_NAMES_(provider, name, argument, __VA_ARGS__)

#if !SDT_HAS_PROBES
#define SDT_ENUM_NAMES_(provider, name, argument, ...) struct sdt_enum_name_
#else
/* The first entry has a magic number. The entries are: provider, name, argument, enumerators. */
#define SDT_ENUM_NAMES_(provider, name, argument, ...)                                             \
    SDT_ENUM_CONST_ struct sdt_enum_name_ sdt_enum_##provider##___##name##___##argument[]          \
        __attribute__((__used__, __aligned__(64), __section__(".sdt_enums"))) = {                  \
            {0x7364744e616d6573l, #provider}, {0l, #name}, {0l, #argument}, __VA_ARGS__}
#endif

#endif
