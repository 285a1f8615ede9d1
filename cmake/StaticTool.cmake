# SPDX-License-Identifier: BSD-2-Clause
#[[
How the tool is linked. Every link by the launcher starts sdtlink twice, and a third of such a start
is the dynamic linker's work: so sdtlink is a static executable (position-independent) wherever the
static libraries are there and nothing is instrumented. It also starts in builds that set
LD_LIBRARY_PATH or LD_PRELOAD to something that suits their own programs.

``SDT_STATIC_TOOL``
  OFF: a dynamic executable, for those who must be able to replace libelf below it, or who watch the
  programs that a build starts from a preloaded library (Bear): from a static one that sees nothing.
  Then sdt has no copy of SQLite and zstd either.

``sdtlink::libelf``
  libelf as the target that links it wants it: static if its property SDT_STATIC is set.
#]]
include(CheckCSourceCompiles)
include(CMakePushCheckState)

if(NOT SDT_SANITIZE AND NOT SDT_COVERAGE AND NOT SDT_FUZZ)
  # What libelf.a needs depends on how it was built: what pkg-config knows, as archives.
  set(archives)
  foreach(name elf ${LIBELF_STATIC_LIBRARIES} z)
    find_library(SDT_ARCHIVE_${name} lib${name}.a)
    mark_as_advanced(SDT_ARCHIVE_${name})
    if(SDT_ARCHIVE_${name})
      list(APPEND archives ${SDT_ARCHIVE_${name}})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES archives)
  cmake_push_check_state(RESET)
  set(CMAKE_REQUIRED_INCLUDES ${LIBELF_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_LIBRARIES ${archives} Threads::Threads)
  set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
  check_c_source_compiles("
    #include <libelf.h>
    int main(void) { return elf_version(EV_CURRENT) == EV_NONE || elf_begin(0, ELF_C_READ, 0); }"
    SDT_CAN_BE_STATIC)
  cmake_pop_check_state()
endif()
option(SDT_STATIC_TOOL "Link sdtlink statically, where that is possible" ON)
if(SDT_STATIC_TOOL AND NOT SDT_CAN_BE_STATIC)
  message(STATUS "no static libelf, libz and libc, or an instrumented build: a dynamic sdtlink")
endif()

add_library(sdtlink::libelf INTERFACE IMPORTED)
set(is_static $<BOOL:$<TARGET_PROPERTY:SDT_STATIC>>)
target_include_directories(sdtlink::libelf INTERFACE ${LIBELF_INCLUDE_DIRS})
target_link_libraries(sdtlink::libelf INTERFACE
  $<IF:${is_static},${archives},$<LINK_ONLY:sdtlink::libelf_shared>>)
target_link_options(sdtlink::libelf INTERFACE $<${is_static}:-static-pie>)
