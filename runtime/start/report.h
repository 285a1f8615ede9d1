/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What SDT_DEBUG=1 says on the standard error output. Without it, every function here does nothing.
 * None is to be called with the lock held.
 */
#ifndef SDT_REPORT_H
#define SDT_REPORT_H

/* The runtime in charge has tried the entries of SDT_ENABLE: N are in force, ERROR is the first. */
void report_start(const char *entries, int n, int error);
/*
 * What SDT_RECORD asks for cannot be done; DIRECTORY may be NULL. This line is also written without
 * SDT_DEBUG: who set that variable waits for a recording.
 */
void report_no_recorder(const char *directory, int error);
/* The recorder is there. The same for sites that cannot be armed, since a thread blocks SIGTRAP:
 * now, and when objects are registered. */
void report_recording(void);
/* DSO, which an object wants to register, has another format than this library reads. */
struct sdt_dso;
void report_refused(const struct sdt_dso *dso);
/* An object was registered; an object is about to be removed. */
void report_object(void);
void report_last_chance(void);
/* PATTERN was asked for, and matches nothing. */
void report_no_match(const char *pattern);

#endif
