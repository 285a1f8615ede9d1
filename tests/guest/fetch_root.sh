#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Unpack packages of Debian's for another machine, with all that they depend on, as a root file
# system of that machine: what the tools are linked with there, compilers, and the C library.
#
#     tests/guest/fetch_root.sh arm64 build/guest    makes build/guest/root-arm64
#     tests/guest/fetch_root.sh riscv64 build/guest trixie forky
#                                                    from the first of these releases that has it
#
# Unpacked, and not installed: no script of a package runs.
# shellcheck disable=SC1091,SC2034,SC2154 # variables that apt.sh knows, and sets
set -eu
[ $# -ge 2 ] || { echo "usage: $0 ARCHITECTURE DIRECTORY [RELEASE...]" >&2; exit 2; }
architecture=$1
mkdir -p "$2"
root=$(cd "$2" && pwd)/root-$architecture
[ -e "$root" ] && exit 0
shift 2
. "$(dirname "$0")/apt.sh"

get() {
    fetch apt-get update || return
    # That of the release has a number in its name.
    llvm=$(fetch apt-cache depends llvm-dev | sed -n 's/^ *Depends: \(llvm-[0-9]*-dev\)$/\1/p')
    # Not every machine has a cross compiler for x86-64.
    cross=$(fetch apt-cache pkgnames gcc-x86-64-linux-gnu | grep -x gcc-x86-64-linux-gnu || true)
    fetch apt-get -y --no-install-recommends --download-only install \
        libelf-dev libdw-dev libzstd-dev zlib1g-dev libncurses-dev libc6-dev "$llvm" \
        dash coreutils \
        gcc clang lld ${cross:+"$cross" libc6-dev-amd64-cross} >/dev/null
}

from_first get "$@"
rm -rf "$root.new"
mkdir "$root.new"
# Releases differ in where /bin and /lib are links.
for name in bin lib sbin; do
    mkdir -p "$root.new/usr/$name"
    ln -s "usr/$name" "$root.new/$name"
done
for package in "$work"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" |
        tar -x -C "$root.new" --keep-directory-symlink --no-same-owner
done
# A link whose target begins at the root has to lead there from this machine as well.
find "$root.new" -type l -lname '/*' | while read -r link; do
    ln -sfnr "$root.new$(readlink "$link")" "$link"
done
mkdir "$root.new/proc" "$root.new/dev" "$root.new/tmp" "$root.new/work" "$root.new/prefix"
mv "$root.new" "$root"
