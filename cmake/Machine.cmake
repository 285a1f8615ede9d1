# SPDX-License-Identifier: BSD-2-Clause
# SDT_MACHINE: the machine that this build is for, as runtime/arch/ calls it; empty: it cannot have
# probes. The compiler knows, whatever CMAKE_SYSTEM_PROCESSOR and flags such as -m32 say;
# <sdt/probe.h> asks it the same.
include(CheckCSourceCompiles)
check_c_source_compiles("
  #if !defined(__x86_64__) || !defined(__LP64__)
  #error
  #endif
  int main(void) { return 0; }"
  SDT_IS_X86_64)
check_c_source_compiles("
  #if !defined(__AARCH64EL__) || !defined(__LP64__)
  #error
  #endif
  int main(void) { return 0; }"
  SDT_IS_AARCH64)
check_c_source_compiles("
  #if !defined(__riscv) || !defined(__LP64__) || !defined(__riscv_compressed)
  #error
  #endif
  #if !defined(__riscv_atomic) || !defined(__riscv_float_abi_double)
  #error
  #endif
  int main(void) { return 0; }"
  SDT_IS_RISCV64)
check_c_source_compiles("
  #if !defined(__i386__) || !defined(__ELF__) || !defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_8)
  #error
  #endif
  int main(void) { return 0; }"
  SDT_IS_I386)
if(SDT_IS_X86_64)
  set(SDT_MACHINE x86_64)
elseif(SDT_IS_AARCH64)
  set(SDT_MACHINE aarch64)
elseif(SDT_IS_RISCV64)
  set(SDT_MACHINE riscv64)
elseif(SDT_IS_I386)
  set(SDT_MACHINE i386)
else()
  set(SDT_MACHINE "")
  message(STATUS "No probes on this machine (x86-64, aarch64 and riscv64 have them): headers and a "
                 "runtime that answers -ENOTSUP, without the tools")
endif()
