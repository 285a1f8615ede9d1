#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Fetch packages of another machine, with all that they depend on, and unpack them, for
# tests/guest/guest.py:
#
#     tests/guest/fetch_packages.sh arm64 build/guest/gdb-arm64 gdb-minimal
# shellcheck disable=SC1091,SC2034,SC2154 # variables that apt.sh knows, and sets
set -eu
[ $# -ge 3 ] || { echo "usage: $0 ARCHITECTURE DIRECTORY PACKAGE..." >&2; exit 2; }
architecture=$1 directory=$2
shift 2
[ -e "$directory" ] && exit 0
. "$(dirname "$0")/apt.sh"
fetch apt-get update
fetch apt-get --yes --no-install-recommends --download-only install "$@"
rm -rf "$directory.new"
mkdir -p "$directory.new"
for package in "$work"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$directory.new" --exclude=./usr/share
done
mv "$directory.new" "$directory"
