# SPDX-License-Identifier: BSD-2-Clause
# SDT_IS_SUPPORTED: whether the machine that this build is for can have probes. The compiler knows,
# whatever CMAKE_SYSTEM_PROCESSOR and flags such as -m32 say; <sdt/probe.h> asks it the same.
include(CheckCSourceCompiles)
check_c_source_compiles("
  #if !defined(__x86_64__) || !defined(__LP64__)
  #error
  #endif
  int main(void) { return 0; }"
  SDT_IS_SUPPORTED)
if(NOT SDT_IS_SUPPORTED)
  message(STATUS "No probes on this machine (only x86-64 has them): headers and a runtime that "
                 "answers -ENOTSUP, without the tools")
endif()
