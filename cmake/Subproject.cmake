# SPDX-License-Identifier: BSD-2-Clause
#[[
sdtlink below another project, by FetchContent or add_subdirectory (docs/adopting.md). It gives the
target ``sdtlink::headers`` and the function ``sdt_link()`` of SdtLink.cmake.

``SDT_LIVE``
  OFF, the default: nothing is compiled, and ``sdt_link()`` adds the headers only. The probes of
  ``sdt.h`` are NOPs with notes then.
  ON: sdtlink and libsdt are built as well, as far as targets need them, and ``sdt_link()`` works as
  that of an installed sdtlink (SubprojectLive.cmake).

Nothing of this is installed with the other project, and none of it belongs to its target ``all``.
#]]
option(SDT_LIVE "Build sdtlink and libsdt, and process the probes of sdt_link()'s targets" OFF)
set_property(DIRECTORY PROPERTY EXCLUDE_FROM_ALL ON)

add_library(sdt_headers INTERFACE)
target_include_directories(sdt_headers INTERFACE ${PROJECT_SOURCE_DIR}/runtime/include
                                                 ${SDT_GENERATED_INCLUDE})
add_library(sdtlink::headers ALIAS sdt_headers)

if(NOT SDT_LIVE)
  set(SDTLINK_HEADERS_ONLY TRUE CACHE INTERNAL "SDT_LIVE is off")
  include(SdtLink)
  return()
endif()
set(SDTLINK_HEADERS_ONLY FALSE CACHE INTERNAL "SDT_LIVE is off")
get_property(is_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(is_multi_config)
  message(FATAL_ERROR "SDT_LIVE: the ${CMAKE_GENERATOR} generator puts programs where sdtlink does "
                      "not find its parts; use Ninja or Makefiles, or an installed sdtlink")
endif()

# What the other project wants of its own targets, and ours are not made for: they find each other
# where they are, and are one source a file.
foreach(variable RUNTIME_OUTPUT_DIRECTORY LIBRARY_OUTPUT_DIRECTORY ARCHIVE_OUTPUT_DIRECTORY
                 UNITY_BUILD INTERPROCEDURAL_OPTIMIZATION C_CLANG_TIDY C_CPPCHECK
                 C_INCLUDE_WHAT_YOU_USE C_LINKER_LAUNCHER)
  set(CMAKE_${variable} "") # also where the cache has another value
endforeach()
