/* SPDX-License-Identifier: BSD-2-Clause */
/* dlopen of the libraries in the arguments, then a first sdt_enable, which reads their notes. */
#include "runtime_fixture.h"

#include <dlfcn.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!dlopen(argv[i], RTLD_NOW))
            fprintf(stderr, "%s\n", dlerror());
    CHECK(sdt_enable("fixture:call", SDT_COUNT, NULL) > 0);
    fx_call(0, 0, 0, 0, 0, 0);
    CHECK_EQUAL(sdt_hits("fixture:call"), 1);
    return fixture_done();
}
