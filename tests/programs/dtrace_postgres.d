/* SPDX-License-Identifier: BSD-2-Clause */
/* ----------
 *	A database server: types of the program, as macros; arguments without names.
 *
 *	src/backend/utils/probes.d
 * ----------
 */

/*
 * Typedefs of the server are not to be had here.
 */
#define LocalTransactionId unsigned int
#define LWLockMode int
#define Oid unsigned int
#define ForkNumber int
#define bool unsigned char

provider postgresql {

	probe transaction__start(LocalTransactionId);
	probe transaction__commit(LocalTransactionId);

	probe lwlock__acquire(const char *, LWLockMode);

	probe query__parse__start(const char *);
	probe query__done(const char *);
	probe buffer__read__done(ForkNumber, unsigned int, Oid, Oid, Oid, int, bool, bool);
	probe sort__start(int, bool, int, int, bool, int);
	probe statement__status(const char *);
	probe checkpoint__start(int);
	probe deadlock__found();
};
