#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# The first step of ../../action.yml: build and install sdtlink below SDTLINK_PREFIX, unless it is
# there, and tell later steps where it is. GITHUB_PATH, GITHUB_ENV and GITHUB_OUTPUT are the files
# by which steps do that.
set -euo pipefail

prefix=$(realpath -m -- "${SDTLINK_PREFIX:?}")
if [ -x "$prefix/bin/sdtlink" ]; then
    echo "sdtlink is installed: $("$prefix/bin/sdtlink" --version)"
else
    "$(dirname "${BASH_SOURCE[0]}")/../../run" install "$prefix"
fi
echo "prefix=$prefix" >>"$GITHUB_OUTPUT"

# Once, in a job that uses the action twice.
case :$PATH: in *":$prefix/bin:"*) exit ;; esac
echo "$prefix/bin" >>"$GITHUB_PATH"
cat >>"$GITHUB_ENV" <<END
CMAKE_PREFIX_PATH=$prefix${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}
CPATH=$prefix/include${CPATH:+:$CPATH}
LIBRARY_PATH=$prefix/lib${LIBRARY_PATH:+:$LIBRARY_PATH}
LD_LIBRARY_PATH=$prefix/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
PKG_CONFIG_PATH=$prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
END
