# SPDX-License-Identifier: BSD-2-Clause
#[[
libzstd, with which `sdt export --parquet` compresses. Without it files are larger.

Sets ``SDT_HAS_ZSTD``; then the target ``sdtlink::zstd``: the archive, as in Sqlite.cmake. Not in a
cross build.
#]]
set(SDT_HAS_ZSTD FALSE)
find_path(SDT_ZSTD_INCLUDE zstd.h)
find_library(SDT_ZSTD_ARCHIVE libzstd.a)
find_library(SDT_ZSTD_LIBRARY zstd)
mark_as_advanced(SDT_ZSTD_INCLUDE SDT_ZSTD_ARCHIVE SDT_ZSTD_LIBRARY)
set(zstd ${SDT_ZSTD_ARCHIVE})
if(no_archives OR NOT SDT_ZSTD_ARCHIVE)
  set(zstd ${SDT_ZSTD_LIBRARY})
endif()
if(zstd AND SDT_ZSTD_INCLUDE AND NOT CMAKE_CROSSCOMPILING)
  set(SDT_HAS_ZSTD TRUE)
  add_library(sdtlink::zstd INTERFACE IMPORTED)
  target_include_directories(sdtlink::zstd INTERFACE ${SDT_ZSTD_INCLUDE})
  target_link_libraries(sdtlink::zstd INTERFACE ${zstd})
else()
  message(STATUS "no libzstd: 'sdt export --parquet' does not compress (Debian: libzstd-dev)")
endif()
