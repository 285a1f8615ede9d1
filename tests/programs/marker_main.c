/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns markers on by name, by function, and by library; prints what is hit. */
#include <sdt/runtime.h>
#include <stdio.h>

double busy(const double *values, int count);
int ends(int which);
void turns(int count);

static void on_marker(const struct sdt_event *event, void *data)
{
    (void)data;
    printf(" %s/%s", sdt_function(event), sdt_name(event));
}

static void look(const char *pattern)
{
    static const double values[] = {1, 2};
    int id = sdt_enable(pattern, on_marker, NULL);
    printf("%s:", pattern);
    busy(values, 2);
    ends(0);
    ends(1);
    turns(1);
    printf("%s\n", id > 0 && sdt_disable(id) == 0 ? "" : " failed");
}

int main(void)
{
    look("marker:small");
    look("marker:end");
    look("marker::turns:");
    look("marker:busy,marker::ends:small");
    look("marker:unknown");
    return 0;
}
