/* SPDX-License-Identifier: BSD-2-Clause */
/* The sites of ../asm/runtime_damaged.S: wrong ones are blocked and never written, right ones work.
 */
#include "runtime_fixture.h"

void dm_good(void);
void dm_bytes(void);
void dm_kind(void);
void dm_file(void);
void dm_nargs(void);
void dm_loader(void);
void dm_other(void);
void dm_access(void);
void dm_twice(void);

static int blocked, good, nameless;

static int visit(const struct sdt_probe_info *site, void *data)
{
    (void)data;
    if (site->mode == SDT_MODE_BLOCKED) {
        blocked++;
        CHECK_EQUAL(site->error, -EILSEQ);
        nameless += site->name[0] == '\0';
    } else {
        good++;
        CHECK_EQUAL(site->mode, fixture_mode() == SDT_MODE_TRAP ? SDT_MODE_TRAP : SDT_MODE_JUMP);
        CHECK(strcmp(site->name, "good") == 0 || strcmp(site->name, "twice") == 0);
    }
    return 0;
}

static void run(void)
{
    dm_good();
    dm_bytes();
    dm_kind();
    dm_file();
    dm_nargs();
    dm_loader();
    dm_other();
    dm_access();
    dm_twice();
}

int main(void)
{
    static const char *const wrong[] = {"bytes", "kind", "file", "nargs", "loader", "moved"};
    unsigned char before[256], *text = (unsigned char *)(uintptr_t)dm_bytes;
    memcpy(before, text, sizeof before);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char pattern[64];
        snprintf(pattern, sizeof pattern, "damaged:%s", wrong[i]);
        CHECK_EQUAL(sdt_enable(pattern, SDT_COUNT, NULL), -EILSEQ);
    }
    CHECK(memcmp(before, text, sizeof before) == 0);

    int id = sdt_enable("damaged", SDT_COUNT, NULL);
    CHECK(id > 0);
    CHECK_EQUAL(sdt_foreach("damaged", visit, NULL), 0);
    CHECK_EQUAL(good, 3);
    CHECK_EQUAL(blocked, 11);
    CHECK_EQUAL(nameless, 2);
    run();
    run();
    CHECK_EQUAL(sdt_hits("damaged:good"), 2);
    CHECK_EQUAL(sdt_hits("damaged:twice"), 2);
    CHECK_EQUAL(sdt_hits("damaged"), 4);
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK(memcmp(before, text, sizeof before) == 0);
    run();
    CHECK_EQUAL(sdt_hits("damaged"), 4);
    return fixture_done();
}
