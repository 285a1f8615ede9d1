/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Typed events; the first argument says which. `outer` and `inner` tell by their fields whether
 * they were torn.
 */
#include "record_event.h"

#include <pthread.h>
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static long wanted;

/* ---- Values. ---- */

static void numbers(int round)
{
    SDT_RESERVE(ev, numbers, e);
    if (!e)
        return;
    if (round > 0) { /* else all are as they were reserved */
        e->a = INT8_MIN;
        e->b = INT16_MIN;
        e->c = INT32_MIN;
        e->d = INT64_MIN;
        e->e = UINT8_MAX;
        e->f = UINT16_MAX;
        e->g = UINT32_MAX;
        e->h = UINT64_MAX;
        e->i = true;
        e->j = 1.5f;
        e->k = -0.1;
        e->l = GREEN;
    }
    SDT_COMMIT(ev, numbers, e);
}

static void others(int round)
{
    SDT_RESERVE(ev, others, e);
    if (!e)
        return;
    if (round > 0) {
        e->hex = 0xabcdef01;
        e->address = (const void *)0x1234;
        e->no_text = (char *)0x5678;
        e->text = round == 1 ? "there \"it\" is" : (const char *)8;
        strncpy(e->written, round == 1 ? "short" : "too long for it", sizeof e->written);
        e->last = (char)round;
    }
    SDT_COMMIT(ev, others, e);
}

/* Arrays of LENGTH elements; 4 fit into the event, 32 int64_t into a text. */
static void ints(size_t length)
{
    int64_t out[100];
    SDT_RESERVE(ev, ints, e);
    if (!e)
        return;
    e->before = -1;
    for (size_t i = 0; i < length; i++) {
        out[i] = -(int64_t)i * ((int64_t)1 << 40);
        if (i < 4)
            e->in[i] = (int32_t)-i;
    }
    e->in_length = length;
    e->out = out;
    e->out_length = length;
    e->after = 1;
    SDT_COMMIT(ev, ints, e);
}

static void sequences(void)
{
    static const uint8_t bytes[] = {0, 255, 7};
    static const int16_t shorts[] = {-32768, 32767};
    static const uint32_t words[] = {0xffffffff};
    static const float floats[] = {0.5f, -1e30f};
    SDT_RESERVE(ev, small, e);
    SDT_RESERVE(ev, reals, f);
    SDT_RESERVE(ev, pointers, g);
    if (!e || !f || !g)
        return;
    e->bytes = bytes;
    e->bytes_length = 3;
    e->shorts = shorts;
    e->shorts_length = 2;
    SDT_COMMIT(ev, small, e);
    e->bytes = (const uint8_t *)8; /* leads nowhere */
    e->words = words;
    e->words_length = 1;
    SDT_COMMIT(ev, small, e);
    f->floats = floats;
    f->floats_length = 2;
    f->doubles[f->doubles_length++] = 1e300;
    f->doubles[f->doubles_length++] = -0.25;
    SDT_COMMIT(ev, reals, f);
    g->pointers[g->pointers_length++] = (void *)16;
    SDT_COMMIT(ev, pointers, g);
}

static int values(void)
{
    for (int round = 0; round < 2; round++)
        numbers(round);
    for (int round = 0; round < 3; round++)
        others(round);
    for (size_t length = 0; length < 6; length++)
        ints(length);
    ints(100);
    sequences();
    return 0;
}

/* ---- Events among events. ---- */

static void inner(long number)
{
    SDT_RESERVE(ev, inner, e);
    if (e) {
        e->number = number;
        e->same = ~number;
        SDT_COMMIT(ev, inner, e);
    }
}

static void fill(SDT_EVENT_TYPE(ev, outer) * e, long number)
{
    e->number = number;
    snprintf(e->text, sizeof e->text, "%0*ld", (int)(number % 30), number);
    e->same = ~number;
}

/* Of four reserved, one is committed, one is discarded, one twice, and one is left. */
static int nested(void)
{
    for (long i = 0; i < wanted; i++) {
        SDT_RESERVE(ev, outer, e);
        SDT_RESERVE(ev, outer, discarded);
        SDT_RESERVE(ev, outer, twice);
        SDT_RESERVE(ev, outer, left);
        if (!e || !discarded || !twice || !left)
            return 3;
        fill(e, 4 * i);
        fill(discarded, 4 * i + 1);
        fill(twice, 4 * i + 2);
        fill(left, 4 * i + 1);
        inner(4 * i);
        SDT_DISCARD(ev, outer, discarded);
        SDT_COMMIT(ev, outer, discarded);
        SDT_COMMIT(ev, outer, e);
        SDT_COMMIT(ev, outer, twice);
        fill(twice, 4 * i + 3);
        SDT_COMMIT(ev, outer, twice);
    }
    return 0;
}

static _Atomic long handled;
static void on_signal(int number)
{
    (void)number;
    inner(handled++);
}

static void outers(long thread)
{
    for (long i = 0; i < wanted; i++) {
        SDT_RESERVE(ev, outer, e);
        if (e) {
            fill(e, thread * wanted + i);
            SDT_COMMIT(ev, outer, e);
        }
    }
}

static void *run_thread(void *data)
{
    outers((long)data);
    return NULL;
}

/* Three threads, and a timer's signal to any of them. */
static int threads(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    struct itimerval every = {.it_interval = {0, 100}, .it_value = {0, 100}};
    pthread_t thread[3];
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    for (long i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, run_thread, (void *)i);
    for (long i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    while (handled < 10)
        pause();
    memset(&every, 0, sizeof every);
    setitimer(ITIMER_REAL, &every, NULL);
    printf("%ld\n", handled);
    return 0;
}

/* ---- Reservations that are never committed. ---- */

static jmp_buf before;

static void leave(long number)
{
    SDT_RESERVE(ev, outer, e);
    if (e)
        fill(e, number);
    if (number % 3 == 0)
        longjmp(before, 1);
    SDT_COMMIT(ev, outer, e);
}

static int jumps(void)
{
    for (volatile long i = 0; i < wanted; i++)
        if (setjmp(before) == 0)
            leave(i);
        else
            inner(i);
    return 0;
}

static void *cancelled(void *data)
{
    SDT_RESERVE(ev, outer, e);
    if (e)
        fill(e, (long)data);
    if ((long)data % 2)
        pthread_exit(NULL);
    SDT_COMMIT(ev, outer, e);
    return NULL;
}

/* Every second thread ends with its event reserved. */
static int ended(void)
{
    for (long i = 0; i < wanted; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, cancelled, (void *)i);
        pthread_join(thread, NULL);
    }
    return 0;
}

static int killed(void)
{
    outers(0);
    SDT_RESERVE(ev, outer, e);
    if (e)
        fill(e, -1);
    raise(SIGKILL);
    SDT_COMMIT(ev, outer, e);
    return 0;
}

static int forked(void)
{
    SDT_RESERVE(ev, outer, e);
    if (e)
        fill(e, 1);
    pid_t child = fork();
    SDT_COMMIT(ev, outer, e); /* in both */
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    printf("%d\n", child);
    return 0;
}

/* ---- Who looks. ---- */

static void on_outer(const struct sdt_event *event, void *data)
{
    (*(int *)data)++;
    for (unsigned i = 0; i < sdt_nargs(event); i++)
        printf("%s:%s ", sdt_arg_name(event, i), sdt_arg_type(event, i));
    printf("%ld %s\n", (long)sdt_arg(event, 0), (const char *)sdt_arg(event, 1));
    inner((long)sdt_arg(event, 0)); /* recorded, though a handler is running */
}

/* None, a handler which has an event of its own, none. */
static int handlers(void)
{
    int called = 0;
    bool was_on = SDT_EVENT_ENABLED(ev, outer);
    wanted = 2;
    outers(0);
    int id = sdt_enable("ev:outer", on_outer, &called);
    bool is_on = SDT_EVENT_ENABLED(ev, outer);
    outers(1);
    sdt_disable(id);
    outers(2);
    printf("%d %d %d\n", was_on, is_on, called);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } all[] = {{"values", values}, {"nested", nested},    {"threads", threads},
               {"jumps", jumps},   {"ended", ended},      {"killed", killed},
               {"forked", forked}, {"handlers", handlers}};
    wanted = argc > 2 ? atol(argv[2]) : 1;
    for (size_t i = 0; argc > 1 && i < sizeof all / sizeof *all; i++)
        if (!strcmp(argv[1], all[i].name))
            return all[i].run();
    return 99;
}
