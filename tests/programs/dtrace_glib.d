/* SPDX-License-Identifier: BSD-2-Clause */
provider glib {
	probe mem__alloc(void*, unsigned int, unsigned int, unsigned int);
	probe mem__free(void*, unsigned int);
	probe quark__new(char *, unsigned int);
	probe main__before_dispatch(const char*, void*);
	probe type__new(char *, unsigned long, unsigned long);
	probe signal__emit(unsigned int, unsigned int, void *, const char *, const char *);
};
