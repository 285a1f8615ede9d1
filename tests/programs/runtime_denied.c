/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the system forbids one way of writing text, the other is used; where it forbids both, the
 * error is the documented one and nothing has changed.
 *
 *   runtime_denied WAY…   with the ways to forbid: dumpable (a process that is not dumpable and not
 *                    root cannot open /proc/self/mem), noproc (seccomp: no file can be opened),
 *                    mdwe (PR_SET_MDWE: no page becomes executable), nomprotect (seccomp),
 *                    nopwrite (seccomp; as with the kernel's proc_mem.force_override=never: the
 *                    file opens, but what is mapped read-only cannot be written through it),
 *                    nofile (no descriptor is left), noroot (a root directory without /proc),
 *                    nomembarrier (seccomp), killwx (seccomp: mprotect that makes a page writable
 *                    and executable ends the program); later-WAY: only after the site was armed
 *   runtime_denied WAY… -- PROGRAM ARGUMENT…   run that instead (what seccomp forbids stays
 * forbidden) Prints "enabled", the error's number, or "stays enabled" if it could not be disarmed
 * again.
 */
#include "runtime_fixture.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The leak checker needs files and a thread of its own. */
int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void)
{
    return 1;
}

/* Let ACTION befall system call NUMBER; mprotect only when it asks for PROT_WRITE. */
static void forbid(int number, int only_writable, unsigned action)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, only_writable ? 2 : ~0u, 0, only_writable ? 1 : 0),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("seccomp");
        exit(77);
    }
}

static void apply(const char *way)
{
    if (strcmp(way, "dumpable") == 0) {
        if (setgid(65534) != 0 || setuid(65534) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0)
            exit(77);
    } else if (strcmp(way, "noproc") == 0) {
        forbid(SYS_openat, 0, SECCOMP_RET_ERRNO | EACCES);
    } else if (strcmp(way, "mdwe") == 0) {
        if (prctl(65 /* PR_SET_MDWE */, 1, 0, 0, 0) != 0)
            exit(77); /* older than Linux 6.3 */
    } else if (strcmp(way, "nomprotect") == 0) {
        forbid(SYS_mprotect, 1, SECCOMP_RET_ERRNO | EACCES);
    } else if (strcmp(way, "nopwrite") == 0) {
        forbid(SYS_pwrite64, 0, SECCOMP_RET_ERRNO | EACCES);
    } else if (strcmp(way, "nofile") == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_NOFILE, &none);
    } else if (strcmp(way, "noroot") == 0) {
        if (chroot("/usr/include") != 0)
            exit(77);
    } else if (strcmp(way, "nomembarrier") == 0) {
        forbid(SYS_membarrier, 0, SECCOMP_RET_ERRNO | EACCES);
    } else if (strcmp(way, "killwx") == 0) {
        forbid(SYS_mprotect, 1, SECCOMP_RET_KILL_PROCESS);
    }
}

static void apply_later(int argc, char **argv)
{
    static const char later[] = "later-";
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], later, sizeof later - 1) == 0)
            apply(argv[i] + sizeof later - 1);
}

int main(int argc, char **argv)
{
    static const uint8_t off[][6] = {[FX_CALL] = {0x90, 0x66, 0x0f, 0x1f, 0xc0, 0x48},
                                     [FX_CALL6] = {0x90, 0x3e, 0x66, 0x0f, 0x1f, 0xc0},
                                     [FX_INLINE] = {0x90, 0x66, 0x0f, 0x1f, 0x84, 0xe9}};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            execv(argv[i + 1], argv + i + 1);
            return 1;
        }
        apply(argv[i]);
    }
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    if (id < 0) {
        printf("%d\n", -id);
        CHECK(memcmp((const char *)(uintptr_t)fx_call + 4, off[FX_KIND], 6) == 0);
        fx_call(0, 0, 0, 0, 0, 0);
        return fixture_failures;
    }
    fx_call(0, 0, 0, 0, 0, 0);
    CHECK_EQUAL(sdt_hits("fixture:call"), 1);
    apply_later(argc, argv);
    CHECK_EQUAL(sdt_disable(id), 0);
    fx_call(0, 0, 0, 0, 0, 0);
    CHECK_EQUAL(sdt_hits("fixture:call"), 1);
    puts(*fx_byte() == FX_ON ? "stays enabled" : "enabled");
    return fixture_failures;
}
