/* SPDX-License-Identifier: BSD-2-Clause */
// A virtual machine: several providers, types of its own, what only tracers want.
typedef unsigned long uintptr_t;
struct method { char *name; int flags; };
enum mode { NONE, SOME = 2 };

provider hotspot {
    probe vm__init__begin();
    probe class__loaded(char*, uintptr_t, void*, uintptr_t);
    probe thread__park__begin(uintptr_t, int, long long);
};

provider hotspot_jni {
    probe CallByteMethod__entry(void*, void*, uintptr_t)
    probe CallByteMethod__return(char)
};

provider hs_private2 {
    probe hashtable__new_entry(void*, unsigned int, uintptr_t, void*);
    probe sched(struct method *m, enum mode mode) : (struct method *m);
}

#pragma D attributes Standard/Standard/Common provider hotspot provider
