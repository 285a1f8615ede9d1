# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2154
# Sourced by the scripts beside it: fetch COMMAND OPTION... is apt-get or apt-cache for packages of
# $architecture, with directories of its own below $work, which this makes. The system's lists, and
# its architectures, stay as they are.
#
#     from_first get trixie forky    calls `get`, where fetch takes packages from the first of these
#                                    releases; if that fails, again, from the next one
#     from_first get                 calls it once, with the system's own releases
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/parts"
: >"$work/status"
fetch() {
    command=$1
    shift
    [ ! -e "$work/sources.list" ] ||
        set -- -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts="$work/parts" \
            "$@"
    "$command" -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
        -o Dir::State="$work/state" -o Dir::State::status="$work/status" \
        -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root "$@"
}

from_first() {
    get=$1
    shift
    [ $# -gt 0 ] || { "$get"; return; }
    # shellcheck disable=SC2016 # apt expands it
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
        'Origin: Debian' 'Label: Debian' | head -n 1)
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    for release; do
        rm -f "$work"/cache/archives/*.deb # what the previous one had of it
        echo "deb [signed-by=$keys] $mirror $release main" >"$work/sources.list"
        "$get" && return
    done
    return 1
}
