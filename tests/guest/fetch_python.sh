#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Fetch Debian's python3 for another machine, and the libraries that it needs, for tests of stock
# binaries in a guest:
#
#     tests/guest/fetch_python.sh arm64 build/guest     makes build/guest/python-arm64
#
# By apt, with directories of its own: the system's lists, and its architectures, stay as they are.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 ARCHITECTURE DIRECTORY" >&2; exit 2; }
architecture=$1
mkdir -p "$2"
directory=$(cd "$2" && pwd)
[ -e "$directory/python-$architecture" ] && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/tree"
: >"$work/status"
fetch() {
    command=$1
    shift
    "$command" -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
        -o Dir::State="$work/state" -o Dir::State::status="$work/status" \
        -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root "$@"
}

# What a package depends on, and begins like that.
depends() { fetch apt-cache depends "$2" | sed -n "s/^ *P*r*e*Depends: \($1.*\)/\1/p" | head -n 1; }

cd "$work"
fetch apt-get update
python=$(depends 'python3\.' python3-minimal)
fetch apt-get download "$python" "lib$python" libc6 zlib1g libexpat1
for package in *.deb; do
    dpkg-deb -x "$package" tree
done
mv tree "$directory/python-$architecture"
