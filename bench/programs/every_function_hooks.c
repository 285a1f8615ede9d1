/* SPDX-License-Identifier: BSD-2-Clause */
/* The hooks of -finstrument-functions, which do nothing. In a file of their own: compilers leave
 * out calls of what they see to do nothing. */
void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *function, void *site)
{
    (void)function;
    (void)site;
}

__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *function, void *site)
{
    (void)function;
    (void)site;
}
