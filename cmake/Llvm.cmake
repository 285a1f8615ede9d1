# SPDX-License-Identifier: BSD-2-Clause
#[[
LLVM's C API, which reads objects for `sdtlink verify`. Without it everything else is built, and
`sdtlink verify` says what to install.

Sets ``SDT_HAS_LLVM``; then the target ``sdtlink::llvm``. In a cross build, llvm-config of the other
machine cannot run, and that of this one must not answer: it takes the highest version whose library
and headers are where Debian's packages put them.

``SDT_STATIC_LLVM``
  From LLVM's archives, where they and all that they need are installed: 15 MB more in the file, but
  a third of the time of a start, in which the dynamic linker relocates 2000 pages of libLLVM. OFF:
  the shared library, as distributions want it.
#]]
include(CheckCSourceCompiles)
include(CMakePushCheckState)

# Set LIBRARIES to the words that link PARTS of LLVM, in the way that the other arguments say.
function(sdt_llvm_libraries libraries)
  execute_process(COMMAND ${SDT_LLVM_CONFIG} --ldflags --libs ${ARGN}
                  OUTPUT_VARIABLE words OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                  RESULT_VARIABLE status)
  string(REPLACE "\n" " " words "${words}")
  separate_arguments(words UNIX_COMMAND "${words}")
  if(NOT status EQUAL 0)
    set(words)
  endif()
  set(${libraries} ${words} PARENT_SCOPE)
endfunction()

set(SDT_HAS_LLVM FALSE)
if(CMAKE_CROSSCOMPILING)
  foreach(version RANGE 22 14 -1)
    find_library(SDT_LLVM_LIBRARY LLVM-${version})
    find_path(SDT_LLVM_INCLUDE llvm-c/Disassembler.h PATHS /usr/lib/llvm-${version}/include)
    if(SDT_LLVM_LIBRARY AND SDT_LLVM_INCLUDE)
      set(SDT_HAS_LLVM TRUE)
      set(llvm_version ${version})
      set(llvm_include ${SDT_LLVM_INCLUDE})
      set(llvm_libraries ${SDT_LLVM_LIBRARY})
      break()
    endif()
    unset(SDT_LLVM_LIBRARY CACHE)
    unset(SDT_LLVM_INCLUDE CACHE)
  endforeach()
  mark_as_advanced(SDT_LLVM_LIBRARY SDT_LLVM_INCLUDE)
else()
  set(llvm_configs llvm-config-19 llvm-config-18 llvm-config-17 llvm-config-16 llvm-config-15
      llvm-config-14)
  set(llvm_about "llvm-config of LLVM 14 or later")
  find_program(SDT_LLVM_CONFIG NAMES llvm-config ${llvm_configs} DOC ${llvm_about})
  if(SDT_LLVM_CONFIG)
    execute_process(COMMAND ${SDT_LLVM_CONFIG} --version OUTPUT_VARIABLE llvm_version
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(llvm_version VERSION_LESS 14) # that of Debian 11, which has a later one as well
      unset(SDT_LLVM_CONFIG CACHE)
      find_program(SDT_LLVM_CONFIG NAMES ${llvm_configs} DOC ${llvm_about})
    endif()
  endif()
endif()
if(SDT_LLVM_CONFIG)
  execute_process(COMMAND ${SDT_LLVM_CONFIG} --version
                  OUTPUT_VARIABLE llvm_version OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${SDT_LLVM_CONFIG} --includedir
                  OUTPUT_VARIABLE llvm_include OUTPUT_STRIP_TRAILING_WHITESPACE)
  sdt_llvm_libraries(llvm_libraries --link-shared)
  if(llvm_libraries AND llvm_version VERSION_GREATER_EQUAL 14
     AND EXISTS ${llvm_include}/llvm-c/Disassembler.h)
    set(SDT_HAS_LLVM TRUE)
  endif()
endif()
if(NOT SDT_HAS_LLVM)
  message(STATUS "LLVM >= 14 with its C API not found: `sdtlink verify` will not be available")
  return()
endif()

option(SDT_STATIC_LLVM "Link sdtlink-verify with LLVM's archives, where that is possible" ON)
if(SDT_STATIC_LLVM AND SDT_LLVM_CONFIG AND NOT SDT_FUZZ)
  set(parts core mcdisassembler object)
  foreach(machine x86 aarch64 riscv)
    list(APPEND parts ${machine}info ${machine}desc ${machine}disassembler)
  endforeach()
  sdt_llvm_libraries(archives --link-static --system-libs ${parts})
  list(PREPEND archives -Wl,--gc-sections -Wl,--as-needed)
  list(APPEND archives -lstdc++)
  cmake_push_check_state(RESET)
  set(CMAKE_REQUIRED_INCLUDES ${llvm_include})
  set(CMAKE_REQUIRED_LIBRARIES ${archives})
  check_c_source_compiles("
    #include <llvm-c/Disassembler.h>
    #include <llvm-c/Object.h>
    int main(void) { return !LLVMCreateBinary || !LLVMCreateDisasmCPUFeatures; }"
    SDT_LLVM_IS_STATIC)
  cmake_pop_check_state()
  if(SDT_LLVM_IS_STATIC)
    set(llvm_libraries ${archives})
  endif()
endif()
add_library(sdtlink::llvm INTERFACE IMPORTED GLOBAL)
target_include_directories(sdtlink::llvm INTERFACE ${llvm_include})
target_link_libraries(sdtlink::llvm INTERFACE ${llvm_libraries})
message(STATUS "LLVM ${llvm_version}: building sdtlink-verify")
