#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Fetch Debian's kernel for another machine, for tests/guest/guest.py:
#
#     tests/guest/fetch_kernel.sh arm64 build/guest    makes build/guest/vmlinuz-arm64
#     tests/guest/fetch_kernel.sh riscv64 build/guest trixie forky
#                                                      from the first of these releases that has it
# shellcheck disable=SC1091,SC2034,SC2154 # variables that apt.sh knows, and sets
set -eu
[ $# -ge 2 ] || { echo "usage: $0 ARCHITECTURE DIRECTORY [RELEASE...]" >&2; exit 2; }
architecture=$1
mkdir -p "$2"
directory=$(cd "$2" && pwd)
[ -e "$directory/vmlinuz-$architecture" ] && exit 0
shift 2
. "$(dirname "$0")/apt.sh"

fetch_package() {
    fetch apt-get update || return
    package=$(depends "linux-image-[0-9]" "linux-image-$architecture")
    [ -n "$package" ] || return
    binary=$(depends "linux-binary-" "$package") # since Linux 7 in a package of its own
    fetch apt-get download "${binary:-$package}"
}

# What package $2 depends on, and begins like $1.
depends() {
    fetch apt-cache depends "$2" | sed -n "s/^ *Depends: \($1.*\)/\1/p" | head -n 1
}

cd "$work"
from_first fetch_package "$@"
dpkg-deb --fsys-tarfile linux-*.deb | tar -x --wildcards '*/vmlinu[xz]*'
find . -name 'vmlinu[xz]*' -exec cp {} "$directory/vmlinuz-$architecture" \;
