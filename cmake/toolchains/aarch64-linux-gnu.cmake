# SPDX-License-Identifier: BSD-2-Clause
# Build for aarch64 with Debian's cross compilers (gcc-aarch64-linux-gnu, g++-aarch64-linux-gnu):
#
#   cmake -B build-aarch64 -DCMAKE_TOOLCHAIN_FILE=cmake/toolchains/aarch64-linux-gnu.cmake
#
# With -DCMAKE_SYSROOT=DIR, a root file system of that machine with its libelf, the tools as well.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
# Programs of this machine; libraries and headers of that one.
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
include(${CMAKE_CURRENT_LIST_DIR}/Sysroot.cmake)
sdt_prefer_sysroot(aarch64-linux-gnu)
