/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A plugin for qemu's user mode: how often each instruction below 16 MiB was executed, as lines of
 * address and count in the file that PLUGIN_OUT names. Of qemu's plugin interface (version 1, as in
 * Debian 12) it declares what it uses itself, since that header is in no package there.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t plugin_id;
enum { ADD_U64 };

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id,
                                           void (*on)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_atexit_cb(plugin_id id, void (*on)(plugin_id, void *), void *data);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *instruction, int op,
                                                void *to, uint64_t n);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t i);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);

/* In units of two bytes, which instructions of riscv64 are aligned to. */
enum { UNITS = 1 << 23 };
static uint64_t executed[UNITS];

static void on_translation(plugin_id id, struct qemu_plugin_tb *block)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
        uint64_t unit = qemu_plugin_insn_vaddr(instruction) / 2;
        if (unit < UNITS)
            qemu_plugin_register_vcpu_insn_exec_inline(instruction, ADD_U64, &executed[unit], 1);
    }
}

static void on_exit_of_program(plugin_id id, void *data)
{
    const char *path = getenv("PLUGIN_OUT");
    FILE *out = path ? fopen(path, "w") : NULL;
    (void)id;
    (void)data;
    for (uint64_t i = 0; out && i < UNITS; i++)
        if (executed[i])
            fprintf(out, "%#llx %llu\n", (unsigned long long)i * 2,
                    (unsigned long long)executed[i]);
    if (out)
        fclose(out);
}

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

__attribute__((visibility("default"))) int qemu_plugin_install(plugin_id id, const void *info,
                                                               int count, char **arguments)
{
    (void)info;
    (void)count;
    (void)arguments;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit_of_program, NULL);
    return 0;
}
