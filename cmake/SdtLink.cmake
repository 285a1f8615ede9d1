# SPDX-License-Identifier: BSD-2-Clause
#[=======================================================================[.rst:
SdtLink
-------

Static probes in CMake targets. Part of the package ``sdtlink``::

  find_package(sdtlink REQUIRED)

and of its sources below another project, by ``FetchContent`` or ``add_subdirectory()``; there
``SDT_LIVE`` says whether sdtlink and the runtime are built (Subproject.cmake).

Imported targets
^^^^^^^^^^^^^^^^

``sdtlink::headers``
  The directory of ``<sdt/probe.h>``: enough to compile sources that hold probes.
``sdtlink::runtime``
  ``libsdt.so``. It stays in the program even under ``--as-needed``.
``sdtlink::runtime_static``
  ``libsdt.a``, pulled into the program even if nothing in it calls the runtime.

Variables
^^^^^^^^^

``SDTLINK_EXECUTABLE``
  The tool. In a package for aarch64, that of the machine that builds: found in ``PATH``, or set.
``SDTLINK_WITHOUT_TOOL``
  True in a package for a machine that is not supported: there is no tool, since there are no probes
  to process. ``sdt_link()`` then adds the headers and a runtime that answers ``-ENOTSUP``.
``SDTLINK_HEADERS_ONLY``
  True below another project without ``SDT_LIVE``. ``sdt_link()`` then adds the headers only:
  the probes of ``sdt.h`` are NOPs with notes.

Functions
^^^^^^^^^

.. command:: sdt_link

  Process the probes of a target with sdtlink, and give it a runtime::

    sdt_link(<target> [RUNTIME shared|static|none])

  ``<target>`` is an executable or a shared, module, static or object library of this project, for
  Ninja or Makefiles.

  Executables, shared and module libraries are processed when they are linked
  (``<LANG>_LINKER_LAUNCHER``), with everything that the link takes in: their own objects, those of
  assembler sources, archives, link-time optimisation. Only then is it known which functions
  ``--gc-sections`` removes.

  Static and object libraries are processed when they are compiled
  (``<LANG>_COMPILER_LAUNCHER``), so that whoever links them need not know of sdtlink. Compiled for
  link-time optimisation (``INTERPROCEDURAL_OPTIMIZATION``) an object holds no machine code yet: the
  program that is linked from it needs ``sdt_link()``. So do assembler sources, which have no
  compiler launcher. A static library that is only linked into targets with ``sdt_link()`` needs
  none itself.

  What was not processed cannot be linked: the linker names its undefined ``__dtrace_sdt_...``
  symbols. Launchers that were set before, such as ccache, stay and are started by sdtlink.

  ``RUNTIME`` says which runtime the target is linked with:

  ``shared``
    ``sdtlink::runtime``. The default for shared and module libraries, which never carry a runtime
    of their own: a process needs one for all. Also the default for an executable that links, at
    whatever distance, a library that has it. Say it for an executable that loads such libraries by
    ``dlopen()``.
  ``static``
    ``sdtlink::runtime_static``. The default for all other executables.
  ``none``
    Nothing: the probes of the target do nothing unless something else in the process brings the
    runtime. The default for static and object libraries, which leave it to the executable.

  Example::

    find_package(sdtlink REQUIRED)
    add_library(store SHARED store.c)
    add_executable(server server.c)
    target_link_libraries(server PRIVATE store)
    sdt_link(store)
    sdt_link(server)        # libsdt.so, because store has it
#]=======================================================================]
cmake_policy(PUSH)
cmake_policy(VERSION 3.18...3.25)

# sdtlink_scope: GLOBAL below another project, which has to see them in all of its directories.
if(NOT TARGET sdtlink::runtime AND NOT SDTLINK_HEADERS_ONLY)
  # A processed object refers to the runtime weakly, and a linker under --as-needed drops a library
  # that only weak references need. So it is on the line twice: as CMake names it, and in this.
  add_library(sdtlink::runtime INTERFACE IMPORTED ${sdtlink_scope})
  target_link_libraries(sdtlink::runtime INTERFACE sdtlink::headers sdtlink::libsdt_so)
  target_link_options(sdtlink::runtime INTERFACE
    "LINKER:--push-state,--no-as-needed,$<TARGET_FILE:sdtlink::libsdt_so>,--pop-state")

  # Neither does a weak reference pull a member out of an archive: -u does.
  add_library(sdtlink::runtime_static INTERFACE IMPORTED ${sdtlink_scope})
  target_link_libraries(sdtlink::runtime_static INTERFACE
    sdtlink::headers sdtlink::libsdt_a Threads::Threads)
  target_link_options(sdtlink::runtime_static INTERFACE "LINKER:-u,__sdt_register")
endif()

function(sdt_link target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "RUNTIME" "")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "sdt_link: ${target} is not a target")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sdt_link(${target}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  get_target_property(type ${target} TYPE)
  get_target_property(imported ${target} IMPORTED)
  if(imported OR NOT type MATCHES "^(EXECUTABLE|(SHARED|MODULE|STATIC|OBJECT)_LIBRARY)$")
    message(FATAL_ERROR "sdt_link(${target}): not compiled by this project (${type})")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "sdt_link: the ${CMAKE_GENERATOR} generator has no launchers; "
                        "use Ninja or Makefiles")
  endif()

  # A static library that is exported does not name them.
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:sdtlink::headers>)
  if(SDTLINK_HEADERS_ONLY)
    return()
  elseif(SDTLINK_WITHOUT_TOOL)
    # No launcher: the compiler makes no probes.
  elseif(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    sdt_link_launcher(${target} COMPILER --at-compile)
  else()
    # The runtime is a library of the target, with CMake's rules for rpaths and installation.
    sdt_link_launcher(${target} LINKER --runtime=none)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${SDTLINK_EXECUTABLE}")
  endif()

  sdt_link_runtime(${target} ${type} "${arg_RUNTIME}")
endfunction()

# Internal: put sdtlink in front of the launcher that was there, such as ccache: what a cache keeps
# are the compiler's own objects.
function(sdt_link_launcher target kind option)
  get_target_property(is_done ${target} SDT_LINK)
  if(is_done)
    message(FATAL_ERROR "sdt_link(${target}): called twice")
  endif()
  set_target_properties(${target} PROPERTIES SDT_LINK TRUE)
  if(TARGET sdt_link_parts)
    add_dependencies(${target} sdt_link_parts)
  endif()
  foreach(language C CXX ASM)
    get_target_property(launcher ${target} ${language}_${kind}_LAUNCHER)
    if(NOT launcher)
      set(launcher "")
    endif()
    list(PREPEND launcher "${SDTLINK_EXECUTABLE}" ${option})
    set_target_properties(${target} PROPERTIES ${language}_${kind}_LAUNCHER "${launcher}")
  endforeach()
endfunction()

# Internal: the RUNTIME argument or its default.
function(sdt_link_runtime target type runtime)
  if(runtime STREQUAL "" AND type STREQUAL "EXECUTABLE")
    # What the executable loads is known when the last target of the project is.
    cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]]
                                             CALL sdt_link_executable [[${target}]])")
    return()
  elseif(runtime STREQUAL "")
    if(type MATCHES "SHARED|MODULE")
      set(runtime shared)
    else()
      set(runtime none)
    endif()
  endif()

  if(runtime STREQUAL "shared")
    target_link_libraries(${target} PRIVATE sdtlink::runtime)
  elseif(runtime STREQUAL "static")
    target_link_libraries(${target} PRIVATE sdtlink::runtime_static)
  elseif(NOT runtime STREQUAL "none")
    message(FATAL_ERROR "sdt_link(${target}): RUNTIME is shared, static or none, not '${runtime}'")
  endif()
endfunction()

# Internal: the runtime of an executable that named none. Called at the end of the top directory,
# where its own directory's imported targets are not visible; a name put into the property directly
# is looked up where the executable is defined.
function(sdt_link_executable target)
  set(runtime sdtlink::runtime_static)
  set(queue ${target})
  set(seen "")
  while(queue)
    list(POP_FRONT queue item)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" item "${item}")
    if(item STREQUAL "sdtlink::runtime")
      set(runtime sdtlink::runtime)
      break()
    endif()
    if(NOT TARGET "${item}" OR item IN_LIST seen)
      continue()
    endif()
    list(APPEND seen "${item}")
    foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
      get_target_property(links ${item} ${property})
      if(links)
        list(APPEND queue ${links})
      endif()
    endforeach()
  endwhile()
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES ${runtime})
endfunction()

cmake_policy(POP)
