/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * GLib at work: objects that send each other signals, and functions called when idle, once there is
 * the file WAIT_FOR. With an argument it does nothing: what happens then happens outside of main().
 */
#include <glib-object.h>
#include <stdlib.h>
#include <unistd.h>

enum { SIGNALS = 300, IDLES = 25 };

typedef struct {
    GObject parent;
} Bell;
typedef struct {
    GObjectClass parent;
} BellClass;

static GType bell_get_type(void);
G_DEFINE_TYPE(Bell, bell, G_TYPE_OBJECT)

static guint rung;

static void bell_class_init(BellClass *bell_class)
{
    rung = g_signal_new("rung", G_TYPE_FROM_CLASS(bell_class), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                        NULL, G_TYPE_NONE, 1, G_TYPE_INT);
}

static void bell_init(Bell *bell)
{
    (void)bell;
}

static void on_rung(Bell *bell, int count, gpointer sum)
{
    (void)bell;
    *(int *)sum += count;
}

static GMainLoop *loop;
static int idles;

static gboolean on_idle(gpointer data)
{
    (void)data;
    if (++idles == IDLES)
        g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

static void wait_for_file(void)
{
    const char *file = getenv("WAIT_FOR");
    while (file && *file && access(file, F_OK) != 0)
        usleep(10000);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return 0;
    wait_for_file();
    int sum = 0;
    Bell *bell = g_object_new(bell_get_type(), NULL);
    g_signal_connect(bell, "rung", G_CALLBACK(on_rung), &sum);
    for (int i = 0; i < SIGNALS; i++)
        g_signal_emit(bell, rung, 0, i);
    g_object_unref(bell);
    loop = g_main_loop_new(NULL, FALSE);
    for (int i = 0; i < IDLES; i++)
        g_idle_add(on_idle, NULL);
    g_main_loop_run(loop);
    g_main_loop_unref(loop);
    g_print("%d %d\n", sum, idles);
    return 0;
}
