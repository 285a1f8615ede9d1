# SPDX-License-Identifier: BSD-2-Clause
#[[
libdw of elfutils, which reads debug information for `sdtlink list` and `sdt`: enumerators, and the
source lines of probes of <sys/sdt.h>. Without it they build all the same, and show none of these.

Sets ``SDT_HAS_LIBDW``; then the target ``sdtlink::libdw``. In a cross build it is found as libelf
is (Libelf.cmake).
#]]
include(CheckCSourceCompiles)
include(CMakePushCheckState)

set(SDT_HAS_LIBDW FALSE)
add_library(sdtlink::libdw INTERFACE IMPORTED)
if(NOT CMAKE_CROSSCOMPILING)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(LIBDW QUIET IMPORTED_TARGET libdw>=0.173 libelf)
  endif()
  if(LIBDW_FOUND)
    target_link_libraries(sdtlink::libdw INTERFACE PkgConfig::LIBDW)
    set(SDT_HAS_LIBDW TRUE)
  endif()
else()
  find_path(SDT_LIBDW_INCLUDE elfutils/libdw.h)
  find_library(SDT_LIBDW libdw.so)
  find_library(SDT_LIBELF libelf.so)
  mark_as_advanced(SDT_LIBDW_INCLUDE SDT_LIBDW SDT_LIBELF)
  if(SDT_LIBDW_INCLUDE AND SDT_LIBDW AND SDT_LIBELF)
    target_include_directories(sdtlink::libdw INTERFACE ${SDT_LIBDW_INCLUDE})
    target_link_libraries(sdtlink::libdw INTERFACE ${SDT_LIBDW} ${SDT_LIBELF})
    # What the libraries need themselves may be missing.
    cmake_push_check_state(RESET)
    set(CMAKE_REQUIRED_LIBRARIES sdtlink::libdw)
    check_c_source_compiles("
      #include <elfutils/libdw.h>
      int main(void) { return dwarf_begin(0, DWARF_C_READ) != 0; }" SDT_LIBDW_LINKS)
    cmake_pop_check_state()
    set(SDT_HAS_LIBDW ${SDT_LIBDW_LINKS})
  endif()
endif()
if(NOT SDT_HAS_LIBDW)
  message(STATUS "no libdw: no names and lines from debug information (Debian: libdw-dev)")
endif()
