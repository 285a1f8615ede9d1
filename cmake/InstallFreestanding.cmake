# SPDX-License-Identifier: BSD-2-Clause
# The runtime for kernels: as a library, and as the sources of it, which lie as in runtime/. Part of
# Install.cmake.
sdt_install(sdt_freestanding)
install(FILES runtime/freestanding/sdt.lds DESTINATION ${CMAKE_INSTALL_DATADIR}/sdtlink)

set(sources_dir ${CMAKE_INSTALL_DATADIR}/sdtlink/freestanding)
get_property(sources GLOBAL PROPERTY SDT_FREESTANDING_SOURCES)
foreach(source freestanding/sources.txt ${sources})
  get_filename_component(folder ${source} DIRECTORY)
  install(FILES runtime/${source} DESTINATION ${sources_dir}/${folder})
endforeach()
set(others include/sdt-compat|bytecode|control|exchange|none|recorder|ring|start|stock|unwind)
install(DIRECTORY runtime/ DESTINATION ${sources_dir}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" REGEX "/runtime/(${others})$" EXCLUDE)
