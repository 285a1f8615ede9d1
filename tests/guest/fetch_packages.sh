#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Fetch a package of another machine, with all that it depends on, and unpack them, for
# tests/guest/guest.py and tests/machines/:
#
#     tests/guest/fetch_packages.sh arm64 build/guest/gdb-arm64 gdb-minimal
#     tests/guest/fetch_packages.sh riscv64 build/guest/gdb-riscv64 gdb-minimal trixie forky
#                                                      from the first of these releases that has it
#     tests/guest/fetch_packages.sh --alone arm64 build/guest/rust-aarch64 libstd-rust-dev
#                                                      without what it depends on
# shellcheck disable=SC1091,SC2034,SC2154 # variables that apt.sh knows, and sets
set -eu
alone=
[ "${1-}" != --alone ] || { alone=1; shift; }
[ $# -ge 3 ] || {
    echo "usage: $0 [--alone] ARCHITECTURE DIRECTORY PACKAGE [RELEASE...]" >&2
    exit 2
}
architecture=$1 directory=$2 package=$3
shift 3
[ -e "$directory" ] && exit 0
. "$(dirname "$0")/apt.sh"

fetch_package() {
    fetch apt-get update || return
    if [ -n "$alone" ]; then
        (cd "$work/cache/archives" && fetch apt-get download "$package")
    else
        fetch apt-get --yes --no-install-recommends --download-only install "$package"
    fi
}

from_first fetch_package "$@"
rm -rf "$directory.new"
mkdir -p "$directory.new"
for archive in "$work"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$archive" | tar -x -C "$directory.new" --exclude=./usr/share
done
mv "$directory.new" "$directory"
