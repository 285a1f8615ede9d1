/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two copies of the runtime in one process: the program's, and one that comes with a library.
 * Whoever is asked first, each side's sdt_enable covers the probes of both.
 */
#include "runtime_fixture.h"

#include <dlfcn.h>
#include <signal.h>

/* The kernel's answer; sigaction() says what the program has set. */
int __sigaction(int number, const struct sigaction *action, struct sigaction *old);

static void *plugin;

static void *find(const char *name)
{
    void *found = dlsym(plugin, name);
    if (!found) {
        fprintf(stderr, "%s\n", dlerror());
        exit(99);
    }
    return found;
}

static int count_site(const struct sdt_probe_info *site, void *data)
{
    (void)site;
    ++*(int *)data;
    return 0;
}

int main(int argc, char **argv)
{
    struct sigaction first, second;
    int sites = 0;
    if (argc != 3 || !(plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL))) {
        fprintf(stderr, "%s\n", dlerror());
        return 99;
    }
    int (*enable)(const char *) = (int (*)(const char *))find("plugin_enable");
    int (*disable)(int) = (int (*)(int))find("plugin_disable");
    uint64_t (*hits)(const char *) = (uint64_t(*)(const char *))find("plugin_hits");
    void (*run)(void) = (void (*)(void))find("plugin_run");

    int plugin_first = strcmp(argv[2], "plugin") == 0;
    int id = plugin_first ? enable("fixture:call") : sdt_enable("fixture:call", SDT_COUNT, NULL);
    CHECK(id > 0);
    __sigaction(SIGTRAP, NULL, &first);
    run();
    fx_call(0, 0, 0, 0, 0, 0);
    CHECK_EQUAL(sdt_hits("fixture:call"), 2);
    CHECK_EQUAL(hits("fixture:call"), 2);
    CHECK_EQUAL(sdt_foreach("fixture:call", count_site, &sites), 0);
    CHECK_EQUAL(sites, 4);

    /* The other side, on top; it fights for nothing and has its own number. */
    int other = plugin_first ? sdt_enable("fixture", SDT_COUNT, NULL) : enable("fixture");
    CHECK(other > 0 && other != id);
    __sigaction(SIGTRAP, NULL, &second);
    CHECK(first.sa_sigaction == second.sa_sigaction);
    run();
    CHECK_EQUAL(sdt_hits("fixture:tail"), 1);
    CHECK_EQUAL(hits("fixture:call"), 3);

    /* Either side can end either subscription. */
    CHECK_EQUAL(disable(id), 0);
    CHECK_EQUAL(sdt_disable(id), -ENOENT);
    CHECK_EQUAL(sdt_disable(other), 0);
    run();
    CHECK_EQUAL(sdt_hits("fixture:call"), 3);

    /* The library goes; if its copy was in charge, the code of that copy stays. */
    id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    CHECK_EQUAL(dlclose(plugin), 0);
    uint64_t before = sdt_hits("fixture:a.out::call");
    fx_call(0, 0, 0, 0, 0, 0);
    CHECK_EQUAL(sdt_hits("fixture:a.out::call"), before + 1);
    CHECK_EQUAL(sdt_disable(id), 0);
    return fixture_done();
}
