#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Build, demo and tests on other Debian releases:
# `./run distributions [--quick] [SUITE...] [-- OPTION...]`.
#
# Each release is a chroot, made once by mmdebstrap below build/distributions and kept, with the
# packages that ./run has installed in it; remove the directory to begin anew. It is entered in a
# mount namespace of its own, so that /proc, /sys and /dev disappear from it with the last process.
# The chroot shares the kernel of this machine, and everything that tests do as root they do here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

place=$PWD/build/distributions
suites=()
options=()
quick=()

die() {
    echo "distributions: $*" >&2
    exit 1
}

# Where this machine gets Debian's packages from. A security archive is another directory.
mirror() {
    # shellcheck disable=SC2016 # apt expands it
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
        'Label: Debian' | head -n 1
}

# How this machine reaches it: proxies, and what it does about old release files.
transport() {
    apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-)' || true
}

make_chroot() {
    local suite=$1 root=$2 setting settings=()
    while read -r setting; do
        settings+=("--aptopt=$setting")
    done < <(transport)
    rm -rf "$root.new"
    # A chroot can be made anew: dpkg need not wait for the disk.
    mmdebstrap --variant=minbase --include=ca-certificates --dpkgopt=force-unsafe-io \
        "${settings[@]}" "$suite" "$root.new" "$(mirror)"
    mv "$root.new" "$root"
}

# The sources of this checkout, new files included, in /src. What was built there before stays.
copy_sources() {
    local root=$1
    mkdir -p "$root/src"
    find "$root/src" -mindepth 1 -maxdepth 1 ! -name 'build*' -exec rm -rf {} +
    git ls-files -co --exclude-standard -z | tar --null --ignore-failed-read -T - -cf - |
        tar -C "$root/src" -xf -
}

# The release's row of docs/toolchains.md, from its results.
copy_row() {
    local root=$1 suite=$2
    # shellcheck disable=SC2016 # the inner shell expands these
    inside "$root" bash -c 'cd tests && PYTHONPATH=support python3 -m matrix.releases \
        ../build/compilers "$1" ../docs/toolchains.md' row "$suite"
    cp "$root/src/docs/toolchains.md" docs/toolchains.md
}

# A command in the chroot, in /src.
inside() {
    local root=$1
    shift
    # shellcheck disable=SC2016 # the inner shell expands these
    unshare --mount --propagation private bash -c '
        for directory in proc sys dev; do
            mount --rbind "/$directory" "$1/$directory"
        done
        exec chroot "$1" env -i -C /src HOME=/root TERM=dumb LANG=C.UTF-8 \
            PATH=/usr/sbin:/usr/bin:/sbin:/bin "${@:2}"' inside "$root" "$@"
}

[ "$(id -u)" -eq 0 ] || die "a chroot is made and entered by root"
while [ $# -gt 0 ]; do
    case $1 in
    --)
        options=("${@:2}")
        break
        ;;
    --quick) quick=(--compilers) ;;
    -*) die "unknown option $1; what is for ./run test comes after --" ;;
    *) suites+=("$1") ;;
    esac
    shift
done
[ ${#suites[@]} -gt 0 ] || suites=(bookworm trixie)

failed=()
for suite in "${suites[@]}"; do
    root=$place/$suite
    mkdir -p "$place"
    [ -d "$root" ] || make_chroot "$suite" "$root"
    copy_sources "$root"
    for command in build demo "test ${quick[*]} ${options[*]}"; do
        printf '\n=== %s: ./run %s\n' "$suite" "$command"
        case $command in
        test*)
            inside "$root" ./run test "${quick[@]}" "${options[@]}" || failed+=("$suite: test")
            ;;
        build) # without it, the rest fails, and the table's row would be wrong
            inside "$root" ./run build || { failed+=("$suite: build") && continue 2; }
            ;;
        *) inside "$root" ./run "$command" || failed+=("$suite: $command") ;;
        esac
    done
    [ ${#quick[@]} -eq 0 ] || copy_row "$root" "$suite" || failed+=("$suite: table")
done
[ ${#failed[@]} -eq 0 ] || die "failed: $(printf '%s; ' "${failed[@]}")"
