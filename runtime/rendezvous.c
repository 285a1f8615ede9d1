/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See rendezvous.h. A process may hold several copies of this library: libsdt.a in the program and
 * libsdt.so as a dependency of one of its libraries, or a plug-in with a hidden static copy. Two
 * copies must not write the same text or compete for SIGTRAP, so one of them, the *leader*, does
 * the work and the others pass their calls and their objects on.
 *
 * How do copies find each other? Not by a symbol: hidden and static ones are in no dynamic symbol
 * table, and an executable exports only what was requested at link time. Each copy carries an
 * allocated ELF note instead, which every loaded object's program headers lead to:
 *
 *     name "sdtlink", type 1, descriptor: version (4 bytes), distance from itself to `struct copy`
 *
 * The election happens inside a dl_iterate_phdr() callback, because the loader's lock, held there,
 * is the one lock that all copies share. The first copy in the loader's order wins, the program
 * itself before its libraries; it makes itself impossible to unload.
 *
 * A leader of another version cannot be used: -EEXIST. Nor does a leader see the objects that
 * were registered with a copy of another version: also -EEXIST, where nothing else matches. The
 * first three fields of struct copy are the same for ever, so that versions can at least tell that.
 *
 * The note may come from another program: what it points to is read only if the loader has mapped
 * it.
 */
#define _GNU_SOURCE
#include "rendezvous.h"

#include "environment.h"
#include "inspect.h"
#include "live/attach.h"
#include "peek.h"
#include "recorder/recorder.h"
#include "registry.h"
#include "report.h"
#include "subscribe.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

/* Raised when struct copy or struct runtime change, or what is passed to its functions. */
#define COPY_VERSION 4
#define COPY_NOTE_TYPE 1

struct copy {
    uint32_t version;
    uint32_t size;
    _Atomic(const struct copy *) leader; /* NULL: not elected yet */
    const struct runtime *runtime;
    _Atomic(struct sdt_dso *) waiting; /* registered before the election */
    void (*push)(struct sdt_dso *dso); /* as leader: take an object, without any lock */
    void (*pin)(void);                 /* as leader: never unload this copy */
};

static bool has_other_version(void);

static int leader_enable(const char *pattern, sdt_handler *handler, void *data, int mode)
{
    enum subscribe_when when = mode & SDT_PENDING ? SUBSCRIBE_PENDING : SUBSCRIBE_NOW;
    if (environment_forbids())
        return -EPERM;
    int result = subscribe(pattern, strlen(pattern), handler, data, mode & ~SDT_PENDING, when);
    if (result == -ENOENT && has_other_version())
        result = -EEXIST;
    if (result == -ENOENT || result == -EEXIST)
        report_no_match(pattern);
    return result;
}

static int leader_enable_early(const char *pattern, size_t length, sdt_handler *handler, void *data)
{
    if (environment_forbids())
        return -EPERM;
    return subscribe(pattern, length, handler, data, SDT_MODE_AUTO | SDT_GENERAL_REGS,
                     SUBSCRIBE_ANYHOW);
}

static void leader_add(struct sdt_dso *dso)
{
    subscribe_object(dso);
    attach_object_came();
    report_object();
}

static void leader_remove(struct sdt_dso *dso)
{
    report_last_chance();
    unsubscribe_object(dso);
}

static const struct runtime own_runtime = {
    .enable = leader_enable,
    .enable_early = leader_enable_early,
    .disable = unsubscribe,
    .foreach = inspect_foreach,
    .hits = inspect_hits,
    .add_object = leader_add,
    .remove_object = leader_remove,
    .recording = &recorder_functions,
    .adopt = subscribe_adopt,
    .attachable = attach_start,
};

static void pin(void);

__attribute__((used, visibility("hidden"))) struct copy sdt_rendezvous_copy = {
    .version = COPY_VERSION,
    .size = sizeof(struct copy),
    .runtime = &own_runtime,
    .push = subscribe_push,
    .pin = pin,
};
static struct copy *const own = &sdt_rendezvous_copy;

__asm__(".pushsection .note.sdtlink, \"a\", @note\n"
        "    .balign 4\n"
        "    .long 8, 8, 1\n" /* length of the name, of the descriptor, type */
        "    .asciz \"sdtlink\"\n"
        "    .long 4\n" /* COPY_VERSION */
        "    .long sdt_rendezvous_copy - .\n"
        ".popsection\n");
_Static_assert(COPY_VERSION == 4 && COPY_NOTE_TYPE == 1, "the note above says so");

/* Weak: a static executable has neither, and nothing to pin. */
#pragma weak dlopen
#pragma weak dladdr1

static void pin(void)
{
    Dl_info info;
    struct link_map *map = NULL;
    if (!dlopen || !dladdr1 || !dladdr1(own, &info, (void **)&map, RTLD_DL_LINKMAP))
        return;
    if (map->l_name[0] != '\0') /* not the program itself, which stays anyway */
        dlopen(map->l_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE); /* counted, never closed */
}

/* ---- Finding the copies. ---- */

typedef void copy_visitor(struct copy *copy, void *data);

struct walk {
    copy_visitor *visit;
    void *data;
    const struct dl_phdr_info *object; /* whose notes are being read */
};

/* What every version agrees on. */
struct any_copy {
    uint32_t version;
    uint32_t size;
    const struct copy *leader;
};

struct note {
    uint32_t name_size, descriptor_size, type;
    char name[8];
    uint32_t version;
    int32_t distance; /* from here to the copy */
};

/* How many of the bytes at BEGIN the loader was told to map in one piece, all of them with FLAGS.*/
static size_t mapped_bytes(const struct dl_phdr_info *object, uintptr_t begin, uint32_t flags)
{
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t offset = begin - (object->dlpi_addr + segment->p_vaddr);
        if (segment->p_type == PT_LOAD && (segment->p_flags & flags) == flags &&
            offset < segment->p_memsz)
            return segment->p_memsz - offset;
    }
    return 0;
}

/*
 * Copy memory of a segment, which can still be missing: pages beyond the end of a file that is too
 * short. Where the kernel may not be asked, the segment is believed.
 */
static bool read_mapped(void *to, uintptr_t from, size_t n)
{
    int error = peek(to, from, n);
    if (error && error != -EFAULT)
        memcpy(to, (const void *)from, n);
    return error != -EFAULT;
}

/* What looks like our note at ADDRESS: visit its copy, if there is one. */
static void visit_note(const struct note *note, uintptr_t address, const struct walk *walk)
{
    static const struct note ours = {8, 8, COPY_NOTE_TYPE, "sdtlink", 0, 0};
    struct any_copy copy = {0, 0, NULL};
    if (memcmp(note, &ours, offsetof(struct note, version)) != 0)
        return;
    uintptr_t place =
        address + offsetof(struct note, distance) + (uintptr_t)(intptr_t)note->distance;
    if (place % _Alignof(struct copy) == 0 &&
        mapped_bytes(walk->object, place, PF_R | PF_W) >= sizeof copy &&
        read_mapped(&copy, place, sizeof copy) && copy.version == note->version &&
        copy.size >= sizeof copy)
        walk->visit((struct copy *)place, walk->data);
}

/*
 * Look for our note at every word instead of stepping from note to note: mold puts notes of 4- and
 * 8-byte alignment into one segment, where nobody can tell how far apart they are. No more than a
 * page is read at once, so that one that is missing hides no other.
 */
static void walk_notes(uintptr_t notes, size_t size, const struct walk *walk)
{
    enum { PAGE = 4096 };
    struct note note;
    char bytes[sizeof note + PAGE];
    size_t kept = 0;
    while (size) {
        size_t n = PAGE - notes % PAGE;
        n = n < size ? n : size;
        if (!read_mapped(bytes + kept, notes, n))
            return;
        size_t at = 0, end = kept + n;
        for (; at + sizeof note <= end; at += 4) {
            memcpy(&note, bytes + at, sizeof note);
            visit_note(&note, notes - kept + at, walk);
        }
        kept = end - at;
        memmove(bytes, bytes + at, kept);
        notes += n;
        size -= n;
    }
}

static int walk_object(struct dl_phdr_info *object, size_t size, void *data)
{
    struct walk walk = *(const struct walk *)data;
    walk.object = object;
    (void)size;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t notes = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_NOTE)
            continue;
        size_t mapped = mapped_bytes(object, notes, PF_R);
        walk_notes(notes, mapped < segment->p_memsz ? mapped : segment->p_memsz, &walk);
    }
    return 0;
}

static void visit_copies(copy_visitor *visit, void *data)
{
    struct walk walk = {visit, data, NULL};
    dl_iterate_phdr(walk_object, &walk);
}

static void find_other_version(struct copy *copy, void *data)
{
    if (copy->version != COPY_VERSION)
        *(bool *)data = true;
}

/* Whether there is a copy that keeps its objects to itself, and what was asked for may be there. */
static bool has_other_version(void)
{
    bool has = false;
    visit_copies(find_other_version, &has);
    return has;
}

/* ---- The election. ---- */

struct election {
    struct copy *first;         /* of our version */
    const struct copy *elected; /* by an earlier election */
    bool is_new;
};

static void find_leader(struct copy *copy, void *data)
{
    struct election *election = data;
    if (!election->elected)
        election->elected = atomic_load(&copy->leader);
    if (!election->first && copy->version == COPY_VERSION)
        election->first = copy;
}

/* Make COPY follow; the objects that it was told of so far go to the leader. */
static void follow(struct copy *copy, void *data)
{
    const struct copy *leader = ((struct election *)data)->elected;
    atomic_store(&copy->leader, leader);
    if (copy->version != COPY_VERSION || leader->version != COPY_VERSION)
        return;
    struct sdt_dso *dso = atomic_exchange(&copy->waiting, NULL), *oldest = NULL;
    while (dso) { /* the list has the newest first */
        struct sdt_dso *next = dso->next;
        dso->next = oldest;
        oldest = dso;
        dso = next;
    }
    while (oldest) {
        struct sdt_dso *next = oldest->next;
        leader->push(oldest);
        oldest = next;
    }
}

/* Called once, for any object, with the loader's lock held. */
static int elect(struct dl_phdr_info *object, size_t size, void *data)
{
    struct election *election = data;
    (void)object;
    (void)size;
    visit_copies(find_leader, election);
    if (!election->elected) {
        election->is_new = true;
        election->elected = election->first ? election->first : own;
    }
    visit_copies(follow, election);
    follow(own, election); /* we count even if our note was stripped from the file */
    return 1;
}

int rendezvous(const struct runtime **runtime)
{
    const struct copy *leader = atomic_load_explicit(&own->leader, memory_order_acquire);
    if (!leader) {
        struct election election = {NULL, NULL, false};
        dl_iterate_phdr(elect, &election);
        leader = atomic_load(&own->leader);
        if (election.is_new)
            leader->pin();
    }
    if (leader->version != COPY_VERSION)
        return -EEXIST;
    *runtime = leader->runtime;
    return 0;
}

bool rendezvous_is_leader(void)
{
    return atomic_load(&own->leader) == own;
}

/* ---- Objects. ---- */

/* Give what waits here to the leader, which was elected while we put it here. */
static void hand_over(const struct copy *leader)
{
    struct sdt_dso *dso = atomic_exchange(&own->waiting, NULL);
    while (dso) {
        struct sdt_dso *next = dso->next;
        leader->runtime->add_object(dso);
        dso = next;
    }
}

/* The leader, if one was elected before this copy was loaded. Looked for once in each copy. */
static const struct copy *leader_now(void)
{
    static atomic_bool has_looked;
    const struct copy *leader = atomic_load(&own->leader);
    if (!leader && !atomic_exchange(&has_looked, true)) {
        struct election election = {NULL, NULL, false};
        visit_copies(find_leader, &election);
        leader = election.elected;
        if (leader)
            atomic_store(&own->leader, leader);
    }
    return leader && leader->version == COPY_VERSION ? leader : NULL;
}

void rendezvous_register(struct sdt_dso *dso)
{
    const struct copy *leader = leader_now();
    const struct runtime *runtime;
    if (leader) {
        leader->runtime->add_object(dso);
        return;
    }
    dso->next = atomic_load(&own->waiting);
    while (!atomic_compare_exchange_weak(&own->waiting, &dso->next, dso))
        ;
    leader = leader_now();
    if (leader)
        hand_over(leader);
    else if (registry_is_companion(dso) && rendezvous(&runtime) == 0)
        runtime->adopt(); /* its sites are rewritten now, before the program runs */
}

void rendezvous_unregister(struct sdt_dso *dso)
{
    const struct copy *leader = leader_now();
    if (leader) {
        leader->runtime->remove_object(dso);
        return;
    }
    /* Destructors run one at a time, under the loader's lock; constructors only add. */
    struct sdt_dso *list = atomic_exchange(&own->waiting, NULL);
    while (list) {
        struct sdt_dso *next = list->next;
        if (list != dso) {
            list->next = atomic_load(&own->waiting);
            while (!atomic_compare_exchange_weak(&own->waiting, &list->next, list))
                ;
        }
        list = next;
    }
    /* An election in another thread may have come before us, or in between. */
    leader = leader_now();
    if (leader) {
        hand_over(leader);
        leader->runtime->remove_object(dso);
    }
}
