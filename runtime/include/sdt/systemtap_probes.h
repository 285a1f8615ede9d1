/* SPDX-License-Identifier: BSD-2-Clause */
/* Written by runtime/systemtap.py: change that. Included by <sdt/systemtap.h>. */
#ifndef SDT_SYSTEMTAP_PROBES_H
#define SDT_SYSTEMTAP_PROBES_H

#if defined(__GNUC__)
#pragma GCC system_header
#endif

/* clang-format off */

#define SYSTEMTAP_PROBE_N(name, a) \
    SYSTEMTAP_SITE_("," #a, name, 1N, SYSTEMTAP_N_(a))
#define SYSTEMTAP_PROBE_S(name, a) \
    SYSTEMTAP_SITE_("," #a, name, 1S, SYSTEMTAP_S_(a))
#define SYSTEMTAP_PROBE_NN(name, a, b) \
    SYSTEMTAP_SITE_("," #a "," #b, name, 2NN, SYSTEMTAP_N_(a), SYSTEMTAP_N_(b))
#define SYSTEMTAP_PROBE_NS(name, a, b) \
    SYSTEMTAP_SITE_("," #a "," #b, name, 2NS, SYSTEMTAP_N_(a), SYSTEMTAP_S_(b))
#define SYSTEMTAP_PROBE_SN(name, a, b) \
    SYSTEMTAP_SITE_("," #a "," #b, name, 2SN, SYSTEMTAP_S_(a), SYSTEMTAP_N_(b))
#define SYSTEMTAP_PROBE_SS(name, a, b) \
    SYSTEMTAP_SITE_("," #a "," #b, name, 2SS, SYSTEMTAP_S_(a), SYSTEMTAP_S_(b))
#define SYSTEMTAP_PROBE_NNN(name, a, b, c) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c, name, 3NNN, SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), \
    SYSTEMTAP_N_(c))
#define SYSTEMTAP_PROBE_NNS(name, a, b, c) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c, name, 3NNS, SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), \
    SYSTEMTAP_S_(c))
#define SYSTEMTAP_PROBE_NSN(name, a, b, c) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c, name, 3NSN, SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), \
    SYSTEMTAP_N_(c))
#define SYSTEMTAP_PROBE_NSS(name, a, b, c) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c, name, 3NSS, SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), \
    SYSTEMTAP_S_(c))
#define SYSTEMTAP_PROBE_SNN(name, a, b, c) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c, name, 3SNN, SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), \
    SYSTEMTAP_N_(c))
#define SYSTEMTAP_PROBE_SNS(name, a, b, c) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c, name, 3SNS, SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), \
    SYSTEMTAP_S_(c))
#define SYSTEMTAP_PROBE_SSN(name, a, b, c) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c, name, 3SSN, SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), \
    SYSTEMTAP_N_(c))
#define SYSTEMTAP_PROBE_SSS(name, a, b, c) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c, name, 3SSS, SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), \
    SYSTEMTAP_S_(c))
#define SYSTEMTAP_PROBE_NNNN(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4NNNN, SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), \
    SYSTEMTAP_N_(c), SYSTEMTAP_N_(d))
#define SYSTEMTAP_PROBE_NNNS(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4NNNS, SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), \
    SYSTEMTAP_N_(c), SYSTEMTAP_S_(d))
#define SYSTEMTAP_PROBE_NNSN(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4NNSN, SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), \
    SYSTEMTAP_S_(c), SYSTEMTAP_N_(d))
#define SYSTEMTAP_PROBE_NNSS(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4NNSS, SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), \
    SYSTEMTAP_S_(c), SYSTEMTAP_S_(d))
#define SYSTEMTAP_PROBE_NSNN(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4NSNN, SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), \
    SYSTEMTAP_N_(c), SYSTEMTAP_N_(d))
#define SYSTEMTAP_PROBE_NSNS(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4NSNS, SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), \
    SYSTEMTAP_N_(c), SYSTEMTAP_S_(d))
#define SYSTEMTAP_PROBE_NSSN(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4NSSN, SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), \
    SYSTEMTAP_S_(c), SYSTEMTAP_N_(d))
#define SYSTEMTAP_PROBE_NSSS(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4NSSS, SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), \
    SYSTEMTAP_S_(c), SYSTEMTAP_S_(d))
#define SYSTEMTAP_PROBE_SNNN(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4SNNN, SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), \
    SYSTEMTAP_N_(c), SYSTEMTAP_N_(d))
#define SYSTEMTAP_PROBE_SNNS(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4SNNS, SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), \
    SYSTEMTAP_N_(c), SYSTEMTAP_S_(d))
#define SYSTEMTAP_PROBE_SNSN(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4SNSN, SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), \
    SYSTEMTAP_S_(c), SYSTEMTAP_N_(d))
#define SYSTEMTAP_PROBE_SNSS(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4SNSS, SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), \
    SYSTEMTAP_S_(c), SYSTEMTAP_S_(d))
#define SYSTEMTAP_PROBE_SSNN(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4SSNN, SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), \
    SYSTEMTAP_N_(c), SYSTEMTAP_N_(d))
#define SYSTEMTAP_PROBE_SSNS(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4SSNS, SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), \
    SYSTEMTAP_N_(c), SYSTEMTAP_S_(d))
#define SYSTEMTAP_PROBE_SSSN(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4SSSN, SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), \
    SYSTEMTAP_S_(c), SYSTEMTAP_N_(d))
#define SYSTEMTAP_PROBE_SSSS(name, a, b, c, d) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d, name, 4SSSS, SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), \
    SYSTEMTAP_S_(c), SYSTEMTAP_S_(d))
#define SYSTEMTAP_PROBE_NNNNN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NNNNN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_NNNNS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NNNNS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_NNNSN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NNNSN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_NNNSS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NNNSS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_NNSNN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NNSNN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_NNSNS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NNSNS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_NNSSN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NNSSN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_NNSSS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NNSSS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_NSNNN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NSNNN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_NSNNS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NSNNS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_NSNSN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NSNSN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_NSNSS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NSNSS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_NSSNN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NSSNN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_NSSNS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NSSNS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_NSSSN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NSSSN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_NSSSS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5NSSSS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_SNNNN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SNNNN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_SNNNS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SNNNS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_SNNSN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SNNSN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_SNNSS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SNNSS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_SNSNN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SNSNN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_SNSNS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SNSNS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_SNSSN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SNSSN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_SNSSS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SNSSS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_SSNNN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SSNNN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_SSNNS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SSNNS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_SSNSN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SSNSN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_SSNSS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SSNSS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_SSSNN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SSSNN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_SSSNS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SSSNS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_SSSSN(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SSSSN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e))
#define SYSTEMTAP_PROBE_SSSSS(name, a, b, c, d, e) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e, name, 5SSSSS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e))
#define SYSTEMTAP_PROBE_NNNNNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNNNNN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NNNNNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNNNNS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NNNNSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNNNSN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NNNNSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNNNSS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NNNSNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNNSNN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NNNSNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNNSNS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NNNSSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNNSSN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NNNSSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNNSSS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NNSNNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNSNNN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NNSNNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNSNNS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NNSNSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNSNSN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NNSNSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNSNSS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NNSSNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNSSNN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NNSSNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNSSNS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NNSSSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNSSSN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NNSSSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NNSSSS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NSNNNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSNNNN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NSNNNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSNNNS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NSNNSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSNNSN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NSNNSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSNNSS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NSNSNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSNSNN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NSNSNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSNSNS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NSNSSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSNSSN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NSNSSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSNSSS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NSSNNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSSNNN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NSSNNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSSNNS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NSSNSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSSNSN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NSSNSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSSNSS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NSSSNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSSSNN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NSSSNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSSSNS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NSSSSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSSSSN, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_NSSSSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6NSSSSS, SYSTEMTAP_N_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SNNNNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNNNNN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SNNNNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNNNNS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SNNNSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNNNSN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SNNNSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNNNSS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SNNSNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNNSNN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SNNSNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNNSNS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SNNSSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNNSSN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SNNSSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNNSSS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SNSNNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNSNNN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SNSNNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNSNNS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SNSNSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNSNSN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SNSNSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNSNSS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SNSSNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNSSNN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SNSSNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNSSNS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SNSSSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNSSSN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SNSSSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SNSSSS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SSNNNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSNNNN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SSNNNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSNNNS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SSNNSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSNNSN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SSNNSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSNNSS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SSNSNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSNSNN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SSNSNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSNSNS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SSNSSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSNSSN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SSNSSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSNSSS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SSSNNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSSNNN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SSSNNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSSNNS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SSSNSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSSNSN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SSSNSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSSNSS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SSSSNN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSSSNN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SSSSNS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSSSNS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_SSSSSN(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSSSSN, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_N_(f))
#define SYSTEMTAP_PROBE_SSSSSS(name, a, b, c, d, e, f) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f, name, 6SSSSSS, SYSTEMTAP_S_(a), \
    SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), SYSTEMTAP_S_(f))
#define SYSTEMTAP_PROBE_NNNNNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNNNNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNNNNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNNNNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NNNNNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNNNSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNNNNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNNNSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NNNNSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNNSNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNNNSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNNSNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NNNNSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNNSSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNNNSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNNSSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NNNSNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNSNNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNNSNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNSNNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NNNSNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNSNSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNNSNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNSNSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NNNSSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNSSNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNNSSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNSSNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NNNSSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNSSSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNNSSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNNSSSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NNSNNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSNNNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNSNNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSNNNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NNSNNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSNNSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNSNNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSNNSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NNSNSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSNSNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNSNSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSNSNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NNSNSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSNSSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNSNSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSNSSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NNSSNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSSNNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNSSNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSSNNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NNSSNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSSNSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNSSNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSSNSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NNSSSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSSSNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNSSSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSSSNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NNSSSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSSSSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NNSSSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NNSSSSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSNNNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNNNNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSNNNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNNNNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSNNNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNNNSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSNNNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNNNSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSNNSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNNSNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSNNSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNNSNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSNNSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNNSSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSNNSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNNSSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSNSNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNSNNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSNSNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNSNNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSNSNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNSNSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSNSNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNSNSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSNSSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNSSNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSNSSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNSSNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSNSSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNSSSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSNSSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSNSSSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSSNNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSNNNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSSNNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSNNNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSSNNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSNNSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSSNNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSNNSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSSNSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSNSNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSSNSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSNSNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSSNSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSNSSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSSNSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSNSSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSSSNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSSNNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSSSNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSSNNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSSSNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSSNSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSSSNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSSNSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSSSSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSSSNN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSSSSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSSSNS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_NSSSSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSSSSN, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_NSSSSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7NSSSSSS, \
    SYSTEMTAP_N_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNNNNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNNNNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNNNNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNNNNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNNNNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNNNSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNNNNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNNNSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNNNSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNNSNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNNNSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNNSNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNNNSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNNSSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNNNSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNNSSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNNSNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNSNNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNNSNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNSNNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNNSNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNSNSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNNSNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNSNSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNNSSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNSSNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNNSSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNSSNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNNSSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNSSSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNNSSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNNSSSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNSNNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSNNNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNSNNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSNNNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNSNNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSNNSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNSNNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSNNSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNSNSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSNSNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNSNSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSNSNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNSNSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSNSSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNSNSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSNSSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNSSNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSSNNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNSSNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSSNNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNSSNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSSNSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNSSNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSSNSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNSSSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSSSNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNSSSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSSSNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SNSSSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSSSSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SNSSSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SNSSSSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_N_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSNNNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNNNNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSNNNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNNNNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSNNNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNNNSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSNNNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNNNSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSNNSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNNSNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSNNSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNNSNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSNNSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNNSSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSNNSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNNSSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSNSNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNSNNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSNSNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNSNNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSNSNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNSNSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSNSNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNSNSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSNSSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNSSNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSNSSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNSSNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSNSSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNSSSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSNSSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSNSSSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_N_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSSNNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSNNNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSSNNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSNNNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSSNNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSNNSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSSNNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSNNSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSSNSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSNSNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSSNSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSNSNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSSNSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSNSSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSSNSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSNSSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_N_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSSSNNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSSNNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSSSNNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSSNNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSSSNSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSSNSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSSSNSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSSNSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_N_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSSSSNN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSSSNN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSSSSNS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSSSNS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_N_(f), SYSTEMTAP_S_(g))
#define SYSTEMTAP_PROBE_SSSSSSN(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSSSSN, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_N_(g))
#define SYSTEMTAP_PROBE_SSSSSSS(name, a, b, c, d, e, f, g) \
    SYSTEMTAP_SITE_("," #a "," #b "," #c "," #d "," #e "," #f "," #g, name, 7SSSSSSS, \
    SYSTEMTAP_S_(a), SYSTEMTAP_S_(b), SYSTEMTAP_S_(c), SYSTEMTAP_S_(d), SYSTEMTAP_S_(e), \
    SYSTEMTAP_S_(f), SYSTEMTAP_S_(g))

/* The generic form: of all lists, the site of the one that fits is kept. */
#define SYSTEMTAP_ANY_1_(text, provider, name, a) \
    do { \
        enum { SYSTEMTAP_DECIDE_(1, a) }; \
        SYSTEMTAP_KEEP_(1, a) \
        if (SYSTEMTAP_IS_S_(1)) { \
         SYSTEMTAP_LEAF_(text, provider, name, 1S, SYSTEMTAP_WORD_S_(1)); \
        } else { \
         SYSTEMTAP_LEAF_(text, provider, name, 1N, SYSTEMTAP_WORD_N_(1)); \
        } \
    } while (0)
#define SYSTEMTAP_ANY_2_(text, provider, name, a, b) \
    do { \
        enum { SYSTEMTAP_DECIDE_(1, a), SYSTEMTAP_DECIDE_(2, b) }; \
        SYSTEMTAP_KEEP_(1, a) \
        SYSTEMTAP_KEEP_(2, b) \
        if (SYSTEMTAP_IS_S_(1)) { \
         if (SYSTEMTAP_IS_S_(2)) { \
          SYSTEMTAP_LEAF_(text, provider, name, 2SS, SYSTEMTAP_WORD_S_(1), SYSTEMTAP_WORD_S_(2)); \
         } else { \
          SYSTEMTAP_LEAF_(text, provider, name, 2SN, SYSTEMTAP_WORD_S_(1), SYSTEMTAP_WORD_N_(2)); \
         } \
        } else { \
         if (SYSTEMTAP_IS_S_(2)) { \
          SYSTEMTAP_LEAF_(text, provider, name, 2NS, SYSTEMTAP_WORD_N_(1), SYSTEMTAP_WORD_S_(2)); \
         } else { \
          SYSTEMTAP_LEAF_(text, provider, name, 2NN, SYSTEMTAP_WORD_N_(1), SYSTEMTAP_WORD_N_(2)); \
         } \
        } \
    } while (0)
#define SYSTEMTAP_ANY_3_(text, provider, name, a, b, c) \
    do { \
        enum { SYSTEMTAP_DECIDE_(1, a), SYSTEMTAP_DECIDE_(2, b), SYSTEMTAP_DECIDE_(3, c) }; \
        SYSTEMTAP_KEEP_(1, a) \
        SYSTEMTAP_KEEP_(2, b) \
        SYSTEMTAP_KEEP_(3, c) \
        if (SYSTEMTAP_IS_S_(1)) { \
         if (SYSTEMTAP_IS_S_(2)) { \
          if (SYSTEMTAP_IS_S_(3)) { \
           SYSTEMTAP_LEAF_(text, provider, name, 3SSS, SYSTEMTAP_WORD_S_(1), SYSTEMTAP_WORD_S_(2), \
           SYSTEMTAP_WORD_S_(3)); \
          } else { \
           SYSTEMTAP_LEAF_(text, provider, name, 3SSN, SYSTEMTAP_WORD_S_(1), SYSTEMTAP_WORD_S_(2), \
           SYSTEMTAP_WORD_N_(3)); \
          } \
         } else { \
          if (SYSTEMTAP_IS_S_(3)) { \
           SYSTEMTAP_LEAF_(text, provider, name, 3SNS, SYSTEMTAP_WORD_S_(1), SYSTEMTAP_WORD_N_(2), \
           SYSTEMTAP_WORD_S_(3)); \
          } else { \
           SYSTEMTAP_LEAF_(text, provider, name, 3SNN, SYSTEMTAP_WORD_S_(1), SYSTEMTAP_WORD_N_(2), \
           SYSTEMTAP_WORD_N_(3)); \
          } \
         } \
        } else { \
         if (SYSTEMTAP_IS_S_(2)) { \
          if (SYSTEMTAP_IS_S_(3)) { \
           SYSTEMTAP_LEAF_(text, provider, name, 3NSS, SYSTEMTAP_WORD_N_(1), SYSTEMTAP_WORD_S_(2), \
           SYSTEMTAP_WORD_S_(3)); \
          } else { \
           SYSTEMTAP_LEAF_(text, provider, name, 3NSN, SYSTEMTAP_WORD_N_(1), SYSTEMTAP_WORD_S_(2), \
           SYSTEMTAP_WORD_N_(3)); \
          } \
         } else { \
          if (SYSTEMTAP_IS_S_(3)) { \
           SYSTEMTAP_LEAF_(text, provider, name, 3NNS, SYSTEMTAP_WORD_N_(1), SYSTEMTAP_WORD_N_(2), \
           SYSTEMTAP_WORD_S_(3)); \
          } else { \
           SYSTEMTAP_LEAF_(text, provider, name, 3NNN, SYSTEMTAP_WORD_N_(1), SYSTEMTAP_WORD_N_(2), \
           SYSTEMTAP_WORD_N_(3)); \
          } \
         } \
        } \
    } while (0)
#define SYSTEMTAP_ANY_4_(text, provider, name, a, b, c, d) \
    do { \
        enum { SYSTEMTAP_DECIDE_(1, a), SYSTEMTAP_DECIDE_(2, b), SYSTEMTAP_DECIDE_(3, c), \
        SYSTEMTAP_DECIDE_(4, d) }; \
        SYSTEMTAP_KEEP_(1, a) \
        SYSTEMTAP_KEEP_(2, b) \
        SYSTEMTAP_KEEP_(3, c) \
        SYSTEMTAP_KEEP_(4, d) \
        if (SYSTEMTAP_IS_S_(1)) { \
         if (SYSTEMTAP_IS_S_(2)) { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            SYSTEMTAP_LEAF_(text, provider, name, 4SSSS, SYSTEMTAP_WORD_S_(1), \
            SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4)); \
           } else { \
            SYSTEMTAP_LEAF_(text, provider, name, 4SSSN, SYSTEMTAP_WORD_S_(1), \
            SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4)); \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            SYSTEMTAP_LEAF_(text, provider, name, 4SSNS, SYSTEMTAP_WORD_S_(1), \
            SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4)); \
           } else { \
            SYSTEMTAP_LEAF_(text, provider, name, 4SSNN, SYSTEMTAP_WORD_S_(1), \
            SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4)); \
           } \
          } \
         } else { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            SYSTEMTAP_LEAF_(text, provider, name, 4SNSS, SYSTEMTAP_WORD_S_(1), \
            SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4)); \
           } else { \
            SYSTEMTAP_LEAF_(text, provider, name, 4SNSN, SYSTEMTAP_WORD_S_(1), \
            SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4)); \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            SYSTEMTAP_LEAF_(text, provider, name, 4SNNS, SYSTEMTAP_WORD_S_(1), \
            SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4)); \
           } else { \
            SYSTEMTAP_LEAF_(text, provider, name, 4SNNN, SYSTEMTAP_WORD_S_(1), \
            SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4)); \
           } \
          } \
         } \
        } else { \
         if (SYSTEMTAP_IS_S_(2)) { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            SYSTEMTAP_LEAF_(text, provider, name, 4NSSS, SYSTEMTAP_WORD_N_(1), \
            SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4)); \
           } else { \
            SYSTEMTAP_LEAF_(text, provider, name, 4NSSN, SYSTEMTAP_WORD_N_(1), \
            SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4)); \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            SYSTEMTAP_LEAF_(text, provider, name, 4NSNS, SYSTEMTAP_WORD_N_(1), \
            SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4)); \
           } else { \
            SYSTEMTAP_LEAF_(text, provider, name, 4NSNN, SYSTEMTAP_WORD_N_(1), \
            SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4)); \
           } \
          } \
         } else { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            SYSTEMTAP_LEAF_(text, provider, name, 4NNSS, SYSTEMTAP_WORD_N_(1), \
            SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4)); \
           } else { \
            SYSTEMTAP_LEAF_(text, provider, name, 4NNSN, SYSTEMTAP_WORD_N_(1), \
            SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4)); \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            SYSTEMTAP_LEAF_(text, provider, name, 4NNNS, SYSTEMTAP_WORD_N_(1), \
            SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4)); \
           } else { \
            SYSTEMTAP_LEAF_(text, provider, name, 4NNNN, SYSTEMTAP_WORD_N_(1), \
            SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4)); \
           } \
          } \
         } \
        } \
    } while (0)
#define SYSTEMTAP_ANY_5_(text, provider, name, a, b, c, d, e) \
    do { \
        enum { SYSTEMTAP_DECIDE_(1, a), SYSTEMTAP_DECIDE_(2, b), SYSTEMTAP_DECIDE_(3, c), \
        SYSTEMTAP_DECIDE_(4, d), SYSTEMTAP_DECIDE_(5, e) }; \
        SYSTEMTAP_KEEP_(1, a) \
        SYSTEMTAP_KEEP_(2, b) \
        SYSTEMTAP_KEEP_(3, c) \
        SYSTEMTAP_KEEP_(4, d) \
        SYSTEMTAP_KEEP_(5, e) \
        if (SYSTEMTAP_IS_S_(1)) { \
         if (SYSTEMTAP_IS_S_(2)) { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SSSSS, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SSSSN, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SSSNS, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SSSNN, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SSNSS, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SSNSN, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SSNNS, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SSNNN, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } \
          } \
         } else { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SNSSS, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SNSSN, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SNSNS, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SNSNN, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SNNSS, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SNNSN, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SNNNS, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5SNNNN, SYSTEMTAP_WORD_S_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } \
          } \
         } \
        } else { \
         if (SYSTEMTAP_IS_S_(2)) { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NSSSS, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NSSSN, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NSSNS, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NSSNN, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NSNSS, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NSNSN, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NSNNS, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NSNNN, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } \
          } \
         } else { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NNSSS, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NNSSN, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NNSNS, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NNSNN, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NNNSS, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NNNSN, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NNNNS, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_S_(5)); \
            } else { \
             SYSTEMTAP_LEAF_(text, provider, name, 5NNNNN, SYSTEMTAP_WORD_N_(1), \
             SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
             SYSTEMTAP_WORD_N_(5)); \
            } \
           } \
          } \
         } \
        } \
    } while (0)
#define SYSTEMTAP_ANY_6_(text, provider, name, a, b, c, d, e, f) \
    do { \
        enum { SYSTEMTAP_DECIDE_(1, a), SYSTEMTAP_DECIDE_(2, b), SYSTEMTAP_DECIDE_(3, c), \
        SYSTEMTAP_DECIDE_(4, d), SYSTEMTAP_DECIDE_(5, e), SYSTEMTAP_DECIDE_(6, f) }; \
        SYSTEMTAP_KEEP_(1, a) \
        SYSTEMTAP_KEEP_(2, b) \
        SYSTEMTAP_KEEP_(3, c) \
        SYSTEMTAP_KEEP_(4, d) \
        SYSTEMTAP_KEEP_(5, e) \
        SYSTEMTAP_KEEP_(6, f) \
        if (SYSTEMTAP_IS_S_(1)) { \
         if (SYSTEMTAP_IS_S_(2)) { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSSSSS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSSSSN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSSSNS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSSSNN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSSNSS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSSNSN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSSNNS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSSNNN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSNSSS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSNSSN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSNSNS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSNSNN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSNNSS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSNNSN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSNNNS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SSNNNN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } \
          } \
         } else { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNSSSS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNSSSN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNSSNS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNSSNN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNSNSS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNSNSN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNSNNS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNSNNN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNNSSS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNNSSN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNNSNS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNNSNN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNNNSS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNNNSN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNNNNS, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6SNNNNN, SYSTEMTAP_WORD_S_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } \
          } \
         } \
        } else { \
         if (SYSTEMTAP_IS_S_(2)) { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSSSSS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSSSSN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSSSNS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSSSNN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSSNSS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSSNSN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSSNNS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSSNNN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSNSSS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSNSSN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSNSNS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSNSNN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSNNSS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSNNSN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSNNNS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NSNNNN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } \
          } \
         } else { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNSSSS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNSSSN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNSSNS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNSSNN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNSNSS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNSNSN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNSNNS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNSNNN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNNSSS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNNSSN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNNSNS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNNSNN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNNNSS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNNNSN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNNNNS, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6)); \
             } else { \
              SYSTEMTAP_LEAF_(text, provider, name, 6NNNNNN, SYSTEMTAP_WORD_N_(1), \
              SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
              SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6)); \
             } \
            } \
           } \
          } \
         } \
        } \
    } while (0)
#define SYSTEMTAP_ANY_7_(text, provider, name, a, b, c, d, e, f, g) \
    do { \
        enum { SYSTEMTAP_DECIDE_(1, a), SYSTEMTAP_DECIDE_(2, b), SYSTEMTAP_DECIDE_(3, c), \
        SYSTEMTAP_DECIDE_(4, d), SYSTEMTAP_DECIDE_(5, e), SYSTEMTAP_DECIDE_(6, f), \
        SYSTEMTAP_DECIDE_(7, g) }; \
        SYSTEMTAP_KEEP_(1, a) \
        SYSTEMTAP_KEEP_(2, b) \
        SYSTEMTAP_KEEP_(3, c) \
        SYSTEMTAP_KEEP_(4, d) \
        SYSTEMTAP_KEEP_(5, e) \
        SYSTEMTAP_KEEP_(6, f) \
        SYSTEMTAP_KEEP_(7, g) \
        if (SYSTEMTAP_IS_S_(1)) { \
         if (SYSTEMTAP_IS_S_(2)) { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSSSSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSSSSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSSSNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSSSNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSSNSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSSNSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSSNNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSSNNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSNSSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSNSSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSNSNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSNSNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSNNSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSNNSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSNNNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSSNNNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNSSSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNSSSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNSSNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNSSNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNSNSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNSNSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNSNNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNSNNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNNSSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNNSSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNNSNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNNSNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNNNSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNNNSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNNNNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SSNNNNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } \
          } \
         } else { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSSSSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSSSSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSSSNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSSSNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSSNSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSSNSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSSNNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSSNNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSNSSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSNSSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSNSNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSNSNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSNNSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSNNSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSNNNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNSNNNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNSSSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNSSSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNSSNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNSSNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNSNSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNSNSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNSNNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNSNNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNNSSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNNSSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNNSNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNNSNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNNNSS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNNNSN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNNNNS, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7SNNNNNN, SYSTEMTAP_WORD_S_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } \
          } \
         } \
        } else { \
         if (SYSTEMTAP_IS_S_(2)) { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSSSSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSSSSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSSSNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSSSNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSSNSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSSNSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSSNNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSSNNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSNSSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSNSSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSNSNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSNSNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSNNSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSNNSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSNNNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSSNNNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNSSSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNSSSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNSSNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNSSNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNSNSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNSNSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNSNNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNSNNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNNSSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNNSSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNNSNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNNSNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNNNSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNNNSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNNNNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NSNNNNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_S_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } \
          } \
         } else { \
          if (SYSTEMTAP_IS_S_(3)) { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSSSSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSSSSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSSSNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSSSNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSSNSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSSNSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSSNNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSSNNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSNSSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSNSSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSNSNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSNSNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSNNSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSNNSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSNNNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNSNNNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_S_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } \
          } else { \
           if (SYSTEMTAP_IS_S_(4)) { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNSSSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNSSSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNSSNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNSSNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNSNSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNSNSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNSNNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNSNNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_S_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } else { \
            if (SYSTEMTAP_IS_S_(5)) { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNNSSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNNSSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNNSNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNNSNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_S_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } else { \
             if (SYSTEMTAP_IS_S_(6)) { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNNNSS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNNNSN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_S_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } else { \
              if (SYSTEMTAP_IS_S_(7)) { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNNNNS, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_S_(7)); \
              } else { \
               SYSTEMTAP_LEAF_(text, provider, name, 7NNNNNNN, SYSTEMTAP_WORD_N_(1), \
               SYSTEMTAP_WORD_N_(2), SYSTEMTAP_WORD_N_(3), SYSTEMTAP_WORD_N_(4), \
               SYSTEMTAP_WORD_N_(5), SYSTEMTAP_WORD_N_(6), SYSTEMTAP_WORD_N_(7)); \
              } \
             } \
            } \
           } \
          } \
         } \
        } \
    } while (0)
#define SYSTEMTAP_ANY_8_(...) SYSTEMTAP_TOO_MANY_
#define SYSTEMTAP_ANY_9_(...) SYSTEMTAP_TOO_MANY_
#define SYSTEMTAP_ANY_10_(...) SYSTEMTAP_TOO_MANY_
#define SYSTEMTAP_ANY_11_(...) SYSTEMTAP_TOO_MANY_
#define SYSTEMTAP_ANY_12_(...) SYSTEMTAP_TOO_MANY_
#define SYSTEMTAP_ANY_13_(...) SYSTEMTAP_TOO_MANY_
/* clang-format on */

#endif
