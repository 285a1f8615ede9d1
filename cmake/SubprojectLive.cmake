# SPDX-License-Identifier: BSD-2-Clause
# SDT_LIVE below another project: the names that an installed sdtlink gives its parts. That project
# sees no variable of this directory, so they are in the cache, and imported targets are global.
find_package(Threads REQUIRED GLOBAL)
add_library(sdtlink::libsdt_so ALIAS sdt_shared)
add_library(sdtlink::libsdt_a ALIAS sdt)

set(without_tool TRUE)
if(SDT_MACHINE)
  set(without_tool FALSE)
endif()
set(SDTLINK_WITHOUT_TOOL ${without_tool} CACHE INTERNAL "This machine has no probes")
if(TARGET sdtlink)
  set(SDTLINK_EXECUTABLE ${PROJECT_BINARY_DIR}/sdtlink/sdtlink CACHE INTERNAL "The tool")
  add_custom_target(sdt_link_parts DEPENDS sdtlink sdtlink-lto)
elseif(SDT_MACHINE)
  find_program(SDTLINK_EXECUTABLE sdtlink NO_CMAKE_FIND_ROOT_PATH REQUIRED
               DOC "sdtlink of the machine that builds")
endif()
set(sdtlink_scope GLOBAL)
include(SdtLink)
