/* SPDX-License-Identifier: BSD-2-Clause */
/* The errors of this runtime, by Linux's numbers: they are a part of its interface. */
#ifndef SDT_FREESTANDING_ERRNO_H
#define SDT_FREESTANDING_ERRNO_H

enum {
    EPERM = 1,
    ENOENT = 2,
    EIO = 5,
    ENOMEM = 12,
    EACCES = 13,
    EFAULT = 14,
    EBUSY = 16,
    EINVAL = 22,
    EDEADLK = 35,
    EBADMSG = 74,
    EILSEQ = 84,
    EADDRINUSE = 98,
    EINPROGRESS = 115,
    ESTALE = 116,
    ENOTSUP = 95,
    EOWNERDEAD = 130
};

#endif
