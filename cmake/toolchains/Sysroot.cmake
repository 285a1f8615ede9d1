# SPDX-License-Identifier: BSD-2-Clause
# With CMAKE_SYSROOT, a root file system of the machine MACHINE: its C library and no other.
#
# Debian's cross compilers find their own, in /usr/MACHINE, before that of --sysroot. If the two are
# not of one version, headers of both are mixed, and the root's libraries ask for symbols that the
# compiler's C library does not have. For C and assembly, in which all tools are written: in front
# of the C++ library's directories its #include_next would find nothing.
function(sdt_prefer_sysroot MACHINE)
  if(NOT CMAKE_SYSROOT)
    return()
  endif()
  set(headers "${CMAKE_SYSROOT}/usr/include")
  foreach(language C ASM)
    set(CMAKE_${language}_FLAGS_INIT "-isystem ${headers}/${MACHINE} -isystem ${headers}"
        PARENT_SCOPE)
  endforeach()
  foreach(kind EXE SHARED MODULE)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT "-L${CMAKE_SYSROOT}/usr/lib/${MACHINE}" PARENT_SCOPE)
  endforeach()
endfunction()
