# SPDX-License-Identifier: BSD-2-Clause
# Builds that watch themselves. Both are for the whole tree: a sanitized runtime in a program that
# was linked without the sanitizer does not link, so tests pass the same flags (SDT_TEST_CFLAGS).
option(SDT_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(SDT_COVERAGE "Build for gcov" OFF)
option(SDT_FUZZ "Build the fuzz targets, everything instrumented for libFuzzer (clang)" OFF)

if(SDT_SANITIZE)
  # The first finding ends the program: a test sees the status, not only a line on stderr.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # The sanitizers' libraries become part of each program where that is possible, as clang does it
  # by itself: programs that the tests start thousands of times start in 60 % of the time.
  include(CheckCSourceCompiles)
  set(static -static-libasan -static-libubsan)
  set(CMAKE_REQUIRED_LINK_OPTIONS -fsanitize=address,undefined ${static})
  check_c_source_compiles("int main(void) { return 0; }" SDT_SANITIZERS_ARE_STATIC)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  if(SDT_SANITIZERS_ARE_STATIC)
    string(REPLACE ";" "$<SEMICOLON>" static "${static}")
    add_link_options("$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${static}>")
  endif()
endif()

if(SDT_COVERAGE)
  # Handlers run in any thread, so the counters must be atomic.
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()

if(SDT_FUZZ)
  # The branches taken, and what is compared with what. Only the targets link libFuzzer's main().
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
