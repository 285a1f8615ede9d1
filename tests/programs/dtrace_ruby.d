/* SPDX-License-Identifier: BSD-2-Clause */
/* -*- c -*- */
#include "dtrace_ruby.h"
#define VM_COLLECT_USAGE_DETAILS 0 /* a comment that begins behind a macro
                                      and ends in the next line */

provider ruby {
  /*
     ruby:::method-entry(classname, methodname, filename, lineno);

     This probe is fired just before a method is entered.
  */
  probe method__entry(const char *classname, const char *methodname, const char *filename,
                      int lineno);
  probe cmethod__return(const char *classname, const char *methodname, const char *filename, int lineno);
  /* ruby:::raise(classname, filename, lineno); */
  probe raise(const char *classname, const char *filename, int lineno);
  probe array__create(long length, const char *filename, int lineno);
  probe gc__mark__begin();
  probe gc__mark__end();
#if VM_COLLECT_USAGE_DETAILS
  probe insn(const char *insns_name);
#endif
  WITH_CACHE
};

#pragma D attributes Stable/Evolving/Common provider ruby provider
