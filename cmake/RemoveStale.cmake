# SPDX-License-Identifier: BSD-2-Clause
# An install script, which runs after everything is installed: files that an earlier installation
# for this machine had and this one lacks are removed, and directories that are empty then. A file
# that was changed since stays, and so does one that another machine's list names.
#
# After the installation, and not before: a library's old file goes when its links lead to the new
# one. If the installation does not come to its end, the list still has all lines, for the next one.
#
# Set before, by InstalledList.cmake: prefix, sdt_lists, sdt_machine; files, the lines of this
# installation.
if(NOT "$ENV{DESTDIR}" STREQUAL "" OR IS_ABSOLUTE "${sdt_lists}")
  return()
endif()
cmake_policy(VERSION 3.18...3.25)

function(paths_of result)
  set(paths ${ARGN})
  list(TRANSFORM paths REPLACE "^[^\t]*\t[^\t]*\t" "")
  set(${result} ${paths} PARENT_SCOPE)
endfunction()

# Whether FULL is what a line says: `file` with its SHA256, or `link` with its target.
function(is_as_installed result kind value full)
  set(is_same FALSE)
  if(IS_SYMLINK ${full})
    file(READ_SYMLINK ${full} target)
    if(kind STREQUAL "link" AND target STREQUAL value)
      set(is_same TRUE)
    endif()
  elseif(EXISTS ${full} AND NOT IS_DIRECTORY ${full} AND kind STREQUAL "file")
    file(SHA256 ${full} hash)
    if(hash STREQUAL value)
      set(is_same TRUE)
    endif()
  endif()
  set(${result} ${is_same} PARENT_SCOPE)
endfunction()

function(write_list list)
  set(lines ${ARGN})
  list(REMOVE_DUPLICATES lines)
  list(SORT lines)
  list(JOIN lines "\n" text)
  file(WRITE ${lists}/${list}.new "${text}\n")
  file(RENAME ${lists}/${list}.new ${lists}/${list})
endfunction()

# Whether another machine needs PATH. That one then takes over what the file may hold.
function(is_handed_over result line path)
  set(${result} FALSE PARENT_SCOPE)
  foreach(machine IN LISTS machines)
    file(STRINGS ${lists}/${machine} lines)
    paths_of(paths ${lines})
    if(path IN_LIST paths)
      write_list(${machine} ${lines} "${line}")
      set(${result} TRUE PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

set(lists ${prefix}/${sdt_lists})
paths_of(own ${files})
file(GLOB machines RELATIVE ${lists} ${lists}/*-linux-gnu)
list(REMOVE_ITEM machines ${sdt_machine})

set(kept ${files})
set(removed 0)
file(STRINGS ${lists}/${sdt_machine} known)
foreach(line IN LISTS known)
  if(NOT line MATCHES "^(file|link)\t[^\t]*\t[^/\t][^\t]*$" OR
     line MATCHES "[\t/]\\.\\.(/[^\t]*)?$")
    message(FATAL_ERROR "${lists}/${sdt_machine} is damaged: ${line}")
  endif()
  string(REGEX MATCH "^([^\t]*)\t([^\t]*)\t(.*)$" line "${line}")
  set(kind "${CMAKE_MATCH_1}")
  set(value "${CMAKE_MATCH_2}")
  set(path "${CMAKE_MATCH_3}")
  if(path IN_LIST own)
    continue() # and what it held before is of no interest any more
  endif()
  is_handed_over(is_needed "${line}" "${path}")
  if(is_needed)
    continue()
  endif()
  is_as_installed(is_same "${kind}" "${value}" "${prefix}/${path}")
  if(is_same)
    message(STATUS "Removing: ${prefix}/${path}")
    file(REMOVE "${prefix}/${path}")
    math(EXPR removed "${removed} + 1")
    if(path MATCHES "^(.*)/([^/]*)\\.py$") # and its bytecode
      file(GLOB bytecode "${prefix}/${CMAKE_MATCH_1}/__pycache__/${CMAKE_MATCH_2}.*.pyc")
      file(REMOVE ${bytecode})
      execute_process(COMMAND rmdir "${prefix}/${CMAKE_MATCH_1}/__pycache__" ERROR_QUIET)
    endif()
  else()
    list(APPEND changed "${line}")
  endif()
endforeach()

# Of a path with several lines, one of which was right, nothing is left.
set(named "")
foreach(line IN LISTS changed)
  paths_of(path "${line}")
  if(EXISTS "${prefix}/${path}" OR IS_SYMLINK "${prefix}/${path}")
    list(APPEND kept "${line}")
    if(NOT path IN_LIST named)
      message(STATUS "Left, because it was changed: ${prefix}/${path}")
      list(APPEND named "${path}")
    endif()
  endif()
endforeach()

write_list(${sdt_machine} ${kept})

if(removed GREATER 0)
  file(STRINGS ${lists}/directories directories)
  list(SORT directories ORDER DESCENDING) # the innermost first
  set(kept "")
  foreach(directory IN LISTS directories)
    set(status 1)
    if(NOT directory MATCHES "^(/|\\.$)")
      execute_process(COMMAND rmdir "${prefix}/${directory}" RESULT_VARIABLE status ERROR_QUIET)
    endif()
    if(NOT status EQUAL 0)
      list(APPEND kept "${directory}")
    endif()
  endforeach()
  write_list(directories ${kept})
endif()
