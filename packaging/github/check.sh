#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# The second step of ../../action.yml: `sdtlink verify` and `sdtlink list --check` on SDTLINK_FILES,
# a name or pattern a line. The findings go into SDTLINK_SARIF before the job fails, so that a step
# with `if: always()` can upload them, and into the summary of the job.
set -euo pipefail
shopt -s globstar nullglob

die() {
    echo "::error::sdtlink: $*" >&2
    exit 1
}

tool=${SDTLINK_PREFIX:?}/bin/sdtlink
case ${SDTLINK_LEVEL:=error} in
error | warning | never) ;;
*) die "level: expected error, warning or never, not '$SDTLINK_LEVEL'" ;;
esac

# A line is one pattern, with the blanks that are in it.
files=()
IFS=
while read -r pattern; do
    [ -n "$pattern" ] || continue
    # shellcheck disable=SC2206 # a pattern, and IFS splits nothing
    found=($pattern)
    [ ${#found[@]} -gt 0 ] || die "files: nothing matches '$pattern'"
    for file in "${found[@]}"; do
        [ -f "$file" ] || die "files: '$file' is not a file"
        files+=("$file")
    done
done <<<"${SDTLINK_FILES:?}"
[ ${#files[@]} -gt 0 ] || die "files: no name or pattern is given"

options=()
[ -z "${SDTLINK_CONSUMERS:-}" ] || options+=("--consumers=$SDTLINK_CONSUMERS")
[ -z "${SDTLINK_IGNORE:-}" ] || options+=("--ignore=$SDTLINK_IGNORE")

failed=0
"$tool" verify -- "${files[@]}" || failed=1

# Findings never fail this one, so that another status is that of a file that cannot be read.
"$tool" list --check=never --sarif "${options[@]}" -- "${files[@]}" >"$SDTLINK_SARIF"
echo "sarif=$SDTLINK_SARIF" >>"$GITHUB_OUTPUT"

text=$("$tool" list "--check=$SDTLINK_LEVEL" "${options[@]}" -- "${files[@]}") || failed=1
printf '%s\n' "$text"
{
    printf '### Static probes\n\n'
    tail -n 100 <<<"$text" | sed 's/^/    /'
} >>"$GITHUB_STEP_SUMMARY"
exit $failed
