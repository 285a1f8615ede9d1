/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See context.h: where the variable is, in normal context. dlsym(3) would find it only if its
 * library was loaded for everybody to see, which plug-ins and the native parts of interpreters are
 * not. So the symbol is looked up in each loaded object, by the hash table of its dynamic symbols.
 */
#define _GNU_SOURCE
#include "context.h"

#include "loaded.h"

#include <elf.h>
#include <errno.h>
#include <machine/thread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>

#pragma weak _r_debug

static const char standard_name[] = "otel_thread_ctx_v1";
static atomic_bool is_told; /* by context_use() */

/* ---- Symbols of an object. ---- */

struct symbols {
    const ElfW(Sym) * all;
    const char *names;
    const uint32_t *gnu, *old; /* hash tables; NULL: it has none of that kind */
    bool is_static;            /* its block is laid out with the thread */
};

/* Some loaders have added where the object is, others not. NULL: not in the object. */
static const void *target(const struct dl_phdr_info *object, uintptr_t address)
{
    if (loaded_segment(object, address, 1, PF_R))
        return (const void *)address;
    address += object->dlpi_addr;
    return loaded_segment(object, address, 1, PF_R) ? (const void *)address : NULL;
}

static const ElfW(Dyn) * dynamic_section(const struct dl_phdr_info *object)
{
    for (unsigned i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            return (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    return NULL;
}

static void read_symbols(const struct dl_phdr_info *object, struct symbols *symbols)
{
    const ElfW(Dyn) *entry = dynamic_section(object);
    *symbols = (struct symbols){0};
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_SYMTAB)
            symbols->all = target(object, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_STRTAB)
            symbols->names = target(object, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_GNU_HASH)
            symbols->gnu = target(object, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_HASH)
            symbols->old = target(object, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_FLAGS)
            symbols->is_static = (entry->d_un.d_val & DF_STATIC_TLS) != 0;
    }
}

static bool is_it(const struct symbols *symbols, uint32_t i)
{
    const ElfW(Sym) *symbol = &symbols->all[i];
    return ELF64_ST_TYPE(symbol->st_info) == STT_TLS && symbol->st_shndx != SHN_UNDEF &&
           strcmp(symbols->names + symbol->st_name, standard_name) == 0;
}

/* The table: buckets, the first symbol in it, words of a filter, a shift; then the filter, the
 * buckets, and for each symbol its hash, whose lowest bit says that it is the last of its bucket.
 */
static uint32_t find_by_gnu(const struct symbols *symbols)
{
    const uint32_t *table = symbols->gnu, first = table[1];
    const uint32_t *buckets = table + 4 + table[2] * (sizeof(ElfW(Addr)) / sizeof *table);
    const uint32_t *chain = buckets + table[0];
    uint32_t hash = 5381;
    for (const char *c = standard_name; *c; c++)
        hash = hash * 33 + (unsigned char)*c;
    uint32_t i = table[0] ? buckets[hash % table[0]] : 0;
    for (; i >= first && i != 0; i++) {
        if ((chain[i - first] | 1) == (hash | 1) && is_it(symbols, i))
            return i;
        if (chain[i - first] & 1)
            return 0;
    }
    return 0;
}

/* The second number is that of all symbols. */
static uint32_t find_one_by_one(const struct symbols *symbols)
{
    for (uint32_t i = 1; i < symbols->old[1]; i++)
        if (is_it(symbols, i))
            return i;
    return 0;
}

/* ---- Blocks. ---- */

/* N bytes at ADDRESS, which may not be there. The kernel is asked as hits ask it:
 * process_vm_readv(2) is what filters and emulators often lack. */
static bool look(void *to, uintptr_t address, size_t n)
{
    if (!pages_ask(address) || !pages_ask(address + n - 1))
        return false;
    memcpy(to, (const void *)address, n);
    return true;
}

struct search {
    uintptr_t slot; /* look for the object that has it in its block; 0: for the symbol */
    uint64_t place;
    bool has_blocks, has_other_blocks; /* some, or none, are where MACHINE_BLOCK says */
    size_t distance_at;                /* words in a struct link_map; 0: not known */
    int64_t direction;                 /* 1, or -1: that is counted downwards */
};

static bool has_tls(const struct dl_phdr_info *object, size_t size)
{
    return size >= offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof object->dlpi_tls_data &&
           object->dlpi_tls_modid != 0;
}

static uintptr_t block_size(const struct dl_phdr_info *object)
{
    for (unsigned i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_TLS)
            return object->dlpi_phdr[i].p_memsz;
    return 0;
}

/* Whether the C library keeps the blocks of threads where we would look. */
static void compare_blocks(const struct dl_phdr_info *object, struct search *search)
{
    size_t module = object->dlpi_tls_modid;
    uintptr_t blocks, limit, block, self = (uintptr_t)machine_thread();
    if (!object->dlpi_tls_data)
        return;
    bool is_there = look(&blocks, self + MACHINE_BLOCKS, sizeof blocks) &&
                    look(&limit, MACHINE_BLOCK_LIMIT(blocks), sizeof limit) && limit >= module &&
                    look(&block, MACHINE_BLOCK(blocks, module), sizeof block) &&
                    block == (uintptr_t)object->dlpi_tls_data;
    search->has_blocks |= is_there;
    search->has_other_blocks |= !is_there;
}

/*
 * glibc finds room beside the thread pointer also for blocks of libraries that come later, if they
 * ask for that or use TLS descriptors, and notes the distance behind what <link.h> shows of a
 * struct link_map, with the module's number after it. Threads that are older have no entry in their
 * vector then. So these two words are looked for in the entry of the first object with a block,
 * which was there from the start, and believed if the other one's number is at the same place.
 */
enum { LINK_WORDS = 192 };

static const struct link_map *link_of(const struct dl_phdr_info *object)
{
    const struct link_map *link = &_r_debug ? _r_debug.r_map : NULL;
    while (link && (link->l_addr != object->dlpi_addr ||
                    (uintptr_t)link->l_ld != (uintptr_t)dynamic_section(object)))
        link = link->l_next;
    return link;
}

static void learn_distance(const struct dl_phdr_info *object, struct search *search)
{
    uint64_t words[2];
    int64_t distance = (char *)object->dlpi_tls_data - machine_thread();
    const struct link_map *link = link_of(object);
    if (search->distance_at || !object->dlpi_tls_data || !link)
        return;
    uintptr_t at = (uintptr_t)link;
    for (size_t i = sizeof *link / sizeof *words; i < LINK_WORDS && !search->distance_at; i++)
        if (look(words, at + i * sizeof *words, sizeof words) &&
            (int64_t)words[0] * (distance < 0 ? -1 : 1) == distance &&
            words[1] == object->dlpi_tls_modid)
            search->distance_at = i;
    search->direction = distance < 0 ? -1 : 1;
}

/* The distance of its block from the thread pointer, of every thread; 0: it has none. */
static int64_t distance_of(const struct dl_phdr_info *object, const struct symbols *symbols,
                           const struct search *search)
{
    enum { FARTHEST = 1 << 24 };
    uint64_t words[2];
    const struct link_map *link = search->distance_at ? link_of(object) : NULL;
    bool is_program = object->dlpi_phdr == (const void *)getauxval(AT_PHDR);
    if ((is_program || symbols->is_static) && object->dlpi_tls_data)
        return (char *)object->dlpi_tls_data - machine_thread();
    if (!link ||
        !look(words, (uintptr_t)link + search->distance_at * sizeof *words, sizeof words) ||
        words[1] != object->dlpi_tls_modid || words[0] > FARTHEST)
        return 0;
    return search->direction * (int64_t)words[0];
}

/* ---- Both. ---- */

/* The block of OBJECT in this thread, if it has one. */
static uintptr_t block_of(const struct dl_phdr_info *object, int64_t distance)
{
    return distance ? (uintptr_t)machine_thread() + (uintptr_t)distance
                    : (uintptr_t)object->dlpi_tls_data;
}

/* *OFFSET in the block of OBJECT is the variable. False: it is none of that object. */
static bool has_variable(const struct dl_phdr_info *object, const struct symbols *symbols,
                         const struct search *search, int64_t distance, uintptr_t *offset)
{
    uint32_t i = search->slot || !symbols->all || !symbols->names ? 0
                 : symbols->gnu                                   ? find_by_gnu(symbols)
                 : symbols->old                                   ? find_one_by_one(symbols)
                                                                  : 0;
    uintptr_t block = block_of(object, distance);
    *offset = search->slot ? search->slot - block : i ? symbols->all[i].st_value : 0;
    return search->slot ? block && *offset < block_size(object) : i != 0;
}

static int visit(struct dl_phdr_info *object, size_t size, void *data)
{
    struct search *search = data;
    struct symbols symbols;
    uintptr_t offset;
    if (!has_tls(object, size))
        return 0;
    compare_blocks(object, search);
    learn_distance(object, search);
    read_symbols(object, &symbols);
    int64_t distance = distance_of(object, &symbols, search);
    if (!search->place && has_variable(object, &symbols, search, distance, &offset))
        search->place = distance ? (uint64_t)(distance + (int64_t)offset) << 1 | 1
                                 : (uint64_t)object->dlpi_tls_modid << CONTEXT_MODULE_SHIFT |
                                       (uint64_t)offset << 1;
    return 0;
}

/* 0: nowhere. */
static uint64_t find(uintptr_t slot)
{
    struct search search = {.slot = slot};
    dl_iterate_phdr(visit, &search);
    bool is_known = search.place & 1 || (search.has_blocks && !search.has_other_blocks);
    return is_known ? search.place : 0;
}

static int count_changes(struct dl_phdr_info *object, size_t size, void *data)
{
    (void)size;
    *(unsigned long long *)data = object->dlpi_adds + object->dlpi_subs;
    return 1;
}

void context_find(void)
{
    static _Atomic unsigned long long looked_at;
    unsigned long long changes = 0;
    dl_iterate_phdr(count_changes, &changes);
    if (is_told || (changes && atomic_exchange(&looked_at, changes) == changes))
        return;
    atomic_store(&context_place, find(0));
}

int context_use(const void *slot)
{
    uint64_t place = find((uintptr_t)slot);
    if (slot && (!place || (uintptr_t)slot % sizeof(void *) != 0))
        return -EINVAL;
    is_told = slot != NULL;
    atomic_store(&context_place, place);
    return 0;
}
