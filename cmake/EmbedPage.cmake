# SPDX-License-Identifier: BSD-2-Clause
# Makes one C file of the parts of a page in sdt/html:
#
#   cmake -D OUTPUT=html_page.c -D DIRECTORY=sdt/html -D PAGE=page.html -D STYLES=style.css
#     -D SCRIPTS=a.js,b.js -D HEADER=report/html_page.h -D CUTS=EVENTS,DESCRIPTION
#     -D NAMES=html_before,html_between,html_after -P EmbedPage.cmake
#
# The page names the places: @STYLE@, @SCRIPT@, their hashes @STYLE_HASH@ and @SCRIPT_HASH@ for the
# page's Content-Security-Policy, and the CUTS, as @EVENTS@, where the C file is cut: what is before
# each of them, and after the last, becomes an array of that one of the NAMES.
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

file(READ "${DIRECTORY}/${PAGE}" page)
set(style "")
string(REPLACE "," ";" STYLES "${STYLES}")
foreach(name ${STYLES})
  file(READ "${DIRECTORY}/${name}" text)
  string(APPEND style "${text}")
endforeach()
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
file(WRITE "${OUTPUT}" "/* Made by EmbedPage.cmake from html/. */\n")
file(APPEND "${OUTPUT}" "#include \"${HEADER}\"\n\n")
string(REPLACE "," ";" CUTS "${CUTS}")
string(REPLACE "," ";" NAMES "${NAMES}")
set(start 0)
foreach(cut ${CUTS})
  list(GET NAMES 0 name)
  list(REMOVE_AT NAMES 0)
  string(FIND "${page}" "@${cut}@" end)
  math(EXPR length "${end} - ${start}")
  define_array(${name} "${whole}" ${start} ${length})
  string(LENGTH "@${cut}@" length)
  math(EXPR start "${end} + ${length}")
endforeach()
string(LENGTH "${page}" end)
math(EXPR length "${end} - ${start}")
define_array(${NAMES} "${whole}" ${start} ${length})
