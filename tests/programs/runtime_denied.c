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
#include "seccomp.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* The leak checker needs files and a thread of its own. */
int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void)
{
    return 1;
}

static void apply(const char *way)
{
    if (strcmp(way, "dumpable") == 0) {
        if (setgid(65534) != 0 || setuid(65534) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0)
            exit(77);
    } else if (strcmp(way, "noproc") == 0) {
        seccomp_forbid(SYS_openat, 0, SECCOMP_RET_ERRNO | EACCES);
    } else if (strcmp(way, "mdwe") == 0) {
        if (prctl(65 /* PR_SET_MDWE */, 1, 0, 0, 0) != 0)
            exit(77); /* older than Linux 6.3 */
    } else if (strcmp(way, "nomprotect") == 0) {
        seccomp_forbid(SYS_mprotect, PROT_WRITE, SECCOMP_RET_ERRNO | EACCES);
    } else if (strcmp(way, "nopwrite") == 0) {
        seccomp_forbid(SYS_pwrite64, 0, SECCOMP_RET_ERRNO | EACCES);
    } else if (strcmp(way, "nofile") == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_NOFILE, &none);
    } else if (strcmp(way, "noroot") == 0) {
        if (chroot("/usr/include") != 0)
            exit(77);
    } else if (strcmp(way, "nomembarrier") == 0) {
        seccomp_forbid(SYS_membarrier, 0, SECCOMP_RET_ERRNO | EACCES);
    } else if (strcmp(way, "killwx") == 0) {
        seccomp_forbid(SYS_mprotect, PROT_WRITE, SECCOMP_RET_KILL_PROCESS);
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
