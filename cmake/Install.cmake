# SPDX-License-Identifier: BSD-2-Clause
# What `cmake --install` copies where. All rules stand here, so that the layout can be seen at once:
#
#   bin/sdtlink                      the tool
#   bin/sdtlink-gcc …                links to it: a compiler in one word (docs/one-word.md)
#   bin/sdt                          report and export of recordings
#   bin/sdt-dtrace                   dtrace -h and -G; with SDT_INSTALL_DTRACE, bin/dtrace is a link
#   libexec/sdtlink/sdtlink-list     what `sdtlink list` runs
#   libexec/sdtlink/sdtlink-verify   what `sdtlink verify` runs; needs LLVM
#   libexec/sdtlink/sdtlink-lto.so   what the launcher puts in front of the compiler's linker plugin
#   libexec/sdtlink/launch/ld*       links to bin/sdtlink, found by compiler drivers as their linker
#   lib/libsdt.a lib/libsdt.so*      the runtime
#   lib/sdtlink/libsdt-trace.so      examples/preload, to be preloaded
#   lib/cmake/sdtlink/               find_package(sdtlink)
#   lib/pkgconfig/sdtlink.pc         pkg-config sdtlink
#   include/sdt/ include/sdt-compat/ headers
#   share/bash-completion/completions/ share/zsh/site-functions/ share/fish/vendor_completions.d/
#                                    completion of sdt and sdtlink
#   share/man/ share/doc/sdtlink/    manual pages; README, other pages, examples, licence, and the
#                                    crate for Rust, to be copied
#   lib/libsdt-freestanding.a        the runtime for kernels (docs/kernel.md); its sources are in
#   share/sdtlink/freestanding/
#   share/sdtlink/sdt.lds            for linker scripts of kernels
#   share/sdtlink/installed/         lists of all this, for cmake/uninstall.sh
#
# Without the tools (cmake/Libelf.cmake) only libraries, headers, pages and what finds them; and
# sdt, if there can be probes. In a prefix that several machines share, bin/ is for the tools of the
# one that builds: sdt is in LIBDIR/sdtlink then.
#
# The tree may be moved as a whole: everything finds its parts relative to itself.
# The target `installed` builds what is installed, and neither tests nor other examples.
include(CMakePackageConfigHelpers)

set(machine_here ${SDT_MACHINE})
if(NOT SDT_MACHINE)
  set(machine_here ${CMAKE_SYSTEM_PROCESSOR})
endif()
install(CODE "
  set(sdt_build \"${PROJECT_BINARY_DIR}\")
  set(sdt_machine \"${machine_here}-linux-gnu\")
  set(sdt_lists \"${CMAKE_INSTALL_DATADIR}/sdtlink/installed\")")
install(SCRIPT cmake/InstalledList.cmake)

add_custom_target(installed)
function(sdt_install target)
  install(TARGETS ${target} ${ARGN})
  add_dependencies(installed ${target})
endfunction()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sdtlink)
set(private_dir libexec/sdtlink) # where bin/sdtlink looks, relative to itself

add_library(sdt_headers INTERFACE)
target_include_directories(sdt_headers INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(sdt_headers PROPERTIES EXPORT_NAME headers)
set_target_properties(sdt_shared PROPERTIES EXPORT_NAME libsdt_so)
set_target_properties(sdt PROPERTIES EXPORT_NAME libsdt_a)

set(SDTLINK_WITHOUT_TOOL FALSE)
set(SDTLINK_TOOL_OF_HOST FALSE)
if(SDT_HAS_TOOLS)
  include(InstallTools)
elseif(SDT_MACHINE)
  set(SDTLINK_TOOL_OF_HOST TRUE)
  if(CMAKE_INSTALL_LIBDIR MATCHES "/")
    # For the tool that is in this prefix, or will be: the cross compilers in one word.
    get_filename_component(target ${CMAKE_INSTALL_LIBDIR} NAME)
    foreach(name gcc g++)
      set(link ${PROJECT_BINARY_DIR}/one-word/sdtlink-${target}-${name})
      file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/one-word)
      file(CREATE_LINK sdtlink ${link} SYMBOLIC)
      install(FILES ${link} TYPE BIN)
    endforeach()
  endif()
  if(TARGET sdt_tool AND CMAKE_INSTALL_LIBDIR MATCHES "/")
    sdt_install(sdt_tool DESTINATION ${CMAKE_INSTALL_LIBDIR}/sdtlink)
  elseif(TARGET sdt_tool)
    sdt_install(sdt_tool)
  endif()
else()
  set(SDTLINK_WITHOUT_TOOL TRUE)
endif()
foreach(library sdt_shared sdt sdt_headers)
  sdt_install(${library} EXPORT sdtlink)
endforeach()
install(DIRECTORY runtime/include/ ${SDT_GENERATED_INCLUDE}/ TYPE INCLUDE
        FILES_MATCHING PATTERN "*.h")

configure_package_config_file(cmake/sdtlinkConfig.cmake.in sdtlinkConfig.cmake
                              INSTALL_DESTINATION ${package_dir}
                              PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(sdtlinkConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT sdtlink NAMESPACE sdtlink:: FILE sdtlinkTargets.cmake DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/sdtlinkConfig.cmake
              ${PROJECT_BINARY_DIR}/sdtlinkConfigVersion.cmake cmake/SdtLink.cmake
        DESTINATION ${package_dir})

if(SDT_MACHINE AND NOT SDT_IS_I386)
  include(InstallFreestanding)
endif()

# A .pc file is relocatable when it starts from its own directory.
file(RELATIVE_PATH pc_prefix /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x)
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
configure_file(cmake/sdtlink.pc.in sdtlink.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sdtlink.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

file(GLOB pages_1 CONFIGURE_DEPENDS docs/man/*.1)
file(GLOB pages_3 CONFIGURE_DEPENDS docs/man/*.3)
install(FILES ${pages_1} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
file(GLOB pages_5 CONFIGURE_DEPENDS docs/man/*.5)
install(FILES ${pages_3} DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
install(FILES ${pages_5} DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
# The README links to the pages, and they to the examples, by the places in the source tree.
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md TYPE DOC)
install(DIRECTORY docs examples TYPE DOC)
install(DIRECTORY rust TYPE DOC PATTERN target EXCLUDE PATTERN Cargo.lock EXCLUDE)
install(SCRIPT cmake/RemoveStale.cmake)
