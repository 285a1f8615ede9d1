/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A tracer that uses libbpf: attaches to probes, runs a command, prints every hit.
 *
 *     tracer_libbpf OBJECT FILE PROVIDER NAME,NAME... all|pid COMMAND [ARGUMENT...]
 *
 * A line a hit: the name, how many arguments there are, twelve values. `pid` watches only the
 * command's process, which must be waiting for a line of its input by the time it is attached to.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 16 };
static char *names[MOST];

static int on_event(void *context, void *data, size_t size)
{
    const long *event = data;
    (void)context;
    (void)size;
    printf("%s %ld", names[event[0]], event[1]);
    for (int i = 0; i < 12; i++)
        printf(" %ld", event[2 + i]);
    putchar('\n');
    return 0;
}

static int fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    return 1;
}

int main(int argc, char **argv)
{
    int input[2], status = 1, n = 0;
    if (argc < 7 || pipe(input) < 0)
        return 2;
    struct bpf_object *object = bpf_object__open(argv[1]);
    if (!object || bpf_object__load(object))
        return 3; /* the kernel forbids it, says the message on standard error */
    struct bpf_program *program = bpf_object__find_program_by_name(object, "probe");
    struct ring_buffer *events =
        ring_buffer__new(bpf_object__find_map_fd_by_name(object, "events"), on_event, NULL, NULL);
    if (!events)
        return fail("ring_buffer__new");
    pid_t child = fork();
    if (child == 0) {
        close(input[1]);
        dup2(input[0], 0);
        execv(argv[6], argv + 6);
        _exit(127);
    }
    pid_t watched = strcmp(argv[5], "pid") == 0 ? child : -1;
    for (char *name = strtok(argv[4], ","); name && n < MOST; name = strtok(NULL, ","), n++) {
        LIBBPF_OPTS(bpf_usdt_opts, options, .usdt_cookie = (unsigned)n);
        names[n] = name;
        if (!bpf_program__attach_usdt(program, watched, argv[2], argv[3], name, &options))
            return fail(name);
    }
    if (write(input[1], "\n", 1) != 1)
        return fail("write");
    close(input[1]);
    if (waitpid(child, &status, 0) != child || status != 0)
        return fail("the command");
    return ring_buffer__consume(events) < 0 ? fail("ring_buffer__consume") : 0;
}
