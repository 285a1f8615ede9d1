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

# The package, from the system's own releases or from RELEASE at the same mirror.
fetch_package() {
    if [ $# -gt 0 ]; then
        # shellcheck disable=SC2016 # apt expands it
        mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
            'Origin: Debian' 'Label: Debian' | head -n 1)
        keys=/usr/share/keyrings/debian-archive-keyring.gpg
        echo "deb [signed-by=$keys] $mirror $1 main" >"$work/sources.list"
        set -- -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts="$work/parts"
    fi
    fetch apt-get "$@" update || return
    package=$(depends "linux-image-[0-9]" "linux-image-$architecture" "$@")
    [ -n "$package" ] || return
    binary=$(depends "linux-binary-" "$package" "$@") # since Linux 7 in a package of its own
    fetch apt-get "$@" download "${binary:-$package}"
}

# What a package depends on, and begins like that.
depends() {
    pattern=$1 of=$2
    shift 2
    fetch apt-cache "$@" depends "$of" | sed -n "s/^ *Depends: \($pattern.*\)/\1/p" | head -n 1
}

fetch_first() {
    while ! fetch_package "$1"; do
        shift
        [ $# -gt 0 ] || return
    done
}

cd "$work"
if [ $# -eq 0 ]; then fetch_package; else fetch_first "$@"; fi
dpkg-deb --fsys-tarfile linux-*.deb | tar -x --wildcards '*/vmlinu[xz]*'
find . -name 'vmlinu[xz]*' -exec cp {} "$directory/vmlinuz-$architecture" \;
