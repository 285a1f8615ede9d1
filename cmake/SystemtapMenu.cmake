# SPDX-License-Identifier: BSD-2-Clause
# The menus of <sdt/systemtap.h> and <sdt/systemtap_attach.h>, 4000 lines that a loop could write:
# runtime/systemtap.py does, when the build is configured. They are installed beside the headers
# that include them; in the build they are in SDT_GENERATED_INCLUDE.
find_package(Python3 COMPONENTS Interpreter REQUIRED)
set(SDT_GENERATED_INCLUDE ${PROJECT_BINARY_DIR}/runtime/include)
file(MAKE_DIRECTORY ${SDT_GENERATED_INCLUDE}/sdt)
set(generator ${PROJECT_SOURCE_DIR}/runtime/systemtap.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${generator})
foreach(menu probes handlers)
  set(written ${PROJECT_BINARY_DIR}/systemtap_${menu}.h)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${generator} ${menu}
                  OUTPUT_FILE ${written} COMMAND_ERROR_IS_FATAL ANY)
  file(COPY_FILE ${written} ${SDT_GENERATED_INCLUDE}/sdt/systemtap_${menu}.h ONLY_IF_DIFFERENT)
endforeach()
