/* SPDX-License-Identifier: BSD-2-Clause */
/* Written by runtime/systemtap.py: change that. Included by <sdt/systemtap_attach.h>. */
#ifndef SDT_SYSTEMTAP_HANDLERS_H
#define SDT_SYSTEMTAP_HANDLERS_H

#if defined(__GNUC__)
#pragma GCC system_header
#endif

/* clang-format off */

SYSTEMTAP_HANDLER_(0, systemtap_handler, (void), ())
#define systemtap_attach(name, handler) \
    SYSTEMTAP_ATTACH_(0, systemtap_handler, "", "", name, handler)
#define systemtap_attach_in(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(0, systemtap_handler, module, function, name, handler)
SYSTEMTAP_HANDLER_(1N, systemtap_handler_N, (int64_t), (SYSTEMTAP_ARG_N_(0)))
#define systemtap_attach_N(name, handler) \
    SYSTEMTAP_ATTACH_(1N, systemtap_handler_N, "", "", name, handler)
#define systemtap_attach_in_N(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(1N, systemtap_handler_N, module, function, name, handler)
SYSTEMTAP_HANDLER_(1S, systemtap_handler_S, (const char *), (SYSTEMTAP_ARG_S_(0)))
#define systemtap_attach_S(name, handler) \
    SYSTEMTAP_ATTACH_(1S, systemtap_handler_S, "", "", name, handler)
#define systemtap_attach_in_S(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(1S, systemtap_handler_S, module, function, name, handler)
SYSTEMTAP_HANDLER_(2NN, systemtap_handler_NN, (int64_t, int64_t), (SYSTEMTAP_ARG_N_(0),
    SYSTEMTAP_ARG_N_(1)))
#define systemtap_attach_NN(name, handler) \
    SYSTEMTAP_ATTACH_(2NN, systemtap_handler_NN, "", "", name, handler)
#define systemtap_attach_in_NN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(2NN, systemtap_handler_NN, module, function, name, handler)
SYSTEMTAP_HANDLER_(2NS, systemtap_handler_NS, (int64_t, const char *), (SYSTEMTAP_ARG_N_(0),
    SYSTEMTAP_ARG_S_(1)))
#define systemtap_attach_NS(name, handler) \
    SYSTEMTAP_ATTACH_(2NS, systemtap_handler_NS, "", "", name, handler)
#define systemtap_attach_in_NS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(2NS, systemtap_handler_NS, module, function, name, handler)
SYSTEMTAP_HANDLER_(2SN, systemtap_handler_SN, (const char *, int64_t), (SYSTEMTAP_ARG_S_(0),
    SYSTEMTAP_ARG_N_(1)))
#define systemtap_attach_SN(name, handler) \
    SYSTEMTAP_ATTACH_(2SN, systemtap_handler_SN, "", "", name, handler)
#define systemtap_attach_in_SN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(2SN, systemtap_handler_SN, module, function, name, handler)
SYSTEMTAP_HANDLER_(2SS, systemtap_handler_SS, (const char *, const char *), (SYSTEMTAP_ARG_S_(0),
    SYSTEMTAP_ARG_S_(1)))
#define systemtap_attach_SS(name, handler) \
    SYSTEMTAP_ATTACH_(2SS, systemtap_handler_SS, "", "", name, handler)
#define systemtap_attach_in_SS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(2SS, systemtap_handler_SS, module, function, name, handler)
SYSTEMTAP_HANDLER_(3NNN, systemtap_handler_NNN, (int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0),
    SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2)))
#define systemtap_attach_NNN(name, handler) \
    SYSTEMTAP_ATTACH_(3NNN, systemtap_handler_NNN, "", "", name, handler)
#define systemtap_attach_in_NNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(3NNN, systemtap_handler_NNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(3NNS, systemtap_handler_NNS, (int64_t, int64_t, const char *),
    (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2)))
#define systemtap_attach_NNS(name, handler) \
    SYSTEMTAP_ATTACH_(3NNS, systemtap_handler_NNS, "", "", name, handler)
#define systemtap_attach_in_NNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(3NNS, systemtap_handler_NNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(3NSN, systemtap_handler_NSN, (int64_t, const char *, int64_t),
    (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2)))
#define systemtap_attach_NSN(name, handler) \
    SYSTEMTAP_ATTACH_(3NSN, systemtap_handler_NSN, "", "", name, handler)
#define systemtap_attach_in_NSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(3NSN, systemtap_handler_NSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(3NSS, systemtap_handler_NSS, (int64_t, const char *, const char *),
    (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2)))
#define systemtap_attach_NSS(name, handler) \
    SYSTEMTAP_ATTACH_(3NSS, systemtap_handler_NSS, "", "", name, handler)
#define systemtap_attach_in_NSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(3NSS, systemtap_handler_NSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(3SNN, systemtap_handler_SNN, (const char *, int64_t, int64_t),
    (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2)))
#define systemtap_attach_SNN(name, handler) \
    SYSTEMTAP_ATTACH_(3SNN, systemtap_handler_SNN, "", "", name, handler)
#define systemtap_attach_in_SNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(3SNN, systemtap_handler_SNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(3SNS, systemtap_handler_SNS, (const char *, int64_t, const char *),
    (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2)))
#define systemtap_attach_SNS(name, handler) \
    SYSTEMTAP_ATTACH_(3SNS, systemtap_handler_SNS, "", "", name, handler)
#define systemtap_attach_in_SNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(3SNS, systemtap_handler_SNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(3SSN, systemtap_handler_SSN, (const char *, const char *, int64_t),
    (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2)))
#define systemtap_attach_SSN(name, handler) \
    SYSTEMTAP_ATTACH_(3SSN, systemtap_handler_SSN, "", "", name, handler)
#define systemtap_attach_in_SSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(3SSN, systemtap_handler_SSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(3SSS, systemtap_handler_SSS, (const char *, const char *, const char *),
    (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2)))
#define systemtap_attach_SSS(name, handler) \
    SYSTEMTAP_ATTACH_(3SSS, systemtap_handler_SSS, "", "", name, handler)
#define systemtap_attach_in_SSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(3SSS, systemtap_handler_SSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(4NNNN, systemtap_handler_NNNN, (int64_t, int64_t, int64_t, int64_t),
    (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3)))
#define systemtap_attach_NNNN(name, handler) \
    SYSTEMTAP_ATTACH_(4NNNN, systemtap_handler_NNNN, "", "", name, handler)
#define systemtap_attach_in_NNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4NNNN, systemtap_handler_NNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(4NNNS, systemtap_handler_NNNS, (int64_t, int64_t, int64_t, const char *),
    (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3)))
#define systemtap_attach_NNNS(name, handler) \
    SYSTEMTAP_ATTACH_(4NNNS, systemtap_handler_NNNS, "", "", name, handler)
#define systemtap_attach_in_NNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4NNNS, systemtap_handler_NNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(4NNSN, systemtap_handler_NNSN, (int64_t, int64_t, const char *, int64_t),
    (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3)))
#define systemtap_attach_NNSN(name, handler) \
    SYSTEMTAP_ATTACH_(4NNSN, systemtap_handler_NNSN, "", "", name, handler)
#define systemtap_attach_in_NNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4NNSN, systemtap_handler_NNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(4NNSS, systemtap_handler_NNSS, (int64_t, int64_t, const char *, const char *),
    (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3)))
#define systemtap_attach_NNSS(name, handler) \
    SYSTEMTAP_ATTACH_(4NNSS, systemtap_handler_NNSS, "", "", name, handler)
#define systemtap_attach_in_NNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4NNSS, systemtap_handler_NNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(4NSNN, systemtap_handler_NSNN, (int64_t, const char *, int64_t, int64_t),
    (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3)))
#define systemtap_attach_NSNN(name, handler) \
    SYSTEMTAP_ATTACH_(4NSNN, systemtap_handler_NSNN, "", "", name, handler)
#define systemtap_attach_in_NSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4NSNN, systemtap_handler_NSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(4NSNS, systemtap_handler_NSNS, (int64_t, const char *, int64_t, const char *),
    (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3)))
#define systemtap_attach_NSNS(name, handler) \
    SYSTEMTAP_ATTACH_(4NSNS, systemtap_handler_NSNS, "", "", name, handler)
#define systemtap_attach_in_NSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4NSNS, systemtap_handler_NSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(4NSSN, systemtap_handler_NSSN, (int64_t, const char *, const char *, int64_t),
    (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3)))
#define systemtap_attach_NSSN(name, handler) \
    SYSTEMTAP_ATTACH_(4NSSN, systemtap_handler_NSSN, "", "", name, handler)
#define systemtap_attach_in_NSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4NSSN, systemtap_handler_NSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(4NSSS, systemtap_handler_NSSS, (int64_t, const char *, const char *, const char
    *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3)))
#define systemtap_attach_NSSS(name, handler) \
    SYSTEMTAP_ATTACH_(4NSSS, systemtap_handler_NSSS, "", "", name, handler)
#define systemtap_attach_in_NSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4NSSS, systemtap_handler_NSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(4SNNN, systemtap_handler_SNNN, (const char *, int64_t, int64_t, int64_t),
    (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3)))
#define systemtap_attach_SNNN(name, handler) \
    SYSTEMTAP_ATTACH_(4SNNN, systemtap_handler_SNNN, "", "", name, handler)
#define systemtap_attach_in_SNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4SNNN, systemtap_handler_SNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(4SNNS, systemtap_handler_SNNS, (const char *, int64_t, int64_t, const char *),
    (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3)))
#define systemtap_attach_SNNS(name, handler) \
    SYSTEMTAP_ATTACH_(4SNNS, systemtap_handler_SNNS, "", "", name, handler)
#define systemtap_attach_in_SNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4SNNS, systemtap_handler_SNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(4SNSN, systemtap_handler_SNSN, (const char *, int64_t, const char *, int64_t),
    (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3)))
#define systemtap_attach_SNSN(name, handler) \
    SYSTEMTAP_ATTACH_(4SNSN, systemtap_handler_SNSN, "", "", name, handler)
#define systemtap_attach_in_SNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4SNSN, systemtap_handler_SNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(4SNSS, systemtap_handler_SNSS, (const char *, int64_t, const char *, const char
    *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3)))
#define systemtap_attach_SNSS(name, handler) \
    SYSTEMTAP_ATTACH_(4SNSS, systemtap_handler_SNSS, "", "", name, handler)
#define systemtap_attach_in_SNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4SNSS, systemtap_handler_SNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(4SSNN, systemtap_handler_SSNN, (const char *, const char *, int64_t, int64_t),
    (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3)))
#define systemtap_attach_SSNN(name, handler) \
    SYSTEMTAP_ATTACH_(4SSNN, systemtap_handler_SSNN, "", "", name, handler)
#define systemtap_attach_in_SSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4SSNN, systemtap_handler_SSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(4SSNS, systemtap_handler_SSNS, (const char *, const char *, int64_t, const char
    *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3)))
#define systemtap_attach_SSNS(name, handler) \
    SYSTEMTAP_ATTACH_(4SSNS, systemtap_handler_SSNS, "", "", name, handler)
#define systemtap_attach_in_SSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4SSNS, systemtap_handler_SSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(4SSSN, systemtap_handler_SSSN, (const char *, const char *, const char *,
    int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3)))
#define systemtap_attach_SSSN(name, handler) \
    SYSTEMTAP_ATTACH_(4SSSN, systemtap_handler_SSSN, "", "", name, handler)
#define systemtap_attach_in_SSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4SSSN, systemtap_handler_SSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(4SSSS, systemtap_handler_SSSS, (const char *, const char *, const char *, const
    char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3)))
#define systemtap_attach_SSSS(name, handler) \
    SYSTEMTAP_ATTACH_(4SSSS, systemtap_handler_SSSS, "", "", name, handler)
#define systemtap_attach_in_SSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(4SSSS, systemtap_handler_SSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NNNNN, systemtap_handler_NNNNN, (int64_t, int64_t, int64_t, int64_t, int64_t),
    (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3),
    SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_NNNNN(name, handler) \
    SYSTEMTAP_ATTACH_(5NNNNN, systemtap_handler_NNNNN, "", "", name, handler)
#define systemtap_attach_in_NNNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NNNNN, systemtap_handler_NNNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NNNNS, systemtap_handler_NNNNS, (int64_t, int64_t, int64_t, int64_t, const
    char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3),
    SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_NNNNS(name, handler) \
    SYSTEMTAP_ATTACH_(5NNNNS, systemtap_handler_NNNNS, "", "", name, handler)
#define systemtap_attach_in_NNNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NNNNS, systemtap_handler_NNNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NNNSN, systemtap_handler_NNNSN, (int64_t, int64_t, int64_t, const char *,
    int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3),
    SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_NNNSN(name, handler) \
    SYSTEMTAP_ATTACH_(5NNNSN, systemtap_handler_NNNSN, "", "", name, handler)
#define systemtap_attach_in_NNNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NNNSN, systemtap_handler_NNNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NNNSS, systemtap_handler_NNNSS, (int64_t, int64_t, int64_t, const char *,
    const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_NNNSS(name, handler) \
    SYSTEMTAP_ATTACH_(5NNNSS, systemtap_handler_NNNSS, "", "", name, handler)
#define systemtap_attach_in_NNNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NNNSS, systemtap_handler_NNNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NNSNN, systemtap_handler_NNSNN, (int64_t, int64_t, const char *, int64_t,
    int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3),
    SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_NNSNN(name, handler) \
    SYSTEMTAP_ATTACH_(5NNSNN, systemtap_handler_NNSNN, "", "", name, handler)
#define systemtap_attach_in_NNSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NNSNN, systemtap_handler_NNSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NNSNS, systemtap_handler_NNSNS, (int64_t, int64_t, const char *, int64_t,
    const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_NNSNS(name, handler) \
    SYSTEMTAP_ATTACH_(5NNSNS, systemtap_handler_NNSNS, "", "", name, handler)
#define systemtap_attach_in_NNSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NNSNS, systemtap_handler_NNSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NNSSN, systemtap_handler_NNSSN, (int64_t, int64_t, const char *, const char *,
    int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3),
    SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_NNSSN(name, handler) \
    SYSTEMTAP_ATTACH_(5NNSSN, systemtap_handler_NNSSN, "", "", name, handler)
#define systemtap_attach_in_NNSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NNSSN, systemtap_handler_NNSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NNSSS, systemtap_handler_NNSSS, (int64_t, int64_t, const char *, const char *,
    const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_NNSSS(name, handler) \
    SYSTEMTAP_ATTACH_(5NNSSS, systemtap_handler_NNSSS, "", "", name, handler)
#define systemtap_attach_in_NNSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NNSSS, systemtap_handler_NNSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NSNNN, systemtap_handler_NSNNN, (int64_t, const char *, int64_t, int64_t,
    int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3),
    SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_NSNNN(name, handler) \
    SYSTEMTAP_ATTACH_(5NSNNN, systemtap_handler_NSNNN, "", "", name, handler)
#define systemtap_attach_in_NSNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NSNNN, systemtap_handler_NSNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NSNNS, systemtap_handler_NSNNS, (int64_t, const char *, int64_t, int64_t,
    const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_NSNNS(name, handler) \
    SYSTEMTAP_ATTACH_(5NSNNS, systemtap_handler_NSNNS, "", "", name, handler)
#define systemtap_attach_in_NSNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NSNNS, systemtap_handler_NSNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NSNSN, systemtap_handler_NSNSN, (int64_t, const char *, int64_t, const char *,
    int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3),
    SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_NSNSN(name, handler) \
    SYSTEMTAP_ATTACH_(5NSNSN, systemtap_handler_NSNSN, "", "", name, handler)
#define systemtap_attach_in_NSNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NSNSN, systemtap_handler_NSNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NSNSS, systemtap_handler_NSNSS, (int64_t, const char *, int64_t, const char *,
    const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_NSNSS(name, handler) \
    SYSTEMTAP_ATTACH_(5NSNSS, systemtap_handler_NSNSS, "", "", name, handler)
#define systemtap_attach_in_NSNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NSNSS, systemtap_handler_NSNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NSSNN, systemtap_handler_NSSNN, (int64_t, const char *, const char *, int64_t,
    int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3),
    SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_NSSNN(name, handler) \
    SYSTEMTAP_ATTACH_(5NSSNN, systemtap_handler_NSSNN, "", "", name, handler)
#define systemtap_attach_in_NSSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NSSNN, systemtap_handler_NSSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NSSNS, systemtap_handler_NSSNS, (int64_t, const char *, const char *, int64_t,
    const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_NSSNS(name, handler) \
    SYSTEMTAP_ATTACH_(5NSSNS, systemtap_handler_NSSNS, "", "", name, handler)
#define systemtap_attach_in_NSSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NSSNS, systemtap_handler_NSSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NSSSN, systemtap_handler_NSSSN, (int64_t, const char *, const char *, const
    char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_NSSSN(name, handler) \
    SYSTEMTAP_ATTACH_(5NSSSN, systemtap_handler_NSSSN, "", "", name, handler)
#define systemtap_attach_in_NSSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NSSSN, systemtap_handler_NSSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5NSSSS, systemtap_handler_NSSSS, (int64_t, const char *, const char *, const
    char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_NSSSS(name, handler) \
    SYSTEMTAP_ATTACH_(5NSSSS, systemtap_handler_NSSSS, "", "", name, handler)
#define systemtap_attach_in_NSSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5NSSSS, systemtap_handler_NSSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SNNNN, systemtap_handler_SNNNN, (const char *, int64_t, int64_t, int64_t,
    int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3),
    SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_SNNNN(name, handler) \
    SYSTEMTAP_ATTACH_(5SNNNN, systemtap_handler_SNNNN, "", "", name, handler)
#define systemtap_attach_in_SNNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SNNNN, systemtap_handler_SNNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SNNNS, systemtap_handler_SNNNS, (const char *, int64_t, int64_t, int64_t,
    const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_SNNNS(name, handler) \
    SYSTEMTAP_ATTACH_(5SNNNS, systemtap_handler_SNNNS, "", "", name, handler)
#define systemtap_attach_in_SNNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SNNNS, systemtap_handler_SNNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SNNSN, systemtap_handler_SNNSN, (const char *, int64_t, int64_t, const char *,
    int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3),
    SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_SNNSN(name, handler) \
    SYSTEMTAP_ATTACH_(5SNNSN, systemtap_handler_SNNSN, "", "", name, handler)
#define systemtap_attach_in_SNNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SNNSN, systemtap_handler_SNNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SNNSS, systemtap_handler_SNNSS, (const char *, int64_t, int64_t, const char *,
    const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_SNNSS(name, handler) \
    SYSTEMTAP_ATTACH_(5SNNSS, systemtap_handler_SNNSS, "", "", name, handler)
#define systemtap_attach_in_SNNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SNNSS, systemtap_handler_SNNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SNSNN, systemtap_handler_SNSNN, (const char *, int64_t, const char *, int64_t,
    int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3),
    SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_SNSNN(name, handler) \
    SYSTEMTAP_ATTACH_(5SNSNN, systemtap_handler_SNSNN, "", "", name, handler)
#define systemtap_attach_in_SNSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SNSNN, systemtap_handler_SNSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SNSNS, systemtap_handler_SNSNS, (const char *, int64_t, const char *, int64_t,
    const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_SNSNS(name, handler) \
    SYSTEMTAP_ATTACH_(5SNSNS, systemtap_handler_SNSNS, "", "", name, handler)
#define systemtap_attach_in_SNSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SNSNS, systemtap_handler_SNSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SNSSN, systemtap_handler_SNSSN, (const char *, int64_t, const char *, const
    char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_SNSSN(name, handler) \
    SYSTEMTAP_ATTACH_(5SNSSN, systemtap_handler_SNSSN, "", "", name, handler)
#define systemtap_attach_in_SNSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SNSSN, systemtap_handler_SNSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SNSSS, systemtap_handler_SNSSS, (const char *, int64_t, const char *, const
    char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_SNSSS(name, handler) \
    SYSTEMTAP_ATTACH_(5SNSSS, systemtap_handler_SNSSS, "", "", name, handler)
#define systemtap_attach_in_SNSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SNSSS, systemtap_handler_SNSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SSNNN, systemtap_handler_SSNNN, (const char *, const char *, int64_t, int64_t,
    int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3),
    SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_SSNNN(name, handler) \
    SYSTEMTAP_ATTACH_(5SSNNN, systemtap_handler_SSNNN, "", "", name, handler)
#define systemtap_attach_in_SSNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SSNNN, systemtap_handler_SSNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SSNNS, systemtap_handler_SSNNS, (const char *, const char *, int64_t, int64_t,
    const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_SSNNS(name, handler) \
    SYSTEMTAP_ATTACH_(5SSNNS, systemtap_handler_SSNNS, "", "", name, handler)
#define systemtap_attach_in_SSNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SSNNS, systemtap_handler_SSNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SSNSN, systemtap_handler_SSNSN, (const char *, const char *, int64_t, const
    char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_SSNSN(name, handler) \
    SYSTEMTAP_ATTACH_(5SSNSN, systemtap_handler_SSNSN, "", "", name, handler)
#define systemtap_attach_in_SSNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SSNSN, systemtap_handler_SSNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SSNSS, systemtap_handler_SSNSS, (const char *, const char *, int64_t, const
    char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_SSNSS(name, handler) \
    SYSTEMTAP_ATTACH_(5SSNSS, systemtap_handler_SSNSS, "", "", name, handler)
#define systemtap_attach_in_SSNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SSNSS, systemtap_handler_SSNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SSSNN, systemtap_handler_SSSNN, (const char *, const char *, const char *,
    int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_SSSNN(name, handler) \
    SYSTEMTAP_ATTACH_(5SSSNN, systemtap_handler_SSSNN, "", "", name, handler)
#define systemtap_attach_in_SSSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SSSNN, systemtap_handler_SSSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SSSNS, systemtap_handler_SSSNS, (const char *, const char *, const char *,
    int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_SSSNS(name, handler) \
    SYSTEMTAP_ATTACH_(5SSSNS, systemtap_handler_SSSNS, "", "", name, handler)
#define systemtap_attach_in_SSSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SSSNS, systemtap_handler_SSSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SSSSN, systemtap_handler_SSSSN, (const char *, const char *, const char *,
    const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4)))
#define systemtap_attach_SSSSN(name, handler) \
    SYSTEMTAP_ATTACH_(5SSSSN, systemtap_handler_SSSSN, "", "", name, handler)
#define systemtap_attach_in_SSSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SSSSN, systemtap_handler_SSSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(5SSSSS, systemtap_handler_SSSSS, (const char *, const char *, const char *,
    const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4)))
#define systemtap_attach_SSSSS(name, handler) \
    SYSTEMTAP_ATTACH_(5SSSSS, systemtap_handler_SSSSS, "", "", name, handler)
#define systemtap_attach_in_SSSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(5SSSSS, systemtap_handler_SSSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNNNNN, systemtap_handler_NNNNNN, (int64_t, int64_t, int64_t, int64_t,
    int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NNNNNN(name, handler) \
    SYSTEMTAP_ATTACH_(6NNNNNN, systemtap_handler_NNNNNN, "", "", name, handler)
#define systemtap_attach_in_NNNNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNNNNN, systemtap_handler_NNNNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNNNNS, systemtap_handler_NNNNNS, (int64_t, int64_t, int64_t, int64_t,
    int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NNNNNS(name, handler) \
    SYSTEMTAP_ATTACH_(6NNNNNS, systemtap_handler_NNNNNS, "", "", name, handler)
#define systemtap_attach_in_NNNNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNNNNS, systemtap_handler_NNNNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNNNSN, systemtap_handler_NNNNSN, (int64_t, int64_t, int64_t, int64_t, const
    char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NNNNSN(name, handler) \
    SYSTEMTAP_ATTACH_(6NNNNSN, systemtap_handler_NNNNSN, "", "", name, handler)
#define systemtap_attach_in_NNNNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNNNSN, systemtap_handler_NNNNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNNNSS, systemtap_handler_NNNNSS, (int64_t, int64_t, int64_t, int64_t, const
    char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NNNNSS(name, handler) \
    SYSTEMTAP_ATTACH_(6NNNNSS, systemtap_handler_NNNNSS, "", "", name, handler)
#define systemtap_attach_in_NNNNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNNNSS, systemtap_handler_NNNNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNNSNN, systemtap_handler_NNNSNN, (int64_t, int64_t, int64_t, const char *,
    int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NNNSNN(name, handler) \
    SYSTEMTAP_ATTACH_(6NNNSNN, systemtap_handler_NNNSNN, "", "", name, handler)
#define systemtap_attach_in_NNNSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNNSNN, systemtap_handler_NNNSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNNSNS, systemtap_handler_NNNSNS, (int64_t, int64_t, int64_t, const char *,
    int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NNNSNS(name, handler) \
    SYSTEMTAP_ATTACH_(6NNNSNS, systemtap_handler_NNNSNS, "", "", name, handler)
#define systemtap_attach_in_NNNSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNNSNS, systemtap_handler_NNNSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNNSSN, systemtap_handler_NNNSSN, (int64_t, int64_t, int64_t, const char *,
    const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NNNSSN(name, handler) \
    SYSTEMTAP_ATTACH_(6NNNSSN, systemtap_handler_NNNSSN, "", "", name, handler)
#define systemtap_attach_in_NNNSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNNSSN, systemtap_handler_NNNSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNNSSS, systemtap_handler_NNNSSS, (int64_t, int64_t, int64_t, const char *,
    const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NNNSSS(name, handler) \
    SYSTEMTAP_ATTACH_(6NNNSSS, systemtap_handler_NNNSSS, "", "", name, handler)
#define systemtap_attach_in_NNNSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNNSSS, systemtap_handler_NNNSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNSNNN, systemtap_handler_NNSNNN, (int64_t, int64_t, const char *, int64_t,
    int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NNSNNN(name, handler) \
    SYSTEMTAP_ATTACH_(6NNSNNN, systemtap_handler_NNSNNN, "", "", name, handler)
#define systemtap_attach_in_NNSNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNSNNN, systemtap_handler_NNSNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNSNNS, systemtap_handler_NNSNNS, (int64_t, int64_t, const char *, int64_t,
    int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NNSNNS(name, handler) \
    SYSTEMTAP_ATTACH_(6NNSNNS, systemtap_handler_NNSNNS, "", "", name, handler)
#define systemtap_attach_in_NNSNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNSNNS, systemtap_handler_NNSNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNSNSN, systemtap_handler_NNSNSN, (int64_t, int64_t, const char *, int64_t,
    const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NNSNSN(name, handler) \
    SYSTEMTAP_ATTACH_(6NNSNSN, systemtap_handler_NNSNSN, "", "", name, handler)
#define systemtap_attach_in_NNSNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNSNSN, systemtap_handler_NNSNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNSNSS, systemtap_handler_NNSNSS, (int64_t, int64_t, const char *, int64_t,
    const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NNSNSS(name, handler) \
    SYSTEMTAP_ATTACH_(6NNSNSS, systemtap_handler_NNSNSS, "", "", name, handler)
#define systemtap_attach_in_NNSNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNSNSS, systemtap_handler_NNSNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNSSNN, systemtap_handler_NNSSNN, (int64_t, int64_t, const char *, const char
    *, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NNSSNN(name, handler) \
    SYSTEMTAP_ATTACH_(6NNSSNN, systemtap_handler_NNSSNN, "", "", name, handler)
#define systemtap_attach_in_NNSSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNSSNN, systemtap_handler_NNSSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNSSNS, systemtap_handler_NNSSNS, (int64_t, int64_t, const char *, const char
    *, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NNSSNS(name, handler) \
    SYSTEMTAP_ATTACH_(6NNSSNS, systemtap_handler_NNSSNS, "", "", name, handler)
#define systemtap_attach_in_NNSSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNSSNS, systemtap_handler_NNSSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNSSSN, systemtap_handler_NNSSSN, (int64_t, int64_t, const char *, const char
    *, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NNSSSN(name, handler) \
    SYSTEMTAP_ATTACH_(6NNSSSN, systemtap_handler_NNSSSN, "", "", name, handler)
#define systemtap_attach_in_NNSSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNSSSN, systemtap_handler_NNSSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NNSSSS, systemtap_handler_NNSSSS, (int64_t, int64_t, const char *, const char
    *, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NNSSSS(name, handler) \
    SYSTEMTAP_ATTACH_(6NNSSSS, systemtap_handler_NNSSSS, "", "", name, handler)
#define systemtap_attach_in_NNSSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NNSSSS, systemtap_handler_NNSSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSNNNN, systemtap_handler_NSNNNN, (int64_t, const char *, int64_t, int64_t,
    int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NSNNNN(name, handler) \
    SYSTEMTAP_ATTACH_(6NSNNNN, systemtap_handler_NSNNNN, "", "", name, handler)
#define systemtap_attach_in_NSNNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSNNNN, systemtap_handler_NSNNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSNNNS, systemtap_handler_NSNNNS, (int64_t, const char *, int64_t, int64_t,
    int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NSNNNS(name, handler) \
    SYSTEMTAP_ATTACH_(6NSNNNS, systemtap_handler_NSNNNS, "", "", name, handler)
#define systemtap_attach_in_NSNNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSNNNS, systemtap_handler_NSNNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSNNSN, systemtap_handler_NSNNSN, (int64_t, const char *, int64_t, int64_t,
    const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NSNNSN(name, handler) \
    SYSTEMTAP_ATTACH_(6NSNNSN, systemtap_handler_NSNNSN, "", "", name, handler)
#define systemtap_attach_in_NSNNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSNNSN, systemtap_handler_NSNNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSNNSS, systemtap_handler_NSNNSS, (int64_t, const char *, int64_t, int64_t,
    const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NSNNSS(name, handler) \
    SYSTEMTAP_ATTACH_(6NSNNSS, systemtap_handler_NSNNSS, "", "", name, handler)
#define systemtap_attach_in_NSNNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSNNSS, systemtap_handler_NSNNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSNSNN, systemtap_handler_NSNSNN, (int64_t, const char *, int64_t, const char
    *, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NSNSNN(name, handler) \
    SYSTEMTAP_ATTACH_(6NSNSNN, systemtap_handler_NSNSNN, "", "", name, handler)
#define systemtap_attach_in_NSNSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSNSNN, systemtap_handler_NSNSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSNSNS, systemtap_handler_NSNSNS, (int64_t, const char *, int64_t, const char
    *, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NSNSNS(name, handler) \
    SYSTEMTAP_ATTACH_(6NSNSNS, systemtap_handler_NSNSNS, "", "", name, handler)
#define systemtap_attach_in_NSNSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSNSNS, systemtap_handler_NSNSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSNSSN, systemtap_handler_NSNSSN, (int64_t, const char *, int64_t, const char
    *, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NSNSSN(name, handler) \
    SYSTEMTAP_ATTACH_(6NSNSSN, systemtap_handler_NSNSSN, "", "", name, handler)
#define systemtap_attach_in_NSNSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSNSSN, systemtap_handler_NSNSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSNSSS, systemtap_handler_NSNSSS, (int64_t, const char *, int64_t, const char
    *, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NSNSSS(name, handler) \
    SYSTEMTAP_ATTACH_(6NSNSSS, systemtap_handler_NSNSSS, "", "", name, handler)
#define systemtap_attach_in_NSNSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSNSSS, systemtap_handler_NSNSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSSNNN, systemtap_handler_NSSNNN, (int64_t, const char *, const char *,
    int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NSSNNN(name, handler) \
    SYSTEMTAP_ATTACH_(6NSSNNN, systemtap_handler_NSSNNN, "", "", name, handler)
#define systemtap_attach_in_NSSNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSSNNN, systemtap_handler_NSSNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSSNNS, systemtap_handler_NSSNNS, (int64_t, const char *, const char *,
    int64_t, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NSSNNS(name, handler) \
    SYSTEMTAP_ATTACH_(6NSSNNS, systemtap_handler_NSSNNS, "", "", name, handler)
#define systemtap_attach_in_NSSNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSSNNS, systemtap_handler_NSSNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSSNSN, systemtap_handler_NSSNSN, (int64_t, const char *, const char *,
    int64_t, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NSSNSN(name, handler) \
    SYSTEMTAP_ATTACH_(6NSSNSN, systemtap_handler_NSSNSN, "", "", name, handler)
#define systemtap_attach_in_NSSNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSSNSN, systemtap_handler_NSSNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSSNSS, systemtap_handler_NSSNSS, (int64_t, const char *, const char *,
    int64_t, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NSSNSS(name, handler) \
    SYSTEMTAP_ATTACH_(6NSSNSS, systemtap_handler_NSSNSS, "", "", name, handler)
#define systemtap_attach_in_NSSNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSSNSS, systemtap_handler_NSSNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSSSNN, systemtap_handler_NSSSNN, (int64_t, const char *, const char *, const
    char *, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NSSSNN(name, handler) \
    SYSTEMTAP_ATTACH_(6NSSSNN, systemtap_handler_NSSSNN, "", "", name, handler)
#define systemtap_attach_in_NSSSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSSSNN, systemtap_handler_NSSSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSSSNS, systemtap_handler_NSSSNS, (int64_t, const char *, const char *, const
    char *, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NSSSNS(name, handler) \
    SYSTEMTAP_ATTACH_(6NSSSNS, systemtap_handler_NSSSNS, "", "", name, handler)
#define systemtap_attach_in_NSSSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSSSNS, systemtap_handler_NSSSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSSSSN, systemtap_handler_NSSSSN, (int64_t, const char *, const char *, const
    char *, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_NSSSSN(name, handler) \
    SYSTEMTAP_ATTACH_(6NSSSSN, systemtap_handler_NSSSSN, "", "", name, handler)
#define systemtap_attach_in_NSSSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSSSSN, systemtap_handler_NSSSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6NSSSSS, systemtap_handler_NSSSSS, (int64_t, const char *, const char *, const
    char *, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_NSSSSS(name, handler) \
    SYSTEMTAP_ATTACH_(6NSSSSS, systemtap_handler_NSSSSS, "", "", name, handler)
#define systemtap_attach_in_NSSSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6NSSSSS, systemtap_handler_NSSSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNNNNN, systemtap_handler_SNNNNN, (const char *, int64_t, int64_t, int64_t,
    int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SNNNNN(name, handler) \
    SYSTEMTAP_ATTACH_(6SNNNNN, systemtap_handler_SNNNNN, "", "", name, handler)
#define systemtap_attach_in_SNNNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNNNNN, systemtap_handler_SNNNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNNNNS, systemtap_handler_SNNNNS, (const char *, int64_t, int64_t, int64_t,
    int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SNNNNS(name, handler) \
    SYSTEMTAP_ATTACH_(6SNNNNS, systemtap_handler_SNNNNS, "", "", name, handler)
#define systemtap_attach_in_SNNNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNNNNS, systemtap_handler_SNNNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNNNSN, systemtap_handler_SNNNSN, (const char *, int64_t, int64_t, int64_t,
    const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SNNNSN(name, handler) \
    SYSTEMTAP_ATTACH_(6SNNNSN, systemtap_handler_SNNNSN, "", "", name, handler)
#define systemtap_attach_in_SNNNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNNNSN, systemtap_handler_SNNNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNNNSS, systemtap_handler_SNNNSS, (const char *, int64_t, int64_t, int64_t,
    const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SNNNSS(name, handler) \
    SYSTEMTAP_ATTACH_(6SNNNSS, systemtap_handler_SNNNSS, "", "", name, handler)
#define systemtap_attach_in_SNNNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNNNSS, systemtap_handler_SNNNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNNSNN, systemtap_handler_SNNSNN, (const char *, int64_t, int64_t, const char
    *, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SNNSNN(name, handler) \
    SYSTEMTAP_ATTACH_(6SNNSNN, systemtap_handler_SNNSNN, "", "", name, handler)
#define systemtap_attach_in_SNNSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNNSNN, systemtap_handler_SNNSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNNSNS, systemtap_handler_SNNSNS, (const char *, int64_t, int64_t, const char
    *, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SNNSNS(name, handler) \
    SYSTEMTAP_ATTACH_(6SNNSNS, systemtap_handler_SNNSNS, "", "", name, handler)
#define systemtap_attach_in_SNNSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNNSNS, systemtap_handler_SNNSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNNSSN, systemtap_handler_SNNSSN, (const char *, int64_t, int64_t, const char
    *, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SNNSSN(name, handler) \
    SYSTEMTAP_ATTACH_(6SNNSSN, systemtap_handler_SNNSSN, "", "", name, handler)
#define systemtap_attach_in_SNNSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNNSSN, systemtap_handler_SNNSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNNSSS, systemtap_handler_SNNSSS, (const char *, int64_t, int64_t, const char
    *, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SNNSSS(name, handler) \
    SYSTEMTAP_ATTACH_(6SNNSSS, systemtap_handler_SNNSSS, "", "", name, handler)
#define systemtap_attach_in_SNNSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNNSSS, systemtap_handler_SNNSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNSNNN, systemtap_handler_SNSNNN, (const char *, int64_t, const char *,
    int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SNSNNN(name, handler) \
    SYSTEMTAP_ATTACH_(6SNSNNN, systemtap_handler_SNSNNN, "", "", name, handler)
#define systemtap_attach_in_SNSNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNSNNN, systemtap_handler_SNSNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNSNNS, systemtap_handler_SNSNNS, (const char *, int64_t, const char *,
    int64_t, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SNSNNS(name, handler) \
    SYSTEMTAP_ATTACH_(6SNSNNS, systemtap_handler_SNSNNS, "", "", name, handler)
#define systemtap_attach_in_SNSNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNSNNS, systemtap_handler_SNSNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNSNSN, systemtap_handler_SNSNSN, (const char *, int64_t, const char *,
    int64_t, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SNSNSN(name, handler) \
    SYSTEMTAP_ATTACH_(6SNSNSN, systemtap_handler_SNSNSN, "", "", name, handler)
#define systemtap_attach_in_SNSNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNSNSN, systemtap_handler_SNSNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNSNSS, systemtap_handler_SNSNSS, (const char *, int64_t, const char *,
    int64_t, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SNSNSS(name, handler) \
    SYSTEMTAP_ATTACH_(6SNSNSS, systemtap_handler_SNSNSS, "", "", name, handler)
#define systemtap_attach_in_SNSNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNSNSS, systemtap_handler_SNSNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNSSNN, systemtap_handler_SNSSNN, (const char *, int64_t, const char *, const
    char *, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SNSSNN(name, handler) \
    SYSTEMTAP_ATTACH_(6SNSSNN, systemtap_handler_SNSSNN, "", "", name, handler)
#define systemtap_attach_in_SNSSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNSSNN, systemtap_handler_SNSSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNSSNS, systemtap_handler_SNSSNS, (const char *, int64_t, const char *, const
    char *, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SNSSNS(name, handler) \
    SYSTEMTAP_ATTACH_(6SNSSNS, systemtap_handler_SNSSNS, "", "", name, handler)
#define systemtap_attach_in_SNSSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNSSNS, systemtap_handler_SNSSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNSSSN, systemtap_handler_SNSSSN, (const char *, int64_t, const char *, const
    char *, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SNSSSN(name, handler) \
    SYSTEMTAP_ATTACH_(6SNSSSN, systemtap_handler_SNSSSN, "", "", name, handler)
#define systemtap_attach_in_SNSSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNSSSN, systemtap_handler_SNSSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SNSSSS, systemtap_handler_SNSSSS, (const char *, int64_t, const char *, const
    char *, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SNSSSS(name, handler) \
    SYSTEMTAP_ATTACH_(6SNSSSS, systemtap_handler_SNSSSS, "", "", name, handler)
#define systemtap_attach_in_SNSSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SNSSSS, systemtap_handler_SNSSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSNNNN, systemtap_handler_SSNNNN, (const char *, const char *, int64_t,
    int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SSNNNN(name, handler) \
    SYSTEMTAP_ATTACH_(6SSNNNN, systemtap_handler_SSNNNN, "", "", name, handler)
#define systemtap_attach_in_SSNNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSNNNN, systemtap_handler_SSNNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSNNNS, systemtap_handler_SSNNNS, (const char *, const char *, int64_t,
    int64_t, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SSNNNS(name, handler) \
    SYSTEMTAP_ATTACH_(6SSNNNS, systemtap_handler_SSNNNS, "", "", name, handler)
#define systemtap_attach_in_SSNNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSNNNS, systemtap_handler_SSNNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSNNSN, systemtap_handler_SSNNSN, (const char *, const char *, int64_t,
    int64_t, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SSNNSN(name, handler) \
    SYSTEMTAP_ATTACH_(6SSNNSN, systemtap_handler_SSNNSN, "", "", name, handler)
#define systemtap_attach_in_SSNNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSNNSN, systemtap_handler_SSNNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSNNSS, systemtap_handler_SSNNSS, (const char *, const char *, int64_t,
    int64_t, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SSNNSS(name, handler) \
    SYSTEMTAP_ATTACH_(6SSNNSS, systemtap_handler_SSNNSS, "", "", name, handler)
#define systemtap_attach_in_SSNNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSNNSS, systemtap_handler_SSNNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSNSNN, systemtap_handler_SSNSNN, (const char *, const char *, int64_t, const
    char *, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SSNSNN(name, handler) \
    SYSTEMTAP_ATTACH_(6SSNSNN, systemtap_handler_SSNSNN, "", "", name, handler)
#define systemtap_attach_in_SSNSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSNSNN, systemtap_handler_SSNSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSNSNS, systemtap_handler_SSNSNS, (const char *, const char *, int64_t, const
    char *, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SSNSNS(name, handler) \
    SYSTEMTAP_ATTACH_(6SSNSNS, systemtap_handler_SSNSNS, "", "", name, handler)
#define systemtap_attach_in_SSNSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSNSNS, systemtap_handler_SSNSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSNSSN, systemtap_handler_SSNSSN, (const char *, const char *, int64_t, const
    char *, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SSNSSN(name, handler) \
    SYSTEMTAP_ATTACH_(6SSNSSN, systemtap_handler_SSNSSN, "", "", name, handler)
#define systemtap_attach_in_SSNSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSNSSN, systemtap_handler_SSNSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSNSSS, systemtap_handler_SSNSSS, (const char *, const char *, int64_t, const
    char *, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SSNSSS(name, handler) \
    SYSTEMTAP_ATTACH_(6SSNSSS, systemtap_handler_SSNSSS, "", "", name, handler)
#define systemtap_attach_in_SSNSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSNSSS, systemtap_handler_SSNSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSSNNN, systemtap_handler_SSSNNN, (const char *, const char *, const char *,
    int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SSSNNN(name, handler) \
    SYSTEMTAP_ATTACH_(6SSSNNN, systemtap_handler_SSSNNN, "", "", name, handler)
#define systemtap_attach_in_SSSNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSSNNN, systemtap_handler_SSSNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSSNNS, systemtap_handler_SSSNNS, (const char *, const char *, const char *,
    int64_t, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SSSNNS(name, handler) \
    SYSTEMTAP_ATTACH_(6SSSNNS, systemtap_handler_SSSNNS, "", "", name, handler)
#define systemtap_attach_in_SSSNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSSNNS, systemtap_handler_SSSNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSSNSN, systemtap_handler_SSSNSN, (const char *, const char *, const char *,
    int64_t, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SSSNSN(name, handler) \
    SYSTEMTAP_ATTACH_(6SSSNSN, systemtap_handler_SSSNSN, "", "", name, handler)
#define systemtap_attach_in_SSSNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSSNSN, systemtap_handler_SSSNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSSNSS, systemtap_handler_SSSNSS, (const char *, const char *, const char *,
    int64_t, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SSSNSS(name, handler) \
    SYSTEMTAP_ATTACH_(6SSSNSS, systemtap_handler_SSSNSS, "", "", name, handler)
#define systemtap_attach_in_SSSNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSSNSS, systemtap_handler_SSSNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSSSNN, systemtap_handler_SSSSNN, (const char *, const char *, const char *,
    const char *, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SSSSNN(name, handler) \
    SYSTEMTAP_ATTACH_(6SSSSNN, systemtap_handler_SSSSNN, "", "", name, handler)
#define systemtap_attach_in_SSSSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSSSNN, systemtap_handler_SSSSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSSSNS, systemtap_handler_SSSSNS, (const char *, const char *, const char *,
    const char *, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SSSSNS(name, handler) \
    SYSTEMTAP_ATTACH_(6SSSSNS, systemtap_handler_SSSSNS, "", "", name, handler)
#define systemtap_attach_in_SSSSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSSSNS, systemtap_handler_SSSSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSSSSN, systemtap_handler_SSSSSN, (const char *, const char *, const char *,
    const char *, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5)))
#define systemtap_attach_SSSSSN(name, handler) \
    SYSTEMTAP_ATTACH_(6SSSSSN, systemtap_handler_SSSSSN, "", "", name, handler)
#define systemtap_attach_in_SSSSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSSSSN, systemtap_handler_SSSSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(6SSSSSS, systemtap_handler_SSSSSS, (const char *, const char *, const char *,
    const char *, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5)))
#define systemtap_attach_SSSSSS(name, handler) \
    SYSTEMTAP_ATTACH_(6SSSSSS, systemtap_handler_SSSSSS, "", "", name, handler)
#define systemtap_attach_in_SSSSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(6SSSSSS, systemtap_handler_SSSSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNNNNN, systemtap_handler_NNNNNNN, (int64_t, int64_t, int64_t, int64_t,
    int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNNNNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNNNN, systemtap_handler_NNNNNNN, "", "", name, handler)
#define systemtap_attach_in_NNNNNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNNNN, systemtap_handler_NNNNNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNNNNS, systemtap_handler_NNNNNNS, (int64_t, int64_t, int64_t, int64_t,
    int64_t, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNNNNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNNNS, systemtap_handler_NNNNNNS, "", "", name, handler)
#define systemtap_attach_in_NNNNNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNNNS, systemtap_handler_NNNNNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNNNSN, systemtap_handler_NNNNNSN, (int64_t, int64_t, int64_t, int64_t,
    int64_t, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNNNNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNNSN, systemtap_handler_NNNNNSN, "", "", name, handler)
#define systemtap_attach_in_NNNNNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNNSN, systemtap_handler_NNNNNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNNNSS, systemtap_handler_NNNNNSS, (int64_t, int64_t, int64_t, int64_t,
    int64_t, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNNNNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNNSS, systemtap_handler_NNNNNSS, "", "", name, handler)
#define systemtap_attach_in_NNNNNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNNSS, systemtap_handler_NNNNNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNNSNN, systemtap_handler_NNNNSNN, (int64_t, int64_t, int64_t, int64_t, const
    char *, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNNNSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNSNN, systemtap_handler_NNNNSNN, "", "", name, handler)
#define systemtap_attach_in_NNNNSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNSNN, systemtap_handler_NNNNSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNNSNS, systemtap_handler_NNNNSNS, (int64_t, int64_t, int64_t, int64_t, const
    char *, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNNNSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNSNS, systemtap_handler_NNNNSNS, "", "", name, handler)
#define systemtap_attach_in_NNNNSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNSNS, systemtap_handler_NNNNSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNNSSN, systemtap_handler_NNNNSSN, (int64_t, int64_t, int64_t, int64_t, const
    char *, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNNNSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNSSN, systemtap_handler_NNNNSSN, "", "", name, handler)
#define systemtap_attach_in_NNNNSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNSSN, systemtap_handler_NNNNSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNNSSS, systemtap_handler_NNNNSSS, (int64_t, int64_t, int64_t, int64_t, const
    char *, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNNNSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNSSS, systemtap_handler_NNNNSSS, "", "", name, handler)
#define systemtap_attach_in_NNNNSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNNSSS, systemtap_handler_NNNNSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNSNNN, systemtap_handler_NNNSNNN, (int64_t, int64_t, int64_t, const char *,
    int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNNSNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSNNN, systemtap_handler_NNNSNNN, "", "", name, handler)
#define systemtap_attach_in_NNNSNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSNNN, systemtap_handler_NNNSNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNSNNS, systemtap_handler_NNNSNNS, (int64_t, int64_t, int64_t, const char *,
    int64_t, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNNSNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSNNS, systemtap_handler_NNNSNNS, "", "", name, handler)
#define systemtap_attach_in_NNNSNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSNNS, systemtap_handler_NNNSNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNSNSN, systemtap_handler_NNNSNSN, (int64_t, int64_t, int64_t, const char *,
    int64_t, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNNSNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSNSN, systemtap_handler_NNNSNSN, "", "", name, handler)
#define systemtap_attach_in_NNNSNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSNSN, systemtap_handler_NNNSNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNSNSS, systemtap_handler_NNNSNSS, (int64_t, int64_t, int64_t, const char *,
    int64_t, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNNSNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSNSS, systemtap_handler_NNNSNSS, "", "", name, handler)
#define systemtap_attach_in_NNNSNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSNSS, systemtap_handler_NNNSNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNSSNN, systemtap_handler_NNNSSNN, (int64_t, int64_t, int64_t, const char *,
    const char *, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNNSSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSSNN, systemtap_handler_NNNSSNN, "", "", name, handler)
#define systemtap_attach_in_NNNSSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSSNN, systemtap_handler_NNNSSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNSSNS, systemtap_handler_NNNSSNS, (int64_t, int64_t, int64_t, const char *,
    const char *, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNNSSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSSNS, systemtap_handler_NNNSSNS, "", "", name, handler)
#define systemtap_attach_in_NNNSSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSSNS, systemtap_handler_NNNSSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNSSSN, systemtap_handler_NNNSSSN, (int64_t, int64_t, int64_t, const char *,
    const char *, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNNSSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSSSN, systemtap_handler_NNNSSSN, "", "", name, handler)
#define systemtap_attach_in_NNNSSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSSSN, systemtap_handler_NNNSSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNNSSSS, systemtap_handler_NNNSSSS, (int64_t, int64_t, int64_t, const char *,
    const char *, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNNSSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSSSS, systemtap_handler_NNNSSSS, "", "", name, handler)
#define systemtap_attach_in_NNNSSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNNSSSS, systemtap_handler_NNNSSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSNNNN, systemtap_handler_NNSNNNN, (int64_t, int64_t, const char *, int64_t,
    int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNSNNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNNNN, systemtap_handler_NNSNNNN, "", "", name, handler)
#define systemtap_attach_in_NNSNNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNNNN, systemtap_handler_NNSNNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSNNNS, systemtap_handler_NNSNNNS, (int64_t, int64_t, const char *, int64_t,
    int64_t, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNSNNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNNNS, systemtap_handler_NNSNNNS, "", "", name, handler)
#define systemtap_attach_in_NNSNNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNNNS, systemtap_handler_NNSNNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSNNSN, systemtap_handler_NNSNNSN, (int64_t, int64_t, const char *, int64_t,
    int64_t, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNSNNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNNSN, systemtap_handler_NNSNNSN, "", "", name, handler)
#define systemtap_attach_in_NNSNNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNNSN, systemtap_handler_NNSNNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSNNSS, systemtap_handler_NNSNNSS, (int64_t, int64_t, const char *, int64_t,
    int64_t, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNSNNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNNSS, systemtap_handler_NNSNNSS, "", "", name, handler)
#define systemtap_attach_in_NNSNNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNNSS, systemtap_handler_NNSNNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSNSNN, systemtap_handler_NNSNSNN, (int64_t, int64_t, const char *, int64_t,
    const char *, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNSNSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNSNN, systemtap_handler_NNSNSNN, "", "", name, handler)
#define systemtap_attach_in_NNSNSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNSNN, systemtap_handler_NNSNSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSNSNS, systemtap_handler_NNSNSNS, (int64_t, int64_t, const char *, int64_t,
    const char *, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNSNSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNSNS, systemtap_handler_NNSNSNS, "", "", name, handler)
#define systemtap_attach_in_NNSNSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNSNS, systemtap_handler_NNSNSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSNSSN, systemtap_handler_NNSNSSN, (int64_t, int64_t, const char *, int64_t,
    const char *, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNSNSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNSSN, systemtap_handler_NNSNSSN, "", "", name, handler)
#define systemtap_attach_in_NNSNSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNSSN, systemtap_handler_NNSNSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSNSSS, systemtap_handler_NNSNSSS, (int64_t, int64_t, const char *, int64_t,
    const char *, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNSNSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNSSS, systemtap_handler_NNSNSSS, "", "", name, handler)
#define systemtap_attach_in_NNSNSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSNSSS, systemtap_handler_NNSNSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSSNNN, systemtap_handler_NNSSNNN, (int64_t, int64_t, const char *, const
    char *, int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNSSNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSNNN, systemtap_handler_NNSSNNN, "", "", name, handler)
#define systemtap_attach_in_NNSSNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSNNN, systemtap_handler_NNSSNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSSNNS, systemtap_handler_NNSSNNS, (int64_t, int64_t, const char *, const
    char *, int64_t, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNSSNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSNNS, systemtap_handler_NNSSNNS, "", "", name, handler)
#define systemtap_attach_in_NNSSNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSNNS, systemtap_handler_NNSSNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSSNSN, systemtap_handler_NNSSNSN, (int64_t, int64_t, const char *, const
    char *, int64_t, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNSSNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSNSN, systemtap_handler_NNSSNSN, "", "", name, handler)
#define systemtap_attach_in_NNSSNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSNSN, systemtap_handler_NNSSNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSSNSS, systemtap_handler_NNSSNSS, (int64_t, int64_t, const char *, const
    char *, int64_t, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNSSNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSNSS, systemtap_handler_NNSSNSS, "", "", name, handler)
#define systemtap_attach_in_NNSSNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSNSS, systemtap_handler_NNSSNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSSSNN, systemtap_handler_NNSSSNN, (int64_t, int64_t, const char *, const
    char *, const char *, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNSSSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSSNN, systemtap_handler_NNSSSNN, "", "", name, handler)
#define systemtap_attach_in_NNSSSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSSNN, systemtap_handler_NNSSSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSSSNS, systemtap_handler_NNSSSNS, (int64_t, int64_t, const char *, const
    char *, const char *, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNSSSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSSNS, systemtap_handler_NNSSSNS, "", "", name, handler)
#define systemtap_attach_in_NNSSSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSSNS, systemtap_handler_NNSSSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSSSSN, systemtap_handler_NNSSSSN, (int64_t, int64_t, const char *, const
    char *, const char *, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NNSSSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSSSN, systemtap_handler_NNSSSSN, "", "", name, handler)
#define systemtap_attach_in_NNSSSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSSSN, systemtap_handler_NNSSSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NNSSSSS, systemtap_handler_NNSSSSS, (int64_t, int64_t, const char *, const
    char *, const char *, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NNSSSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSSSS, systemtap_handler_NNSSSSS, "", "", name, handler)
#define systemtap_attach_in_NNSSSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NNSSSSS, systemtap_handler_NNSSSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNNNNN, systemtap_handler_NSNNNNN, (int64_t, const char *, int64_t, int64_t,
    int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSNNNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNNNN, systemtap_handler_NSNNNNN, "", "", name, handler)
#define systemtap_attach_in_NSNNNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNNNN, systemtap_handler_NSNNNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNNNNS, systemtap_handler_NSNNNNS, (int64_t, const char *, int64_t, int64_t,
    int64_t, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSNNNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNNNS, systemtap_handler_NSNNNNS, "", "", name, handler)
#define systemtap_attach_in_NSNNNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNNNS, systemtap_handler_NSNNNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNNNSN, systemtap_handler_NSNNNSN, (int64_t, const char *, int64_t, int64_t,
    int64_t, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSNNNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNNSN, systemtap_handler_NSNNNSN, "", "", name, handler)
#define systemtap_attach_in_NSNNNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNNSN, systemtap_handler_NSNNNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNNNSS, systemtap_handler_NSNNNSS, (int64_t, const char *, int64_t, int64_t,
    int64_t, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSNNNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNNSS, systemtap_handler_NSNNNSS, "", "", name, handler)
#define systemtap_attach_in_NSNNNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNNSS, systemtap_handler_NSNNNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNNSNN, systemtap_handler_NSNNSNN, (int64_t, const char *, int64_t, int64_t,
    const char *, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSNNSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNSNN, systemtap_handler_NSNNSNN, "", "", name, handler)
#define systemtap_attach_in_NSNNSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNSNN, systemtap_handler_NSNNSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNNSNS, systemtap_handler_NSNNSNS, (int64_t, const char *, int64_t, int64_t,
    const char *, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSNNSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNSNS, systemtap_handler_NSNNSNS, "", "", name, handler)
#define systemtap_attach_in_NSNNSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNSNS, systemtap_handler_NSNNSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNNSSN, systemtap_handler_NSNNSSN, (int64_t, const char *, int64_t, int64_t,
    const char *, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSNNSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNSSN, systemtap_handler_NSNNSSN, "", "", name, handler)
#define systemtap_attach_in_NSNNSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNSSN, systemtap_handler_NSNNSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNNSSS, systemtap_handler_NSNNSSS, (int64_t, const char *, int64_t, int64_t,
    const char *, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSNNSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNSSS, systemtap_handler_NSNNSSS, "", "", name, handler)
#define systemtap_attach_in_NSNNSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNNSSS, systemtap_handler_NSNNSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNSNNN, systemtap_handler_NSNSNNN, (int64_t, const char *, int64_t, const
    char *, int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSNSNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSNNN, systemtap_handler_NSNSNNN, "", "", name, handler)
#define systemtap_attach_in_NSNSNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSNNN, systemtap_handler_NSNSNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNSNNS, systemtap_handler_NSNSNNS, (int64_t, const char *, int64_t, const
    char *, int64_t, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSNSNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSNNS, systemtap_handler_NSNSNNS, "", "", name, handler)
#define systemtap_attach_in_NSNSNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSNNS, systemtap_handler_NSNSNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNSNSN, systemtap_handler_NSNSNSN, (int64_t, const char *, int64_t, const
    char *, int64_t, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSNSNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSNSN, systemtap_handler_NSNSNSN, "", "", name, handler)
#define systemtap_attach_in_NSNSNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSNSN, systemtap_handler_NSNSNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNSNSS, systemtap_handler_NSNSNSS, (int64_t, const char *, int64_t, const
    char *, int64_t, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSNSNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSNSS, systemtap_handler_NSNSNSS, "", "", name, handler)
#define systemtap_attach_in_NSNSNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSNSS, systemtap_handler_NSNSNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNSSNN, systemtap_handler_NSNSSNN, (int64_t, const char *, int64_t, const
    char *, const char *, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSNSSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSSNN, systemtap_handler_NSNSSNN, "", "", name, handler)
#define systemtap_attach_in_NSNSSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSSNN, systemtap_handler_NSNSSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNSSNS, systemtap_handler_NSNSSNS, (int64_t, const char *, int64_t, const
    char *, const char *, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSNSSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSSNS, systemtap_handler_NSNSSNS, "", "", name, handler)
#define systemtap_attach_in_NSNSSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSSNS, systemtap_handler_NSNSSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNSSSN, systemtap_handler_NSNSSSN, (int64_t, const char *, int64_t, const
    char *, const char *, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSNSSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSSSN, systemtap_handler_NSNSSSN, "", "", name, handler)
#define systemtap_attach_in_NSNSSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSSSN, systemtap_handler_NSNSSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSNSSSS, systemtap_handler_NSNSSSS, (int64_t, const char *, int64_t, const
    char *, const char *, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSNSSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSSSS, systemtap_handler_NSNSSSS, "", "", name, handler)
#define systemtap_attach_in_NSNSSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSNSSSS, systemtap_handler_NSNSSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSNNNN, systemtap_handler_NSSNNNN, (int64_t, const char *, const char *,
    int64_t, int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSSNNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNNNN, systemtap_handler_NSSNNNN, "", "", name, handler)
#define systemtap_attach_in_NSSNNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNNNN, systemtap_handler_NSSNNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSNNNS, systemtap_handler_NSSNNNS, (int64_t, const char *, const char *,
    int64_t, int64_t, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSSNNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNNNS, systemtap_handler_NSSNNNS, "", "", name, handler)
#define systemtap_attach_in_NSSNNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNNNS, systemtap_handler_NSSNNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSNNSN, systemtap_handler_NSSNNSN, (int64_t, const char *, const char *,
    int64_t, int64_t, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSSNNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNNSN, systemtap_handler_NSSNNSN, "", "", name, handler)
#define systemtap_attach_in_NSSNNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNNSN, systemtap_handler_NSSNNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSNNSS, systemtap_handler_NSSNNSS, (int64_t, const char *, const char *,
    int64_t, int64_t, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSSNNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNNSS, systemtap_handler_NSSNNSS, "", "", name, handler)
#define systemtap_attach_in_NSSNNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNNSS, systemtap_handler_NSSNNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSNSNN, systemtap_handler_NSSNSNN, (int64_t, const char *, const char *,
    int64_t, const char *, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSSNSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNSNN, systemtap_handler_NSSNSNN, "", "", name, handler)
#define systemtap_attach_in_NSSNSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNSNN, systemtap_handler_NSSNSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSNSNS, systemtap_handler_NSSNSNS, (int64_t, const char *, const char *,
    int64_t, const char *, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSSNSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNSNS, systemtap_handler_NSSNSNS, "", "", name, handler)
#define systemtap_attach_in_NSSNSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNSNS, systemtap_handler_NSSNSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSNSSN, systemtap_handler_NSSNSSN, (int64_t, const char *, const char *,
    int64_t, const char *, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSSNSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNSSN, systemtap_handler_NSSNSSN, "", "", name, handler)
#define systemtap_attach_in_NSSNSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNSSN, systemtap_handler_NSSNSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSNSSS, systemtap_handler_NSSNSSS, (int64_t, const char *, const char *,
    int64_t, const char *, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSSNSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNSSS, systemtap_handler_NSSNSSS, "", "", name, handler)
#define systemtap_attach_in_NSSNSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSNSSS, systemtap_handler_NSSNSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSSNNN, systemtap_handler_NSSSNNN, (int64_t, const char *, const char *,
    const char *, int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSSSNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSNNN, systemtap_handler_NSSSNNN, "", "", name, handler)
#define systemtap_attach_in_NSSSNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSNNN, systemtap_handler_NSSSNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSSNNS, systemtap_handler_NSSSNNS, (int64_t, const char *, const char *,
    const char *, int64_t, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSSSNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSNNS, systemtap_handler_NSSSNNS, "", "", name, handler)
#define systemtap_attach_in_NSSSNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSNNS, systemtap_handler_NSSSNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSSNSN, systemtap_handler_NSSSNSN, (int64_t, const char *, const char *,
    const char *, int64_t, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSSSNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSNSN, systemtap_handler_NSSSNSN, "", "", name, handler)
#define systemtap_attach_in_NSSSNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSNSN, systemtap_handler_NSSSNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSSNSS, systemtap_handler_NSSSNSS, (int64_t, const char *, const char *,
    const char *, int64_t, const char *, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSSSNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSNSS, systemtap_handler_NSSSNSS, "", "", name, handler)
#define systemtap_attach_in_NSSSNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSNSS, systemtap_handler_NSSSNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSSSNN, systemtap_handler_NSSSSNN, (int64_t, const char *, const char *,
    const char *, const char *, int64_t, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSSSSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSSNN, systemtap_handler_NSSSSNN, "", "", name, handler)
#define systemtap_attach_in_NSSSSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSSNN, systemtap_handler_NSSSSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSSSNS, systemtap_handler_NSSSSNS, (int64_t, const char *, const char *,
    const char *, const char *, int64_t, const char *), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSSSSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSSNS, systemtap_handler_NSSSSNS, "", "", name, handler)
#define systemtap_attach_in_NSSSSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSSNS, systemtap_handler_NSSSSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSSSSN, systemtap_handler_NSSSSSN, (int64_t, const char *, const char *,
    const char *, const char *, const char *, int64_t), (SYSTEMTAP_ARG_N_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_NSSSSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSSSN, systemtap_handler_NSSSSSN, "", "", name, handler)
#define systemtap_attach_in_NSSSSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSSSN, systemtap_handler_NSSSSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7NSSSSSS, systemtap_handler_NSSSSSS, (int64_t, const char *, const char *,
    const char *, const char *, const char *, const char *), (SYSTEMTAP_ARG_N_(0),
    SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4),
    SYSTEMTAP_ARG_S_(5), SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_NSSSSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSSSS, systemtap_handler_NSSSSSS, "", "", name, handler)
#define systemtap_attach_in_NSSSSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7NSSSSSS, systemtap_handler_NSSSSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNNNNN, systemtap_handler_SNNNNNN, (const char *, int64_t, int64_t, int64_t,
    int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNNNNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNNNN, systemtap_handler_SNNNNNN, "", "", name, handler)
#define systemtap_attach_in_SNNNNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNNNN, systemtap_handler_SNNNNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNNNNS, systemtap_handler_SNNNNNS, (const char *, int64_t, int64_t, int64_t,
    int64_t, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNNNNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNNNS, systemtap_handler_SNNNNNS, "", "", name, handler)
#define systemtap_attach_in_SNNNNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNNNS, systemtap_handler_SNNNNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNNNSN, systemtap_handler_SNNNNSN, (const char *, int64_t, int64_t, int64_t,
    int64_t, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNNNNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNNSN, systemtap_handler_SNNNNSN, "", "", name, handler)
#define systemtap_attach_in_SNNNNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNNSN, systemtap_handler_SNNNNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNNNSS, systemtap_handler_SNNNNSS, (const char *, int64_t, int64_t, int64_t,
    int64_t, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNNNNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNNSS, systemtap_handler_SNNNNSS, "", "", name, handler)
#define systemtap_attach_in_SNNNNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNNSS, systemtap_handler_SNNNNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNNSNN, systemtap_handler_SNNNSNN, (const char *, int64_t, int64_t, int64_t,
    const char *, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_N_(2),
    SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5), SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNNNSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNSNN, systemtap_handler_SNNNSNN, "", "", name, handler)
#define systemtap_attach_in_SNNNSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNSNN, systemtap_handler_SNNNSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNNSNS, systemtap_handler_SNNNSNS, (const char *, int64_t, int64_t, int64_t,
    const char *, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNNNSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNSNS, systemtap_handler_SNNNSNS, "", "", name, handler)
#define systemtap_attach_in_SNNNSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNSNS, systemtap_handler_SNNNSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNNSSN, systemtap_handler_SNNNSSN, (const char *, int64_t, int64_t, int64_t,
    const char *, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNNNSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNSSN, systemtap_handler_SNNNSSN, "", "", name, handler)
#define systemtap_attach_in_SNNNSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNSSN, systemtap_handler_SNNNSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNNSSS, systemtap_handler_SNNNSSS, (const char *, int64_t, int64_t, int64_t,
    const char *, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNNNSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNSSS, systemtap_handler_SNNNSSS, "", "", name, handler)
#define systemtap_attach_in_SNNNSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNNSSS, systemtap_handler_SNNNSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNSNNN, systemtap_handler_SNNSNNN, (const char *, int64_t, int64_t, const
    char *, int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNNSNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSNNN, systemtap_handler_SNNSNNN, "", "", name, handler)
#define systemtap_attach_in_SNNSNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSNNN, systemtap_handler_SNNSNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNSNNS, systemtap_handler_SNNSNNS, (const char *, int64_t, int64_t, const
    char *, int64_t, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNNSNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSNNS, systemtap_handler_SNNSNNS, "", "", name, handler)
#define systemtap_attach_in_SNNSNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSNNS, systemtap_handler_SNNSNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNSNSN, systemtap_handler_SNNSNSN, (const char *, int64_t, int64_t, const
    char *, int64_t, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNNSNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSNSN, systemtap_handler_SNNSNSN, "", "", name, handler)
#define systemtap_attach_in_SNNSNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSNSN, systemtap_handler_SNNSNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNSNSS, systemtap_handler_SNNSNSS, (const char *, int64_t, int64_t, const
    char *, int64_t, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNNSNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSNSS, systemtap_handler_SNNSNSS, "", "", name, handler)
#define systemtap_attach_in_SNNSNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSNSS, systemtap_handler_SNNSNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNSSNN, systemtap_handler_SNNSSNN, (const char *, int64_t, int64_t, const
    char *, const char *, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNNSSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSSNN, systemtap_handler_SNNSSNN, "", "", name, handler)
#define systemtap_attach_in_SNNSSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSSNN, systemtap_handler_SNNSSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNSSNS, systemtap_handler_SNNSSNS, (const char *, int64_t, int64_t, const
    char *, const char *, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNNSSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSSNS, systemtap_handler_SNNSSNS, "", "", name, handler)
#define systemtap_attach_in_SNNSSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSSNS, systemtap_handler_SNNSSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNSSSN, systemtap_handler_SNNSSSN, (const char *, int64_t, int64_t, const
    char *, const char *, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNNSSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSSSN, systemtap_handler_SNNSSSN, "", "", name, handler)
#define systemtap_attach_in_SNNSSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSSSN, systemtap_handler_SNNSSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNNSSSS, systemtap_handler_SNNSSSS, (const char *, int64_t, int64_t, const
    char *, const char *, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNNSSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSSSS, systemtap_handler_SNNSSSS, "", "", name, handler)
#define systemtap_attach_in_SNNSSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNNSSSS, systemtap_handler_SNNSSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSNNNN, systemtap_handler_SNSNNNN, (const char *, int64_t, const char *,
    int64_t, int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNSNNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNNNN, systemtap_handler_SNSNNNN, "", "", name, handler)
#define systemtap_attach_in_SNSNNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNNNN, systemtap_handler_SNSNNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSNNNS, systemtap_handler_SNSNNNS, (const char *, int64_t, const char *,
    int64_t, int64_t, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNSNNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNNNS, systemtap_handler_SNSNNNS, "", "", name, handler)
#define systemtap_attach_in_SNSNNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNNNS, systemtap_handler_SNSNNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSNNSN, systemtap_handler_SNSNNSN, (const char *, int64_t, const char *,
    int64_t, int64_t, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNSNNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNNSN, systemtap_handler_SNSNNSN, "", "", name, handler)
#define systemtap_attach_in_SNSNNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNNSN, systemtap_handler_SNSNNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSNNSS, systemtap_handler_SNSNNSS, (const char *, int64_t, const char *,
    int64_t, int64_t, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNSNNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNNSS, systemtap_handler_SNSNNSS, "", "", name, handler)
#define systemtap_attach_in_SNSNNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNNSS, systemtap_handler_SNSNNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSNSNN, systemtap_handler_SNSNSNN, (const char *, int64_t, const char *,
    int64_t, const char *, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNSNSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNSNN, systemtap_handler_SNSNSNN, "", "", name, handler)
#define systemtap_attach_in_SNSNSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNSNN, systemtap_handler_SNSNSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSNSNS, systemtap_handler_SNSNSNS, (const char *, int64_t, const char *,
    int64_t, const char *, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNSNSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNSNS, systemtap_handler_SNSNSNS, "", "", name, handler)
#define systemtap_attach_in_SNSNSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNSNS, systemtap_handler_SNSNSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSNSSN, systemtap_handler_SNSNSSN, (const char *, int64_t, const char *,
    int64_t, const char *, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNSNSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNSSN, systemtap_handler_SNSNSSN, "", "", name, handler)
#define systemtap_attach_in_SNSNSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNSSN, systemtap_handler_SNSNSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSNSSS, systemtap_handler_SNSNSSS, (const char *, int64_t, const char *,
    int64_t, const char *, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNSNSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNSSS, systemtap_handler_SNSNSSS, "", "", name, handler)
#define systemtap_attach_in_SNSNSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSNSSS, systemtap_handler_SNSNSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSSNNN, systemtap_handler_SNSSNNN, (const char *, int64_t, const char *,
    const char *, int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNSSNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSNNN, systemtap_handler_SNSSNNN, "", "", name, handler)
#define systemtap_attach_in_SNSSNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSNNN, systemtap_handler_SNSSNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSSNNS, systemtap_handler_SNSSNNS, (const char *, int64_t, const char *,
    const char *, int64_t, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNSSNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSNNS, systemtap_handler_SNSSNNS, "", "", name, handler)
#define systemtap_attach_in_SNSSNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSNNS, systemtap_handler_SNSSNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSSNSN, systemtap_handler_SNSSNSN, (const char *, int64_t, const char *,
    const char *, int64_t, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNSSNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSNSN, systemtap_handler_SNSSNSN, "", "", name, handler)
#define systemtap_attach_in_SNSSNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSNSN, systemtap_handler_SNSSNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSSNSS, systemtap_handler_SNSSNSS, (const char *, int64_t, const char *,
    const char *, int64_t, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNSSNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSNSS, systemtap_handler_SNSSNSS, "", "", name, handler)
#define systemtap_attach_in_SNSSNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSNSS, systemtap_handler_SNSSNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSSSNN, systemtap_handler_SNSSSNN, (const char *, int64_t, const char *,
    const char *, const char *, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNSSSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSSNN, systemtap_handler_SNSSSNN, "", "", name, handler)
#define systemtap_attach_in_SNSSSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSSNN, systemtap_handler_SNSSSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSSSNS, systemtap_handler_SNSSSNS, (const char *, int64_t, const char *,
    const char *, const char *, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNSSSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSSNS, systemtap_handler_SNSSSNS, "", "", name, handler)
#define systemtap_attach_in_SNSSSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSSNS, systemtap_handler_SNSSSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSSSSN, systemtap_handler_SNSSSSN, (const char *, int64_t, const char *,
    const char *, const char *, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_N_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SNSSSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSSSN, systemtap_handler_SNSSSSN, "", "", name, handler)
#define systemtap_attach_in_SNSSSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSSSN, systemtap_handler_SNSSSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SNSSSSS, systemtap_handler_SNSSSSS, (const char *, int64_t, const char *,
    const char *, const char *, const char *, const char *), (SYSTEMTAP_ARG_S_(0),
    SYSTEMTAP_ARG_N_(1), SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4),
    SYSTEMTAP_ARG_S_(5), SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SNSSSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSSSS, systemtap_handler_SNSSSSS, "", "", name, handler)
#define systemtap_attach_in_SNSSSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SNSSSSS, systemtap_handler_SNSSSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNNNNN, systemtap_handler_SSNNNNN, (const char *, const char *, int64_t,
    int64_t, int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSNNNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNNNN, systemtap_handler_SSNNNNN, "", "", name, handler)
#define systemtap_attach_in_SSNNNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNNNN, systemtap_handler_SSNNNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNNNNS, systemtap_handler_SSNNNNS, (const char *, const char *, int64_t,
    int64_t, int64_t, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSNNNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNNNS, systemtap_handler_SSNNNNS, "", "", name, handler)
#define systemtap_attach_in_SSNNNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNNNS, systemtap_handler_SSNNNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNNNSN, systemtap_handler_SSNNNSN, (const char *, const char *, int64_t,
    int64_t, int64_t, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSNNNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNNSN, systemtap_handler_SSNNNSN, "", "", name, handler)
#define systemtap_attach_in_SSNNNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNNSN, systemtap_handler_SSNNNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNNNSS, systemtap_handler_SSNNNSS, (const char *, const char *, int64_t,
    int64_t, int64_t, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSNNNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNNSS, systemtap_handler_SSNNNSS, "", "", name, handler)
#define systemtap_attach_in_SSNNNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNNSS, systemtap_handler_SSNNNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNNSNN, systemtap_handler_SSNNSNN, (const char *, const char *, int64_t,
    int64_t, const char *, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSNNSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNSNN, systemtap_handler_SSNNSNN, "", "", name, handler)
#define systemtap_attach_in_SSNNSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNSNN, systemtap_handler_SSNNSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNNSNS, systemtap_handler_SSNNSNS, (const char *, const char *, int64_t,
    int64_t, const char *, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSNNSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNSNS, systemtap_handler_SSNNSNS, "", "", name, handler)
#define systemtap_attach_in_SSNNSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNSNS, systemtap_handler_SSNNSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNNSSN, systemtap_handler_SSNNSSN, (const char *, const char *, int64_t,
    int64_t, const char *, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSNNSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNSSN, systemtap_handler_SSNNSSN, "", "", name, handler)
#define systemtap_attach_in_SSNNSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNSSN, systemtap_handler_SSNNSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNNSSS, systemtap_handler_SSNNSSS, (const char *, const char *, int64_t,
    int64_t, const char *, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSNNSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNSSS, systemtap_handler_SSNNSSS, "", "", name, handler)
#define systemtap_attach_in_SSNNSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNNSSS, systemtap_handler_SSNNSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNSNNN, systemtap_handler_SSNSNNN, (const char *, const char *, int64_t,
    const char *, int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSNSNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSNNN, systemtap_handler_SSNSNNN, "", "", name, handler)
#define systemtap_attach_in_SSNSNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSNNN, systemtap_handler_SSNSNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNSNNS, systemtap_handler_SSNSNNS, (const char *, const char *, int64_t,
    const char *, int64_t, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSNSNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSNNS, systemtap_handler_SSNSNNS, "", "", name, handler)
#define systemtap_attach_in_SSNSNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSNNS, systemtap_handler_SSNSNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNSNSN, systemtap_handler_SSNSNSN, (const char *, const char *, int64_t,
    const char *, int64_t, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSNSNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSNSN, systemtap_handler_SSNSNSN, "", "", name, handler)
#define systemtap_attach_in_SSNSNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSNSN, systemtap_handler_SSNSNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNSNSS, systemtap_handler_SSNSNSS, (const char *, const char *, int64_t,
    const char *, int64_t, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSNSNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSNSS, systemtap_handler_SSNSNSS, "", "", name, handler)
#define systemtap_attach_in_SSNSNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSNSS, systemtap_handler_SSNSNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNSSNN, systemtap_handler_SSNSSNN, (const char *, const char *, int64_t,
    const char *, const char *, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSNSSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSSNN, systemtap_handler_SSNSSNN, "", "", name, handler)
#define systemtap_attach_in_SSNSSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSSNN, systemtap_handler_SSNSSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNSSNS, systemtap_handler_SSNSSNS, (const char *, const char *, int64_t,
    const char *, const char *, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSNSSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSSNS, systemtap_handler_SSNSSNS, "", "", name, handler)
#define systemtap_attach_in_SSNSSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSSNS, systemtap_handler_SSNSSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNSSSN, systemtap_handler_SSNSSSN, (const char *, const char *, int64_t,
    const char *, const char *, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSNSSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSSSN, systemtap_handler_SSNSSSN, "", "", name, handler)
#define systemtap_attach_in_SSNSSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSSSN, systemtap_handler_SSNSSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSNSSSS, systemtap_handler_SSNSSSS, (const char *, const char *, int64_t,
    const char *, const char *, const char *, const char *), (SYSTEMTAP_ARG_S_(0),
    SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_N_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4),
    SYSTEMTAP_ARG_S_(5), SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSNSSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSSSS, systemtap_handler_SSNSSSS, "", "", name, handler)
#define systemtap_attach_in_SSNSSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSNSSSS, systemtap_handler_SSNSSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSNNNN, systemtap_handler_SSSNNNN, (const char *, const char *, const char *,
    int64_t, int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSSNNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNNNN, systemtap_handler_SSSNNNN, "", "", name, handler)
#define systemtap_attach_in_SSSNNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNNNN, systemtap_handler_SSSNNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSNNNS, systemtap_handler_SSSNNNS, (const char *, const char *, const char *,
    int64_t, int64_t, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSSNNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNNNS, systemtap_handler_SSSNNNS, "", "", name, handler)
#define systemtap_attach_in_SSSNNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNNNS, systemtap_handler_SSSNNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSNNSN, systemtap_handler_SSSNNSN, (const char *, const char *, const char *,
    int64_t, int64_t, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSSNNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNNSN, systemtap_handler_SSSNNSN, "", "", name, handler)
#define systemtap_attach_in_SSSNNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNNSN, systemtap_handler_SSSNNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSNNSS, systemtap_handler_SSSNNSS, (const char *, const char *, const char *,
    int64_t, int64_t, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSSNNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNNSS, systemtap_handler_SSSNNSS, "", "", name, handler)
#define systemtap_attach_in_SSSNNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNNSS, systemtap_handler_SSSNNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSNSNN, systemtap_handler_SSSNSNN, (const char *, const char *, const char *,
    int64_t, const char *, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSSNSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNSNN, systemtap_handler_SSSNSNN, "", "", name, handler)
#define systemtap_attach_in_SSSNSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNSNN, systemtap_handler_SSSNSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSNSNS, systemtap_handler_SSSNSNS, (const char *, const char *, const char *,
    int64_t, const char *, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSSNSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNSNS, systemtap_handler_SSSNSNS, "", "", name, handler)
#define systemtap_attach_in_SSSNSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNSNS, systemtap_handler_SSSNSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSNSSN, systemtap_handler_SSSNSSN, (const char *, const char *, const char *,
    int64_t, const char *, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSSNSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNSSN, systemtap_handler_SSSNSSN, "", "", name, handler)
#define systemtap_attach_in_SSSNSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNSSN, systemtap_handler_SSSNSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSNSSS, systemtap_handler_SSSNSSS, (const char *, const char *, const char *,
    int64_t, const char *, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_N_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSSNSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNSSS, systemtap_handler_SSSNSSS, "", "", name, handler)
#define systemtap_attach_in_SSSNSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSNSSS, systemtap_handler_SSSNSSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSSNNN, systemtap_handler_SSSSNNN, (const char *, const char *, const char *,
    const char *, int64_t, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSSSNNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSNNN, systemtap_handler_SSSSNNN, "", "", name, handler)
#define systemtap_attach_in_SSSSNNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSNNN, systemtap_handler_SSSSNNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSSNNS, systemtap_handler_SSSSNNS, (const char *, const char *, const char *,
    const char *, int64_t, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSSSNNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSNNS, systemtap_handler_SSSSNNS, "", "", name, handler)
#define systemtap_attach_in_SSSSNNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSNNS, systemtap_handler_SSSSNNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSSNSN, systemtap_handler_SSSSNSN, (const char *, const char *, const char *,
    const char *, int64_t, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSSSNSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSNSN, systemtap_handler_SSSSNSN, "", "", name, handler)
#define systemtap_attach_in_SSSSNSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSNSN, systemtap_handler_SSSSNSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSSNSS, systemtap_handler_SSSSNSS, (const char *, const char *, const char *,
    const char *, int64_t, const char *, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_N_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSSSNSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSNSS, systemtap_handler_SSSSNSS, "", "", name, handler)
#define systemtap_attach_in_SSSSNSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSNSS, systemtap_handler_SSSSNSS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSSSNN, systemtap_handler_SSSSSNN, (const char *, const char *, const char *,
    const char *, const char *, int64_t, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSSSSNN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSSNN, systemtap_handler_SSSSSNN, "", "", name, handler)
#define systemtap_attach_in_SSSSSNN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSSNN, systemtap_handler_SSSSSNN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSSSNS, systemtap_handler_SSSSSNS, (const char *, const char *, const char *,
    const char *, const char *, int64_t, const char *), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_N_(5),
    SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSSSSNS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSSNS, systemtap_handler_SSSSSNS, "", "", name, handler)
#define systemtap_attach_in_SSSSSNS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSSNS, systemtap_handler_SSSSSNS, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSSSSN, systemtap_handler_SSSSSSN, (const char *, const char *, const char *,
    const char *, const char *, const char *, int64_t), (SYSTEMTAP_ARG_S_(0), SYSTEMTAP_ARG_S_(1),
    SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4), SYSTEMTAP_ARG_S_(5),
    SYSTEMTAP_ARG_N_(6)))
#define systemtap_attach_SSSSSSN(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSSSN, systemtap_handler_SSSSSSN, "", "", name, handler)
#define systemtap_attach_in_SSSSSSN(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSSSN, systemtap_handler_SSSSSSN, module, function, name, handler)
SYSTEMTAP_HANDLER_(7SSSSSSS, systemtap_handler_SSSSSSS, (const char *, const char *, const char *,
    const char *, const char *, const char *, const char *), (SYSTEMTAP_ARG_S_(0),
    SYSTEMTAP_ARG_S_(1), SYSTEMTAP_ARG_S_(2), SYSTEMTAP_ARG_S_(3), SYSTEMTAP_ARG_S_(4),
    SYSTEMTAP_ARG_S_(5), SYSTEMTAP_ARG_S_(6)))
#define systemtap_attach_SSSSSSS(name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSSSS, systemtap_handler_SSSSSSS, "", "", name, handler)
#define systemtap_attach_in_SSSSSSS(module, function, name, handler) \
    SYSTEMTAP_ATTACH_(7SSSSSSS, systemtap_handler_SSSSSSS, module, function, name, handler)
/* clang-format on */

#endif
