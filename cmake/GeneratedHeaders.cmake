# SPDX-License-Identifier: BSD-2-Clause
# Headers that are written when the build is configured. They are installed beside the others; in
# the build they are in SDT_GENERATED_INCLUDE.
find_package(Python3 COMPONENTS Interpreter REQUIRED)
set(SDT_GENERATED_INCLUDE ${PROJECT_BINARY_DIR}/runtime/include)
file(MAKE_DIRECTORY ${SDT_GENERATED_INCLUDE}/sdt)

# HEADER, what runtime/SCRIPT prints.
function(sdt_write_header header script)
  set(written ${PROJECT_BINARY_DIR}/written.h)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/runtime/${script} ${ARGN}
                  OUTPUT_FILE ${written} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "runtime/${script} failed: ${failed}")
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -E copy_if_different ${written}
                          ${SDT_GENERATED_INCLUDE}/${header})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
               ${PROJECT_SOURCE_DIR}/runtime/${script})
endfunction()

# The menus of <sdt/systemtap.h> and <sdt/systemtap_attach.h>: 4000 lines that a loop could write.
sdt_write_header(sdt/systemtap_probes.h systemtap.py probes)
sdt_write_header(sdt/systemtap_handlers.h systemtap.py handlers)

# <sdt/probe.h> and its parts in one file.
sdt_write_header(sdt.h standalone.py ${PROJECT_VERSION})
file(GLOB sdt_parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/runtime/include/sdt/*.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${PROJECT_SOURCE_DIR}/runtime/sdt.h.in ${sdt_parts})
