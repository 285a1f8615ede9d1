#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
#
# The demo: sdtlink on a real program, step by step.
#
#     demo/run.sh [BUILD-DIRECTORY [WORK-DIRECTORY]]
#
# Every step says what it is about to show, shows it, and is checked: the script ends with an error
# where a step does not do what its sentence says.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-${SDT_BUILD:-$root/build}}" && pwd)
work=${2:-$build/demo}
sdtlink=$build/sdtlink/sdtlink
sdt=$build/sdt/sdt

# Bold on a terminal.
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi

step=0
say() {
    step=$((step + 1))
    printf '\n%s%d. %s%s\n' "$bold" "$step" "$*" "$plain"
}
show() {
    printf '   $ %s\n' "$*"
}
die() {
    printf 'demo: step %d: %s\n' "$step" "$*" >&2
    exit 1
}
# PATTERN must occur in FILE, or the step has failed: MESSAGE.
expect() {
    grep -q -- "$1" "$2" || die "$3"
}
# What "$@" prints, indented; its failure is ours.
indent() {
    "$@" | sed 's/^/   /'
}

# The site of the probe in FUNCTION of OBJECT, and the instructions around it. RELOCATION marks it.
disassemble() {
    local function=$1 object=$2 relocation=$3
    objdump -dr --no-addresses "$object" | sed -n "/^<$function>:/,/ret/p" |
        grep -B 4 -A 4 -- "$relocation"
}

[ -x "$sdtlink" ] || die "no sdtlink in $build; ./run demo builds it"
mkdir -p "$work"
cd "$work"
rm -rf orders.db* partial.o partial.sdt.o orders recording orders.pftrace ask answer

say "We compile six small C files, some with probes in them, and link them partially with SQLite" \
    "as the distribution ships it."
show 'cc -c … ; ld -r -o partial.o orders.o shop.o shims.o … libsqlite3.a'
make -s -f "$root/demo/Makefile" SDT_INCLUDE="$root/runtime/include" partial.o
size orders.o shop.o shims.o watch.o draw.o textcheck.o partial.o | awk '
    NR > 1 && $6 != "partial.o" { ours += $1 }
    $6 == "partial.o" { printf "   %d bytes of code and constants, %d of them ours\n", $1, ours }'

say "A probe is a NOP, and a never-executed call to an undefined function. This one is hit for" \
    "each page that SQLite asks from its cache:"
show 'objdump -dr partial.o'
disassemble shim_fetch partial.o __dtrace_sdtasm_ > before.txt
indent cat before.txt
calls=$(readelf -rW partial.o | grep -c ' __dtrace_sdt' || true)
[ "$calls" -gt 0 ] || die "no call of a probe in partial.o"
expect 'R_X86_64_PLT32.*__dtrace_sdtasm_run_sdtlink___sqlite___page' before.txt \
    "shim_fetch does not call its probe"

say "sdtlink finds the $calls calls by their relocations and makes them NOPs. It writes down" \
    "where they are, in a form that the final linker keeps right."
show 'sdtlink -o partial.sdt.o partial.o'
indent "$sdtlink" -o partial.sdt.o partial.o
disassemble shim_fetch partial.sdt.o sdt_entry > after.txt
indent cat after.txt
expect '66 0f 1f 84 e9' after.txt "the call is no NOP"
readelf -sW partial.sdt.o > symbols.txt
! grep '__dtrace_sdt' symbols.txt || die "an undefined probe symbol was left"

say "The final link, as usual."
show 'cc -o orders partial.sdt.o libsdt.a -lm -pthread -ldl'
make -s -f "$root/demo/Makefile" SDTLINK="$sdtlink" LIBSDT="$build/runtime/libsdt.a" orders

say "What can be watched in this program?"
show 'sdtlink list orders'
"$sdtlink" list orders > list.txt
indent cat list.txt
sites=$("$sdtlink" list --json orders | grep -o '"provider"' | wc -l)
[ "$sites" = "$calls" ] || die "$calls calls went in, $sites sites came out"

say "A second reader, LLVM's, checks every record of the result against the instruction it names."
show 'sdtlink verify orders'
indent "$sdtlink" verify orders

say "The program imports 200000 orders, then two threads query them without pause. It traces" \
    "itself: no root, no daemon, no kernel support."
show './orders orders.db 200000 recording'
./orders orders.db 200000 recording || die "the program did not do what it announced"

say "What the flight recorder kept: the last moments, event by event."
show 'sdt report --summary recording'
"$sdt" report --summary recording > summary.txt 2> warnings.txt
indent cat summary.txt
expect '^sqlite:read ' summary.txt "no read was recorded"
expect '^orders:query' summary.txt "no query was recorded"
show "sdt report --relative --filter 'rows > 0' recording | tail -n 4"
"$sdt" report --relative --filter 'rows > 0' recording 2> warnings.txt | tail -n 4 > last.txt
indent cat last.txt
expect '"SELECT.* rows=[0-9]' last.txt "the end of a query does not say which"

say "The same for a viewer: open the file in ui.perfetto.dev. Queries are slices on their threads."
show 'sdt export --perfetto orders.pftrace recording'
"$sdt" export --perfetto orders.pftrace recording 2> warnings.txt
printf '   %d bytes\n' "$(stat -c %s orders.pftrace)"

say "The same program as a server, which does nothing about probes. Another terminal traces" \
    "it while it runs: no root, no restart, and no thread is stopped."
show 'SDT_ATTACH=1 ./orders orders.db serve &'
mkfifo ask answer
SDT_ATTACH=1 ./orders orders.db serve < ask > answer &
server=$!
exec 8> ask 9< answer
# "$@" for two seconds, into a file; and how fast the server was meanwhile.
meanwhile() {
    printf '\n' >&8
    read -r fast <&9
    "$@" > looked.txt 2> warnings.txt || die "$* failed"
    printf '\n' >&8
    read -r fast <&9
}
until "$sdt" ps --json 2> warnings.txt | grep -q "\"pid\": $server,"; do
    kill -0 "$server" || die "the server has ended"
    sleep 0.1
done
meanwhile sleep 2
printf '   all probes are off:       %s\n\n' "$fast"
show "sdt count '*' -p orders -d 2"
meanwhile "$sdt" count '*' -p "$server" -d 2
indent cat looked.txt
expect '^orders:query-end  *[1-9]' looked.txt "no query was counted"
printf '   all probes are counted:   %s\n\n' "$fast"
show "sdt lat -p orders query-begin query-end by sql -d 2"
meanwhile "$sdt" lat -p "$server" query-begin query-end by sql -d 2
sed -n '/ to /,/^$/p' looked.txt | indent cat
expect '^UPDATE .* [0-9.]* [mu]s' looked.txt "no latency of an UPDATE"
printf '   latencies are measured:   %s\n' "$fast"
meanwhile sleep 2
printf '   all are off again:        %s\n' "$fast"
exec 8>&-
sed 's/^ */   /' <&9 > last.txt
wait "$server" || die "the server failed"
cat last.txt
expect '0 sites armed; the code differs from the file in 0 bytes' last.txt "code was left changed"

printf '\n%sAll %d steps did what they said.%s The program is in %s\n' "$bold" "$step" "$plain" \
    "${work#"$root"/}"
