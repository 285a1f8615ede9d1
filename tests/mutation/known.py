# SPDX-License-Identifier: BSD-2-Clause
"""Mutants that change nothing which could be seen, each with the reason.

(file, source line, column in it, old, new) -> why. A line that changes loses its entry, and has to
be looked at again.
"""
EQUIVALENT = {
    ("sdtlink/probes/args.c", "if (s->size <= 4 || relocation->r_offset >= s->size - 4)",
     54, "4", "5"):
        "an entry whose fifth byte is the section's last is refused, being cut off, whatever its "
        "label would have been looked up with",
    ("sdtlink/elf/add.c",
     'object_add_section(o, ".note.GNU-stack", SHT_PROGBITS, 0, 1, 0);', 58, "1", "0"):
        "an alignment of 0 is the same as of 1",
    ("sdtlink/rewrite/bounds.c", "STB_GLOBAL, STT_NOTYPE, STV_HIDDEN, section, 0, 0);", 48, "0",
     "1"):
        "nobody looks at the size of a symbol without a type",
    ("sdtlink/elf/writer.c", "output_abandon(&output);", 0, "output_abandon(&output);", ";"):
        "what a failed write leaves is in the directory of the link, which is removed",
    ("sdtlink/finalize/records.c",
     'snprintf(found + 3 * i, 3 * (size - i) + 1, "%02x ", bytes[i]);', 34, "-", "+"):
        "there is room for all",
    ("sdtlink/finalize/write.c", "target->first = elf->count;", 0, "target->first = elf->count;",
     ";"): "then all section headers are written, those that did not change as they were",
    ("sdtlink/finalize/write.c",
     "extend(&end, header->e_phoff, elf->segment_count * sizeof(Elf64_Phdr));", 49, "*", "+"):
        "sections and their headers come after the program headers in whatever linkers write",
    ("runtime/patch/companion.c",
     "for (int step = 1; !error && step <= 3; step++)", 37, "3", "4"):
        "after the third step no site is being rewritten, and the others are passed over",
    ("sdtlink/elf/add.c",
     'object_add_section(o, ".note.GNU-stack", SHT_PROGBITS, 0, 1, 0);', 55, "0", "1"):
        "no linker looks at more than the section's name and its flag of executable code",
    ("sdtlink/finalize/write.c", "for (uint32_t i = 1; i < elf->count; i++) {", 18, "1", "0"):
        "section 0 has the name at offset 0, where the notes' name is not",
    ("sdtlink/rewrite/notes.c", "if (length == MAX_NAME_BYTES || length <= suffix || "
     "strcmp(name + length - suffix, SUFFIX) != 0)", 39, "<=", "<"):
        "a symbol that is called `_semaphore` has no name before that to look through",
    ("runtime/patch/patch.c", "site->error = site->of_patch.is_frozen ? -EBUSY : 0;", 50, "0", "1"):
        "of a site that is armed by a jump no error is reported, and disarming it clears that",
    ("runtime/patch/companion.c", "sync_text();", 0, "sync_text();", ";"):
        "another CPU that runs the old bytes for a while does so by chance",
    ("sdtlink/arch/x86_64/operand.c", "char padded[ROOM] = {0};", 21, "0", "1"):
        "the first byte is written over by any name; of an empty one, 1 and zeros are no register",
}
