/* SPDX-License-Identifier: BSD-2-Clause */
/* Copyright notices are C comments, and have 'quotes' and "quotes" in them, don't they? */
/*
  The double underscore marks a dash.
*/

provider mysql {
  probe connection__start(unsigned long conn_id, char *user, char *host);
  probe connection__done(int status, unsigned long conn_id);

  probe query__start(char *query, unsigned long conn_id, char *db_name, char *user, char *host);
  probe query__cache__hit(char *query, unsigned long rows);

  /* The following probes fire only for some engines. */
  probe insert__row__start(char *db, char *table);
  probe read__row__start(char *db, char *table, int scan_flag);
  probe net__write__start(unsigned long bytes);
  probe keycache__read__block(unsigned long bytes);
};

#pragma D attributes Evolving/Evolving/Common provider mysql provider
#pragma D attributes Evolving/Evolving/Common provider mysql args
