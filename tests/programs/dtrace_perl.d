/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An interpreter.
 *
 * These probes are subject to change: as with the core, nothing is promised.
 */

provider perl {
	/*
	 * sub__entry(SUBNAME, FILE, LINE, PACKAGE);
	 */
	probe sub__entry(const char *, const char *, int, const char *);
	probe sub__return(const char *, const char *, int, const char *);

	probe phase__change(const char *, const char *);

	probe op__entry(const char *);

	probe loading__file(const char *);
};

#pragma D attributes Evolving/Evolving/Common provider perl provider
#pragma D attributes Private/Private/Common provider perl module
#pragma D attributes Private/Private/Common provider perl function
#pragma D attributes Evolving/Evolving/Common provider perl name
#pragma D attributes Evolving/Evolving/Common provider perl args
