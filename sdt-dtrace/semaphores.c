/* SPDX-License-Identifier: BSD-2-Clause */
#include "semaphores.h"

#include "command.h"
#include "text.h"

static const char head[] =
    "/* Made by sdt-dtrace -G. */\n"
    "#if defined(STAP_SDT_V2)\n"
    "#define VISIBILITY(name)\n"
    "#else\n"
    "#define VISIBILITY(name) \".hidden \" #name \"\\n\"\n"
    "#endif\n"
    "\n"
    "/* A relocation that does nothing but keep the empty piece that begins a page. */\n"
    "#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)\n"
    "#define KEEP(name) \".reloc \" #name \", BFD_RELOC_NONE, _.stapsdt.probes\\n\"\n"
    "#else\n"
    "#define KEEP(name)\n"
    "#endif\n"
    "\n"
    "__asm__(\".pushsection .probes, \\\"awG\\\", \\\"progbits\\\", .stapsdt.probes, comdat\\n\"\n"
    "        \".weak _.stapsdt.probes\\n\"\n"
    "        \".hidden _.stapsdt.probes\\n\"\n"
    "        \".balign 4096\\n\"\n"
    "        \"_.stapsdt.probes:\\n\"\n"
    "        \".popsection\\n\");\n"
    "\n"
    "#define SEMAPHORE(name)                                          \\\n"
    "    __asm__(\".pushsection .probes, \\\"aw\\\", \\\"progbits\\\"\\n\" \\\n"
    "            \".balign 2\\n\"                                       \\\n"
    "            \".globl \" #name \"\\n\"                                \\\n"
    "            VISIBILITY(name)                                     \\\n"
    "            \".type \" #name \", %object\\n\"                        \\\n"
    "            #name \": .2byte 0\\n\"                                \\\n"
    "            \".size \" #name \", 2\\n\"                              \\\n"
    "            KEEP(name)                                           \\\n"
    "            \".popsection\\n\");\n"
    "\n";

void semaphores_text(struct bytes *text, const struct providers *providers)
{
    text_add(text, "%s", head);
    for (size_t i = 0; i < providers->count; i++)
        if (!providers->list[i].is_again)
            text_add(text, "SEMAPHORE(%.*s_%.*s_semaphore)\n",
                     TEXT_SLICE(providers->list[i].provider), TEXT_SLICE(providers->list[i].name));
}

int semaphores_compile(const struct providers *providers, const struct options *options,
                       struct output *output)
{
    /*
     * After the user's flags: no debug information, which would name a file that does not exist,
     * and no bitcode.
     */
    static const char last[] = "-g0 -w -fno-lto -x c -c -o";
    static char from_input[] = "-";
    struct words words = {0};
    struct bytes text = {0};
    semaphores_text(&text, providers);
    command_add_variable(&words, "CC", "cc");
    for (size_t i = 0; i < options->macros.count; i++)
        words_add(&words, options->macros.list[i]);
    command_add_variable(&words, "CFLAGS", "");
    words_split(&words, last);
    words_add(&words, output->temporary);
    words_add(&words, from_input);
    int result = command_run(&words, &text, NULL);
    words_free(&words);
    bytes_free(&text);
    return result;
}
