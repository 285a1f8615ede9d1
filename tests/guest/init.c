/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The only process that a guest starts (tests/guest/guest.py): it runs the commands of /list, a
 * line each, perhaps with variables in front, prints what becomes of them, and switches the machine
 * off. A line that ends with & is not waited for; `send DIRECTORY` prints the files there, in hex.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 16, LINE = 256 };

static void start(char *line)
{
    char *arguments[WORDS + 1] = {NULL}, *variables[WORDS + 1] = {NULL};
    int words = 0, set = 0;
    for (char *word = strtok(line, " "); word && words + set < WORDS; word = strtok(NULL, " "))
        if (words == 0 && strchr(word, '='))
            variables[set++] = word;
        else
            arguments[words++] = word;
    execve(arguments[0], arguments, variables);
    perror(arguments[0]);
    _exit(127);
}

static int send_file(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    unsigned char bytes[64];
    (void)status;
    (void)walk;
    FILE *file = type == FTW_F ? fopen(path, "r") : NULL;
    if (!file)
        return 0;
    printf("@ %s\n", path);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0; putchar('\n'))
        for (size_t i = 0; i < n; i++)
            printf("%02x", bytes[i]);
    fclose(file);
    return 0;
}

static void run(char *line)
{
    int status = 0;
    char *background = strstr(line, " &");
    printf("== %s\n", line);
    if (strncmp(line, "send ", 5) == 0) {
        nftw(line + 5, send_file, 8, FTW_PHYS);
        return;
    }
    if (background)
        *background = '\0';
    pid_t child = fork();
    if (child == 0)
        start(line);
    if (background)
        return;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        printf("-- signal %d\n", WTERMSIG(status));
    else
        printf("-- status %d\n", WEXITSTATUS(status));
}

static void mount_at(const char *type, const char *place)
{
    mkdir(place, 0755);
    mount(type, place, type, 0, NULL);
}

int main(void)
{
    char line[LINE];
    mount_at("proc", "/proc");
    mount_at("sysfs", "/sys");
    mount_at("devtmpfs", "/dev");
    symlink("/proc/self/fd", "/dev/fd"); /* bpftrace 0.24 opens files by it */
    mount_at("tmpfs", "/dev/shm");
    mount_at("tmpfs", "/tmp");
    mount_at("tracefs", "/sys/kernel/tracing");
    int console = open("/dev/console", O_RDWR);
    for (int fd = 0; console >= 0 && fd <= STDERR_FILENO; fd++)
        dup2(console, fd);
    setvbuf(stdout, NULL, _IOLBF, 0);
    FILE *list = fopen("/list", "r");
    while (list && fgets(line, sizeof line, list)) {
        line[strcspn(line, "\n")] = '\0';
        run(line);
    }
    printf("== end\n");
    reboot(RB_POWER_OFF);
    return 0;
}
