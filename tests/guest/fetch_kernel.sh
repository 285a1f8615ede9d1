#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Fetch Debian's kernel for another machine, for tests/guest/guest.py:
#
#     tests/guest/fetch_kernel.sh arm64 build/guest    makes build/guest/vmlinuz-arm64
#
# By apt, with directories of its own: the system's lists, and its architectures, stay as they are.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 ARCHITECTURE DIRECTORY" >&2; exit 2; }
architecture=$1
mkdir -p "$2"
directory=$(cd "$2" && pwd)
[ -e "$directory/vmlinuz-$architecture" ] && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial"
: >"$work/status"
fetch() {
    command=$1
    shift
    "$command" -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
        -o Dir::State="$work/state" -o Dir::State::status="$work/status" \
        -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root "$@"
}
cd "$work"
fetch apt-get update
package=$(fetch apt-cache depends "linux-image-$architecture" |
    sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
fetch apt-get download "$package"
dpkg-deb --fsys-tarfile "$package"_*.deb | tar -x --wildcards './boot/vmlinuz-*'
cp boot/vmlinuz-* "$directory/vmlinuz-$architecture"
