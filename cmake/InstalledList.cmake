# SPDX-License-Identifier: BSD-2-Clause
# An install script, which runs before anything is installed: writes down below the prefix what will
# be, for cmake/uninstall.sh. In share/sdtlink/installed there are
#
#     MACHINE        of each machine whose libraries or tools were installed, a line a file, with
#                    tabs between: `file SHA256 PATH`, or `link TARGET PATH`
#     directories    those that were not there before: `.` is the prefix, and what is above it has
#                    its whole name
#
# What earlier installations wrote is kept until this one has come to its end (RemoveStale.cmake).
#
# Which files that are, only the install scripts know. So they run twice, at first into a directory
# of the build, and the lists are complete even if the second run does not come to its end. An
# installation into DESTDIR has no lists: there a package manager writes its own.
#
# Set before: sdt_build, sdt_machine, sdt_lists (relative to the prefix).
if(NOT "$ENV{DESTDIR}" STREQUAL "" OR IS_ABSOLUTE "${sdt_lists}")
  return()
endif()

get_filename_component(prefix "${CMAKE_INSTALL_PREFIX}" ABSOLUTE)
# One name a prefix: tests install into several at the same time.
string(SHA256 name "${prefix}")
string(SUBSTRING ${name} 0 16 name)
set(stage ${sdt_build}/install-${name})
file(REMOVE_RECURSE ${stage})
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env DESTDIR=${stage} ${CMAKE_COMMAND}
          -DCMAKE_INSTALL_PREFIX=${prefix}
          -DCMAKE_INSTALL_CONFIG_NAME=${CMAKE_INSTALL_CONFIG_NAME}
          -DCMAKE_INSTALL_DO_STRIP=${CMAKE_INSTALL_DO_STRIP}
          -P ${sdt_build}/cmake_install.cmake
  OUTPUT_QUIET RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "cannot install below ${stage}: ${failed}")
endif()
set(root ${stage}${prefix})
file(MAKE_DIRECTORY ${root}/${sdt_lists})
file(GLOB_RECURSE paths LIST_DIRECTORIES true RELATIVE ${root} ${root}/*)

set(tab "\t")
set(files "")
set(directories "")
foreach(path IN LISTS paths)
  if(IS_SYMLINK ${root}/${path})
    file(READ_SYMLINK ${root}/${path} target)
    list(APPEND files "link${tab}${target}${tab}${path}")
  elseif(IS_DIRECTORY ${root}/${path})
    if(NOT IS_DIRECTORY ${prefix}/${path})
      list(APPEND directories "${path}")
    endif()
  else()
    file(SHA256 ${root}/${path} hash)
    list(APPEND files "file${tab}${hash}${tab}${path}")
  endif()
endforeach()
file(REMOVE_RECURSE ${stage})

if(NOT IS_DIRECTORY ${prefix})
  list(APPEND directories .)
endif()
get_filename_component(above ${prefix} DIRECTORY)
while(NOT IS_DIRECTORY ${above})
  list(APPEND directories ${above})
  get_filename_component(above ${above} DIRECTORY)
endwhile()

# Add LINES to a list; whoever reads it sees the old one or the new one.
function(add_to list lines)
  set(file ${prefix}/${sdt_lists}/${list})
  if(EXISTS ${file})
    file(STRINGS ${file} known)
    list(APPEND lines ${known})
  endif()
  list(REMOVE_DUPLICATES lines)
  list(SORT lines)
  list(JOIN lines "\n" text)
  file(WRITE ${file}.new "${text}\n")
  file(RENAME ${file}.new ${file})
endfunction()
add_to(directories "${directories}")
add_to(${sdt_machine} "${files}")
