#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# release.sh [--skip-tests] [--tag] [DIRECTORY], as `./run release` calls it: check that this commit
# can be released, run the tests, and make the source archive of it, sdtlink-VERSION.tar.xz, with
# its checksum and sdt.h, in DIRECTORY (build/release). With --tag, the commit gets an annotated
# tag. Nothing is pushed, and no file of the tree is changed: docs/releasing.md says what comes
# before and after.
#
# The archive is that of `git archive`: the files of the commit, with its time. The same commit
# makes the same bytes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

die() {
    echo "release: $*" >&2
    exit 1
}

tag='' skip_tests='' directory=''
while [ $# -gt 0 ]; do
    case $1 in
    --tag) tag=1 ;;
    --skip-tests) skip_tests=1 ;;
    -* | '') die "usage: ./run release [--skip-tests] [--tag] [DIRECTORY]" ;;
    *)
        [ -z "$directory" ] || die "usage: ./run release [--skip-tests] [--tag] [DIRECTORY]"
        directory=$1
        ;;
    esac
    shift
done
directory=${directory:-$PWD/build/release}

# All that is wrong is said at once.
wrong=0
complain() {
    echo "release: $*" >&2
    wrong=$((wrong + 1))
}

# What the first group of the expression matches in a file, at its first place.
find_in() {
    sed -nE "s\`.*$2.*\`\1\`p" "$1" | head -n 1
}

version=$(find_in CMakeLists.txt '^project\(sdtlink VERSION ([0-9.]+)')
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] ||
    die "CMakeLists.txt: expected project(sdtlink VERSION x.y.z …), found '$version'"

check_tree() {
    git rev-parse --git-dir >/dev/null 2>&1 || die "this is not a git checkout, of which a" \
        "release is made; the archive of a release can be built and installed as it is"
    local branch changed
    branch=$(git branch --show-current)
    [ "$branch" = main ] || complain "a release is made on main, and this is ${branch:-no branch}"
    changed=$(git status --porcelain | head -n 5)
    [ -z "$changed" ] || complain "not committed:"$'\n'"$changed"
}

# Where the version stands a second time, since those who read it read nothing else.
check_versions() {
    local file expression found
    while read -r file expression; do
        found=$(find_in "$file" "$expression")
        [ "$found" = "$version" ] ||
            complain "$file: the version is '$found', and that of CMakeLists.txt is $version"
    done <<'END'
debian/changelog ^sdtlink \(([^)]*)-[^-]*\)
packaging/bazel/BUILD.bazel standalone.py\) ([0-9.]+)
packaging/bazel/MODULE.bazel version = "([0-9.]+)",$
packaging/vcpkg/ports/sdtlink/vcpkg.json "version": "(.*)"
rust/Cargo.toml ^version = "(.*)"
examples/subproject/CMakeLists.txt GIT_TAG v([0-9.]+)
examples/subproject/subprojects/sdtlink.wrap ^revision = v(.*)
docs/adopting.md GIT_TAG v([0-9.]+)
docs/ci.md uses: OWNER/sdtlink@v([0-9.]+)
END
}

check_changelogs() {
    local heading
    # The first one below is what stays as it is.
    heading=$(grep '^## ' CHANGELOG.md | sed -n 2p)
    [[ $heading =~ ^"## $version ("[0-9]{4}-[0-9]{2}-[0-9]{2}\)$ ]] ||
        complain "CHANGELOG.md: expected '## $version (YYYY-MM-DD)', found '$heading'"
    ! sed -n 1p debian/changelog | grep -q UNRELEASED ||
        complain "debian/changelog: its first entry is UNRELEASED: dch --release"
}

# sdt.h names it to those who have copied it.
check_header() {
    local found
    mkdir -p build
    python3 runtime/standalone.py "$version" >build/sdt.h
    found=$(find_in build/sdt.h 'This is sdt.h of sdtlink ([0-9.]+)\.')
    [ "$found" = "$version" ] || complain "sdt.h: the version is '$found', and not $version"
}

check_fixtures() {
    [ -d "tests/fixtures/released/$version" ] || complain "there is no" \
        "tests/fixtures/released/$version, which later versions are tested with:" \
        "tests/fixtures/released/make.sh"
}

check_tag() {
    local tagged
    tagged=$(git rev-parse -q --verify "refs/tags/v$version^{commit}") || return 0
    [ "$tagged" = "$(git rev-parse HEAD)" ] ||
        complain "v$version is the tag of another commit: raise the version, a tag does not move"
}

make_archive() {
    local name=sdtlink-$version
    mkdir -p "$directory"
    git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD |
        xz -6 --threads=1 >"$directory/$name.tar.xz"
    mv build/sdt.h "$directory/sdt.h"
    (cd "$directory" && sha256sum "$name.tar.xz" sdt.h >"$name.sha256")
    echo "release: $directory: $name.tar.xz, sdt.h, $name.sha256"
}

check_tree
check_versions
check_changelogs
check_header
check_fixtures
check_tag
[ "$wrong" -eq 0 ] || die "not released: $wrong complaints, see above"

if [ -n "$skip_tests" ]; then
    echo "release: tests skipped (--skip-tests)"
else
    ./run test --all
    ./run lint
fi
make_archive
if [ -n "$tag" ] && ! git rev-parse -q --verify "refs/tags/v$version" >/dev/null; then
    git tag --annotate --message="sdtlink $version" "v$version"
    echo "release: tagged v$version. To publish it: git push origin main v$version"
fi
