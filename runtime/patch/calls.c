/* SPDX-License-Identifier: BSD-2-Clause */
#include "calls.h"

#include "batch.h"

#include <arch/machine.h>

bool calls_is_one(const struct site *site)
{
    return !site->is_bad && !site->is_alias && site->is_companion &&
           !(site->record->flags & SDT_SITE_MOVED) && machine_is_branch(site_pc(site));
}

void calls_disarm(struct object *object)
{
    struct batch batch;
    batch_begin(&batch);
    for (size_t i = 0; i < object->n; i++) {
        struct site *site = &object->sites[i];
        if (!calls_is_one(site))
            continue;
        site_word on = site_on(site->form, (uintptr_t)site_pc(site), (uintptr_t)site_stub(site));
        batch_add(&batch,
                  &(struct text_edit){(uint8_t *)site->patch, on, site_off(site->form), 0, site});
    }
    batch_end(&batch);
}
