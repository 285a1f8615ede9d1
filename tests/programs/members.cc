/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A probe and a function with a pointer to a structure. The program writes a line of what the
 * structure has at each of them: `VALUE VALUE …`, in the order of `paths` in test_members.py.
 */
#include <sdt/probe.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noinline, noclone))
#endif

enum state { IDLE, BUSY = 7 };
struct base {
    short kind;
};
struct request : base {
    const char *method;
    unsigned flags : 3;
    int level : 7;
    unsigned long long wide : 40;
    bool is_last;
    enum state state;
    struct {
        long bytes;
        float rate;
    } body;
    union {
        unsigned char octets[4];
        unsigned address;
    };
    request *next;
    char host[12];
    short codes[2][3];
    __int128 huge;
    virtual ~request() = default;
};

/* What is written cannot be left out by the compiler. */
static void use(const void *p)
{
    __asm__ volatile("" : : "r"(p) : "memory");
}

static void say(const request *r)
{
    std::printf("%d %s %u %d %llu %d %s %ld %g %u %u %s %d %s\n", r->kind, r->method, r->flags,
                r->level, (unsigned long long)r->wide, r->is_last,
                r->state == BUSY ? "BUSY" : "IDLE", r->body.bytes, (double)r->body.rate,
                (unsigned)r->octets[1], r->address, r->host, r->codes[1][2],
                r->next ? r->next->method : "-");
}

APART int handle(request *req, request **all, const request &same)
{
    use(req);
    use(all);
    return req->kind + same.kind;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? std::atoi(argv[1]) : 4;
    for (int i = 0; i < count; i++) {
        request next, it;
        std::memset(it.host, 0, sizeof it.host);
        next.method = "NEXT";
        it.kind = (short)(i - 2);
        it.method = i % 2 ? "GET" : "POST";
        it.flags = (unsigned)i & 7;
        it.level = -i % 64;
        it.wide = 0xff00000000ULL + (unsigned)i;
        it.is_last = i == count - 1;
        it.state = i % 2 ? BUSY : IDLE;
        it.body.bytes = 1000L * i;
        it.body.rate = (float)i + 0.5F;
        it.address = 0x01020300U + (unsigned)i * 256;
        it.next = i % 2 ? &next : nullptr;
        std::snprintf(it.host, sizeof it.host, "host%d", i);
        for (int k = 0; k < 6; k++)
            it.codes[k / 3][k % 3] = (short)(10 * i + k);
        request *req = &it, *all[2] = {&next, &it};
        use(&it);
        use(&next);
        SDT_PROBE(web, request, req, i);
        handle(req, all, it);
        say(&it);
    }
    return 0;
}
