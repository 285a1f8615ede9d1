# SPDX-License-Identifier: BSD-2-Clause
# Makes one C file of the parts of the page of `sdt report --html`:
#
#   cmake -D OUTPUT=html_page.c -D DIRECTORY=sdt/html -D SCRIPTS=a.js,b.js -P EmbedPage.cmake
#
# page.html names the places: @STYLE@, @SCRIPT@, their hashes @STYLE_HASH@ and @SCRIPT_HASH@ for the
# page's Content-Security-Policy, and @EVENTS@ and @DESCRIPTION@, where the C file is cut.
cmake_minimum_required(VERSION 3.18...3.25)

# The SHA-256 of TEXT as a policy spells it: base64 of the bytes, not of the digits.
function(policy_hash result text)
  set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  string(SHA256 hash "${text}")
  set(base64 "")
  # 64 hexadecimal digits are 21 times 12 bits and 4; the last digit's low bits are padding.
  foreach(i RANGE 0 63 3)
    string(SUBSTRING "${hash}00" ${i} 3 three)
    math(EXPR high "0x${three} >> 6")
    math(EXPR low "0x${three} & 63")
    string(SUBSTRING "${digits}" ${high} 1 high)
    string(SUBSTRING "${digits}" ${low} 1 low)
    string(APPEND base64 "${high}${low}")
  endforeach()
  string(SUBSTRING "${base64}" 0 43 base64)
  set(${result} "sha256-${base64}=" PARENT_SCOPE)
endfunction()

function(define_array name file start length)
  file(READ "${file}" hex OFFSET ${start} LIMIT ${length} HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  file(APPEND "${OUTPUT}" "const unsigned char ${name}[] = {\n${hex}};\n"
    "const size_t ${name}_size = sizeof ${name};\n")
endfunction()

file(READ "${DIRECTORY}/page.html" page)
file(READ "${DIRECTORY}/style.css" style)
set(script "'use strict';\n(() => {\n")
string(REPLACE "," ";" SCRIPTS "${SCRIPTS}")
foreach(name ${SCRIPTS})
  file(READ "${DIRECTORY}/${name}" text)
  string(APPEND script "${text}")
endforeach()
string(APPEND script "})();\n")

policy_hash(style_hash "${style}")
policy_hash(script_hash "${script}")
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "@SCRIPT_HASH@" "${script_hash}" page "${page}")
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")

# Offsets in bytes: string() counts them so, too.
set(whole "${OUTPUT}.html")
file(WRITE "${whole}" "${page}")
string(FIND "${page}" "@EVENTS@" events)
string(FIND "${page}" "@DESCRIPTION@" description)
string(LENGTH "${page}" length)
math(EXPR after_events "${events} + 8")
math(EXPR between "${description} - ${after_events}")
math(EXPR after_description "${description} + 13")
math(EXPR rest "${length} - ${after_description}")

file(WRITE "${OUTPUT}" "/* Made by EmbedPage.cmake from html/. */\n")
file(APPEND "${OUTPUT}" "#include \"report/html_page.h\"\n\n")
define_array(html_before "${whole}" 0 ${events})
define_array(html_between "${whole}" ${after_events} ${between})
define_array(html_after "${whole}" ${after_description} ${rest})
