#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# uninstall.sh PREFIX [MACHINE], as `./run uninstall` calls it: remove what was installed there,
# or of it only what is for MACHINE and for no other. The lists that tell are there as well
# (cmake/InstalledList.cmake), so neither the build directory is needed nor the version that was
# installed.
#
# Other files are not touched: a file goes only if it has the contents that were installed, and a
# directory only if the installation made it, and it is empty. What stays of those is printed.
set -euo pipefail
shopt -s nullglob

die() {
    echo "uninstall: $*" >&2
    exit 1
}

[ -d "$1" ] || die "there is no directory $1"
prefix=$(cd "$1" && pwd)
machine=${2:-}
lists=share/sdtlink/installed
cd "$prefix"
all=("$lists"/*-linux-gnu)
[ ${#all[@]} -gt 0 ] || die "no list in $prefix/$lists of what was installed there. If that was" \
    "by an older version, './run install $1' writes one"
[ -z "$machine" ] || [ -e "$lists/$machine" ] ||
    die "nothing was installed below $prefix for $machine, but for: ${all[*]##*/}"

# What is removed, and what others still need; of each path every content that it may have.
declare -A going=() staying=() right=() now=()
read_list() {
    local kind value path
    while IFS=$'\t' read -r kind value path; do
        case $kind:/$path/ in
        */../* | *://*) die "$prefix/$lists/$1 is damaged: $kind $path" ;;
        file:* | link:*) ;;
        *) die "$prefix/$lists/$1 is damaged: $kind $path" ;;
        esac
        right[$kind $value $path]=1
        if [ -z "$machine" ] || [ "$1" = "$machine" ]; then
            going[$path]=1
        else
            staying[$path]=1
        fi
    done <"$lists/$1"
}
for list in "${all[@]}"; do
    read_list "${list##*/}"
done

# One process for all files, and before the first of them is gone.
while read -r hash path; do
    now[$path]=$hash
done < <(for path in "${!going[@]}"; do
    [ ! -f "$path" ] || [ -L "$path" ] || printf '%s\0' "$path"
done | xargs -0r sha256sum --)

is_as_installed() {
    if [ -L "$1" ]; then
        [ -n "${right["link $(readlink "$1") $1"]:-}" ]
    else
        [ -n "${now["$1"]:-}" ] && [ -n "${right["file ${now["$1"]} $1"]:-}" ]
    fi
}

# The bytecode of an installed module, which Python wrote beside it.
remove_bytecode() {
    local cache
    cache=$(dirname "$1")/__pycache__
    rm -f "$cache/$(basename "$1" .py)".*.pyc
    [ ! -d "$cache" ] || rmdir --ignore-fail-on-non-empty "$cache"
}

remove_files() {
    local path
    for path in "${!going[@]}"; do
        [ -z "${staying["$path"]:-}" ] || continue
        [ -e "$path" ] || [ -L "$path" ] || continue
        if ! is_as_installed "$path"; then
            echo "uninstall: left, because it was changed: $prefix/$path"
            continue
        fi
        rm -f "$path"
        files=$((files + 1))
        case $path in *.py) remove_bytecode "$path" ;; esac
    done
}

# Remove those directories that are empty, the innermost first; the others become `left`. Those that
# are above the prefix have whole names, which mean nothing after a move of the tree.
remove_directories() {
    local path those=("${left[@]}")
    left=()
    for path in "${those[@]}"; do
        [[ $path != /* || $prefix == "$path"/* ]] || continue
        if [ ! -d "$path" ] || [ -L "$path" ]; then
            continue
        elif rmdir "$(realpath "$path")" 2>/dev/null; then
            directories=$((directories + 1))
        else
            left+=("$path")
        fi
    done
}

# The directory $1 is left: because of others that are, or because of files that were not installed?
explain() {
    local entry path
    for entry in "$1"/* "$1"/.[!.]*; do
        entry=${entry#./}
        for path in "${left[@]}"; do
            [ "$entry" != "$path" ] || continue 2
        done
        echo "uninstall: left, because of other files in it: $prefix/$1"
        return
    done
}

files=0 directories=0
mapfile -t left < <(grep -v '^/' "$lists/directories" | LC_ALL=C sort -r
    grep '^/' "$lists/directories" | LC_ALL=C sort -r)
remove_files
if [ -n "$machine" ] && [ ${#all[@]} -gt 1 ]; then
    rm "$lists/$machine"
    remove_directories
    printf '%s\n' "${left[@]}" | LC_ALL=C sort >"$lists/directories"
else
    remove_directories
    rm "${all[@]}" "$lists/directories"
    remove_directories
    for path in "${left[@]}"; do
        case $path in /*) ;; *) explain "$path" ;; esac
    done
fi
echo "uninstall: removed $files files and $directories directories below $prefix"
