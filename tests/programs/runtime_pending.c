/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Subscriptions from a constructor that runs before those that register probes, and for a library
 * that is not loaded yet.
 *
 *   runtime_pending PLUGIN
 */
#include "runtime_fixture.h"

#include <dlfcn.h>

static int early, early_pending, plugin_pending, wrong_mode;
static int calls, plugin_calls;

static void count_calls(const struct sdt_event *event, void *data)
{
    (void)event;
    ++*(int *)data;
}

/* Before every constructor without a priority. */
__attribute__((constructor(101))) static void enable_early(void)
{
    early = sdt_enable("fixture:call", count_calls, &calls);
    early_pending =
        sdt_enable_mode("fixture:call", count_calls, &calls, fixture_mode() | SDT_PENDING);
    plugin_pending =
        sdt_enable_mode(":plugin.so::", count_calls, &plugin_calls, fixture_mode() | SDT_PENDING);
    wrong_mode = sdt_enable_mode("fixture:call", count_calls, &calls, SDT_MODE_OFF | SDT_PENDING);
}

int main(int argc, char **argv)
{
    CHECK_EQUAL(early, -ENOENT);
    CHECK(early_pending > 0);
    CHECK(plugin_pending > early_pending);
    CHECK_EQUAL(wrong_mode, -EINVAL);
    CHECK_EQUAL(sdt_enable_mode("a:b:c", count_calls, &calls, SDT_PENDING), -EINVAL);
    CHECK_EQUAL(*fx_byte(), FX_ON);
    fx_call(0, 0, 0, 0, 0, 0);
    CHECK_EQUAL(calls, 1);

    void *plugin = dlopen(argv[argc - 1], RTLD_NOW);
    CHECK(plugin != NULL);
    if (plugin) {
        void (*plugin_run)(void) = (void (*)(void))(uintptr_t)dlsym(plugin, "plugin_run");
        plugin_run();
        CHECK(plugin_calls > 0);
        int before = plugin_calls;
        CHECK_EQUAL(sdt_disable(plugin_pending), 0);
        CHECK_EQUAL(sdt_disable(plugin_pending), -ENOENT);
        plugin_run();
        CHECK_EQUAL(plugin_calls, before);
    }
    CHECK_EQUAL(sdt_disable(early_pending), 0);
    CHECK_EQUAL(*fx_byte(), FX_OFF);
    return fixture_done();
}
