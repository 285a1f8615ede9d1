/* SPDX-License-Identifier: BSD-2-Clause */
/* The probes of dtrace_traced.c. */
typedef struct { int a; } record_t;

provider app {
    probe none();
    probe request__start(int id, char *path);
    probe a1(int);
    probe a2(int, int);
    probe a3(int, int, int);
    probe a4(int, int, int, int);
    probe a5(int, int, int, int, int);
    probe a6(int, int, int, int, int, int);
    probe a7(int, int, int, int, int, int, int);
    probe a8(int, int, int, int, int, int, int, int);
    probe a9(int, int, int, int, int, int, int, int, int);
    probe a10(int, int, int, int, int, int, int, int, int, int);
    probe a11(int, int, int, int, int, int, int, int, int, int, int);
    probe a12(int, int, int, int, int, int, int, int, int, int, int, int);
    probe translated(record_t *r : int a, int (*f)(void *, int), const char *const *names);
    probe never(int unused);
};

provider app2__x {
    probe catch(double);
};
