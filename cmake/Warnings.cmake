# SPDX-License-Identifier: BSD-2-Clause
# sdt_warnings(<target>): the warnings every target of this project is built with.
function(sdt_warnings target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:C,CXX>:-Wall -Wextra -Wshadow -Wvla -Wundef>
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith>)
  if(SDT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
option(SDT_WERROR "Treat warnings as errors" OFF)
