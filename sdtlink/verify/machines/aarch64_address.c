/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Addresses that take two instructions, and words that an indirect branch goes through.
 *
 * Only instructions that stand side by side are understood, as the tool and linkers write them: a
 * register that was set earlier may have been set differently on another path.
 */
#include "aarch64.h"

#include "../disasm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_REGISTER = 99 };

/* The register at *TEXT, `x10`, and *TEXT moved after it and the comma. */
static unsigned take_register(const char **text)
{
    char *end;
    if (**text != 'x' || (*text)[1] < '0' || (*text)[1] > '9')
        return NO_REGISTER;
    unsigned long number = strtoul(*text + 1, &end, 10);
    *text = end + strspn(end, ", ");
    return number <= 30 ? (unsigned)number : NO_REGISTER;
}

/* `MNEMONIC x10, …`: the register, and the rest of the text. */
static unsigned destination(const struct insn *insn, const char *mnemonic, const char **rest)
{
    *rest = "";
    if (!insn_is(insn, mnemonic) || !insn->text[strlen(mnemonic)])
        return NO_REGISTER;
    *rest = insn->text + strlen(mnemonic) + 1;
    return take_register(rest);
}

/* `#16` at the end of the text. */
static bool take_last(const char *text, uint64_t *value)
{
    char *end;
    if (*text != '#')
        return false;
    *value = strtoull(text + 1, &end, 0);
    return *end == 0;
}

/* INSN is `add xN, xN, #…`, or `ldr xN, [xM, #…]`: the offset. */
static bool adds(const struct insn *insn, unsigned number, uint64_t *low)
{
    const char *rest;
    return destination(insn, "add", &rest) == number && take_register(&rest) == number &&
           take_last(rest, low);
}

static bool loads(const struct insn *insn, unsigned base, unsigned *number, uint64_t *low)
{
    const char *rest;
    char *end;
    *number = destination(insn, "ldr", &rest);
    if (*number == NO_REGISTER || *rest++ != '[' || take_register(&rest) != base)
        return false;
    *low = 0;
    if (*rest == '#') {
        *low = strtoull(rest + 1, &end, 0);
        rest = end;
    }
    return strcmp(rest, "]") == 0;
}

bool aarch64_reach(const struct image *image, struct place place, uint64_t *target)
{
    struct insn first, second;
    const char *rest;
    uint64_t low;
    unsigned loaded;
    if (!disasm_at(image, place, &first) || first.length == 0)
        return false;
    bool is_page = insn_is(&first, "adrp"), is_nop = strcmp(first.text, "nop") == 0;
    *target = first.target;
    if (!is_page && !is_nop)
        return first.has_target && strncmp(first.text, "ldr", 3) != 0;
    place.offset += first.length;
    if (!disasm_at(image, place, &second) || second.length == 0)
        return false;
    if (is_nop) { /* what linkers have made of a pair */
        *target = second.target;
        return second.has_target && insn_is(&second, "adr");
    }
    unsigned number = destination(&first, "adrp", &rest);
    if (!adds(&second, number, &low) && !loads(&second, number, &loaded, &low))
        return false;
    *target = first.target + low;
    return first.has_target && number != NO_REGISTER;
}

static bool may_stand_between(const struct insn *insn, unsigned base)
{
    uint64_t low;
    return strcmp(insn->text, "nop") == 0 || strcmp(insn->text, "autia1716") == 0 ||
           adds(insn, base, &low);
}

/*
 * `adrp x16, …; ldr x17, [x16, …]; add x16, x16, …; br x17`, as PLTs have it, with `nop` or
 * `autia1716` before the branch; or `adrp x0, …; ldr x0, [x0, …]; blr x0`.
 */
bool aarch64_word_of(const struct image *image, struct place place, const struct insn *insn,
                     uint64_t *address)
{
    struct insn load, page;
    const char *rest;
    unsigned number = destination(insn, "br", &rest), loaded;
    uint64_t low;
    if (number == NO_REGISTER)
        number = destination(insn, "blr", &rest);
    for (unsigned back = 0; back < 4 && number != NO_REGISTER && place.offset >= 8; back++) {
        struct place before = {place.section, place.offset - 8};
        place.offset -= 4;
        if (!disasm_at(image, place, &load) || !disasm_at(image, before, &page))
            return false;
        unsigned base = destination(&page, "adrp", &rest);
        if (base != NO_REGISTER && loads(&load, base, &loaded, &low) && loaded == number) {
            *address = page.target + low;
            return page.has_target;
        }
        if (!may_stand_between(&load, 16))
            return false;
    }
    return false;
}
