# SPDX-License-Identifier: BSD-2-Clause
#[[
libsqlite3, which `sdt export --sqlite` writes with. Without it the option says so.

The archive is linked where there is one, unless ``SDT_STATIC_TOOL`` is off: loading the library
would take more than all else of the start of every command, and `sdt` is copied to where it is not
installed.

Sets ``SDT_HAS_SQLITE``; then the target ``sdtlink::sqlite``. Not in a cross build, where pkg-config
would find the library of the machine that builds.
#]]
include(CheckCSourceCompiles)
include(CMakePushCheckState)

set(SDT_HAS_SQLITE FALSE)
if(NOT CMAKE_CROSSCOMPILING)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(SQLITE QUIET IMPORTED_TARGET sqlite3>=3.12)
  endif()
  if(SQLITE_FOUND)
    set(SDT_HAS_SQLITE TRUE)
    add_library(sdtlink::sqlite INTERFACE IMPORTED)
    find_library(SDT_SQLITE_ARCHIVE libsqlite3.a HINTS ${SQLITE_STATIC_LIBRARY_DIRS})
    mark_as_advanced(SDT_SQLITE_ARCHIVE)
    if(SDT_SQLITE_ARCHIVE AND NOT no_archives)
      # What the archive needs itself may be missing.
      set(archive ${SDT_SQLITE_ARCHIVE} ${SQLITE_STATIC_LIBRARIES})
      list(REMOVE_ITEM archive sqlite3)
      cmake_push_check_state(RESET)
      set(CMAKE_REQUIRED_INCLUDES ${SQLITE_INCLUDE_DIRS})
      set(CMAKE_REQUIRED_LIBRARIES ${archive})
      check_c_source_compiles("
        #include <sqlite3.h>
        int main(void) { return sqlite3_initialize(); }" SDT_SQLITE_ARCHIVE_LINKS)
      cmake_pop_check_state()
    endif()
    if(SDT_SQLITE_ARCHIVE_LINKS AND NOT no_archives)
      target_include_directories(sdtlink::sqlite INTERFACE ${SQLITE_INCLUDE_DIRS})
      target_link_libraries(sdtlink::sqlite INTERFACE ${archive})
    else()
      target_link_libraries(sdtlink::sqlite INTERFACE PkgConfig::SQLITE)
    endif()
  endif()
endif()
if(NOT SDT_HAS_SQLITE)
  message(STATUS "no libsqlite3: without 'sdt export --sqlite' (Debian: libsqlite3-dev)")
endif()
