# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2154
# Sourced by the scripts beside it: fetch COMMAND OPTION... is apt-get or apt-cache for packages of
# $architecture, with directories of its own below $work, which this makes. The system's lists, and
# its architectures, stay as they are.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/parts"
: >"$work/status"
fetch() {
    command=$1
    shift
    "$command" -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
        -o Dir::State="$work/state" -o Dir::State::status="$work/status" \
        -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root "$@"
}
