/* SPDX-License-Identifier: BSD-2-Clause */
/* A recorder that cannot have its thread was never there: the next one can be made. */
#include <errno.h>
#include <pthread.h>
#include <sdt/record.h>
#include <stdio.h>

/* In front of the C library's, for libsdt.so as well. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *data)
{
    (void)thread, (void)attributes, (void)run, (void)data;
    return EAGAIN;
}

int main(void)
{
    const struct sdt_record_options options = {.size = sizeof options, .flags = SDT_RECORD_THREAD};
    struct sdt_recorder *recorder = NULL;
    int first = sdt_record_create("one", &options, &recorder);
    printf("%d %d\n", first == -EAGAIN, recorder == NULL);
    printf("%d\n", sdt_record_create("two", NULL, &recorder));
    printf("%d\n", sdt_record_destroy(recorder));
    return 0;
}
