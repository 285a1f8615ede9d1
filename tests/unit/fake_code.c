/* SPDX-License-Identifier: BSD-2-Clause */
/* See fake_code.h. A site changes by one half of a word. */
#include "fake_code.h"

#include <string.h>

const struct sdt_form *fake_form(unsigned kind)
{
    /* name, length, field, patch, trap, mm, branch_at, on, off, returns, keeps_branch,
     * is_enabled_test */
    static const struct sdt_form forms[] = {
        [SDT_KIND_CALL] = {"call", 4, 0, 0, 0, 0, 0, FAKE_CALL, FAKE_SKIP, false, false, false},
        [SDT_KIND_INLINE] = {"inline", 8, 4, 4, 4, 0, 4, FAKE_JUMP, FAKE_NO_JUMP, false, true,
                             false},
        [SDT_KIND_TAIL] = {"tail", 4, 0, 0, 0, 0, 0, FAKE_JUMP, FAKE_RETURN, true, true, false},
        [SDT_KIND_ENABLED] = {"enabled", 4, 0, 2, 4, 0, 0, 1, 0, false, false, true},
        [SDT_KIND_NOP1] = {"nop1", 4, 4, 0, 0, 0, 0, FAKE_NOP, FAKE_NOP, false, false, false},
    };
    return kind < sizeof forms / sizeof forms[0] && forms[kind].name ? &forms[kind] : NULL;
}

void fake_encode_off(unsigned kind, uint8_t *site)
{
    static const uint8_t question[] = {FAKE_SET, 0, 0, 0};
    const struct sdt_form *form = fake_form(kind);
    if (kind == SDT_KIND_ENABLED)
        memcpy(site, question, sizeof question);
    else
        site[form->patch] = form->off;
}

enum sdt_state fake_state(unsigned kind, const uint8_t *site)
{
    const struct sdt_form *form = fake_form(kind);
    uint16_t half = fake_half(site + form->patch);
    if (form->is_enabled_test ? fake_half(site) != FAKE_SET : half == FAKE_BREAK)
        return form->is_enabled_test ? SDT_STATE_UNKNOWN : SDT_STATE_TRAP;
    if (form->patch && !form->is_enabled_test && fake_half(site) != FAKE_NOP)
        return fake_half(site) == FAKE_BREAK ? SDT_STATE_TRACED : SDT_STATE_UNKNOWN;
    if (half == form->off)
        return SDT_STATE_OFF;
    if (half != form->on)
        return SDT_STATE_UNKNOWN;
    return kind == SDT_KIND_CALL ? SDT_STATE_CALL : SDT_STATE_ON;
}
