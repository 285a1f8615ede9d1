# SPDX-License-Identifier: BSD-2-Clause
#[[
Whether the tools are built, and libelf, which sdtlink reads objects with.

``SDT_BUILD_TOOLS``
  sdtlink, sdt-dtrace and, with LLVM, sdtlink-verify. On by default; in a cross build only where
  libelf of the machine that will run them is found, below CMAKE_SYSROOT or CMAKE_FIND_ROOT_PATH.
  A pkg-config of the machine that builds would find that machine's libelf, so it is not asked.

Sets ``SDT_HAS_TOOLS``; then ``LIBELF_INCLUDE_DIRS``, ``LIBELF_STATIC_LIBRARIES`` (what libelf.a
may need, in this order) and the target ``sdtlink::libelf_shared``.
#]]
set(default ON)
if(CMAKE_CROSSCOMPILING)
  find_path(SDT_LIBELF_INCLUDE libelf.h)
  find_library(SDT_LIBELF libelf.so)
  mark_as_advanced(SDT_LIBELF_INCLUDE SDT_LIBELF)
  if(NOT SDT_LIBELF_INCLUDE OR NOT SDT_LIBELF)
    set(default OFF)
  endif()
endif()
if(SDT_IS_I386) # they calculate with 128 bits
  set(default OFF)
endif()
option(SDT_BUILD_TOOLS "Build sdtlink and sdt-dtrace; needs libelf" ${default})

set(SDT_HAS_TOOLS FALSE)
if(NOT SDT_MACHINE OR NOT SDT_BUILD_TOOLS)
  if(SDT_MACHINE)
    message(STATUS "headers, runtime and sdt, without the other tools (SDT_BUILD_TOOLS)")
  endif()
  return()
endif()
set(SDT_HAS_TOOLS TRUE)
add_library(sdtlink::libelf_shared INTERFACE IMPORTED)
if(NOT CMAKE_CROSSCOMPILING)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(LIBELF REQUIRED IMPORTED_TARGET libelf)
  target_link_libraries(sdtlink::libelf_shared INTERFACE PkgConfig::LIBELF)
elseif(SDT_LIBELF_INCLUDE AND SDT_LIBELF)
  set(LIBELF_INCLUDE_DIRS ${SDT_LIBELF_INCLUDE})
  set(LIBELF_STATIC_LIBRARIES elf z zstd)
  target_link_libraries(sdtlink::libelf_shared INTERFACE ${SDT_LIBELF})
else()
  message(FATAL_ERROR "SDT_BUILD_TOOLS: no libelf for ${CMAKE_SYSTEM_PROCESSOR}; unpack its libelf "
                      "and zlib into a directory, and name that by -DCMAKE_SYSROOT=DIR")
endif()
