#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Linux with probes, from Debian's source to three boots in qemu, whose logs are checked.
#
#     run.sh [--seed] WORKDIR
#
# With --seed, vmlinux.o stays as it is, and has a companion in C (apply.py); in the WORKDIR of a
# kernel without, only what differs is built. With LLVM=1 in the environment, by clang and lld.
#
# LINUX is the source: a package of Debian, which has put it into /usr/src (linux-source-6.1), or a
# directory of unchanged sources, which is copied. A WORKDIR is for one of them.
#
# Debian 12: linux-source-6.1 flex bison bc cpio kmod xz-utils libelf-dev busybox-static
# qemu-system-x86. SDTLINK is the tool (sdtlink), RUNTIME the sources of the freestanding runtime
# (share/sdtlink/freestanding beside the tool), BUSYBOX a static one (/bin/busybox), JOBS how many
# at once (2), CONFIG a file with more of the kernel's configuration, SMP what processors qemu
# has (2,sockets=2: without ACPI this Linux finds one in each socket).
set -euo pipefail
seed='' before='' stress=init.stress
[ "${1-}" != --seed ] || { seed=1 before=seed. stress=init.seed && shift; }
here=$(cd "$(dirname "$0")" && pwd)
work=$(mkdir -p "$1" && cd "$1" && pwd)
tool=$(realpath "$(command -v "${SDTLINK:-sdtlink}")")
runtime=$(realpath "${RUNTIME:-$(dirname "$tool")/../share/sdtlink/freestanding}")
busybox=$(realpath "${BUSYBOX:-/bin/busybox}")
config=${CONFIG:+$(realpath "$CONFIG")}
source=${LINUX:-linux-source-6.1}
case $source in
*/*) source=$(realpath "$source") ;;
*) source=/usr/src/$source.tar.xz ;;
esac
linux=$(basename "$source" .tar.xz)
cd "$work"

step() { echo "== $(date +%T) $*"; }

# This and the next are done once, and again if they were interrupted.
unpack() {
    [ -d "$linux" ] && return
    if [ -d build ]; then
        echo "run.sh: $work has another Linux than $linux: use another WORKDIR" >&2
        return 1
    fi
    if [ ! -e "$source" ]; then
        echo "run.sh: no $source: install that package, or set LINUX to a directory" >&2
        return 1
    fi
    rm -rf unpacked
    mkdir unpacked
    if [ -d "$source" ]; then
        cp -a "$source" unpacked/
    else
        tar xf "$source" -C unpacked
    fi
    "$here/apply.py" "unpacked/$linux" "$runtime"
    mv "unpacked/$linux" .
}

configure() {
    [ -f build/configured ] && return
    mkdir -p build
    make -C "$linux" O="$work/build" tinyconfig
    (cd "$linux" &&
        scripts/kconfig/merge_config.sh -m -O "$work/build" "$work/build/.config" \
            "$here/linux.config" ${config:+"$config"} && make O="$work/build" olddefconfig)
    touch build/configured
}

# modpost, objtool and the linker have nothing to say but what they say of the same Linux without
# probes (of 6.1.192, configured like this, with gcc 12; clang 14 finds three large stack frames,
# gcc 12 one in 6.12.117). In beside_goto() is code that nothing leads to, since nothing enables its
# NOP. 6.12's objtool says so; that of 6.1 stops at the first such code, which is Linux's own.
build() {
    make -C "$linux" O="$work/build" SDTLINK="$tool" -j"${JOBS:-2}" \
        SDT_SEED=$seed bzImage modules > "${before}build.log" 2>&1 ||
        { tail -20 "${before}build.log"; return 1; }
    ! grep -E "modpost:|objtool:|orphan|warning:" "${before}build.log" |
        grep -v -e "objtool: do_one_initcall.*unreachable instruction" -e "Wframe-larger-than" \
            -e "objtool: beside_goto.*unreachable instruction"
}

# Before 8.1, qemu with a thread for each processor may keep a translation of code that another one
# changed meanwhile, for ever: an INT3 that is no longer in memory, which Linux then executes again
# and again. One thread for both takes turns, also wherever one waits for the other.
qemu_version=$(qemu-system-x86_64 --version | sed -n 's/.*version \([0-9]*\.[0-9]*\).*/\1/p')
threads=multi
printf '%s\n' 8.1 "$qemu_version" | sort -CV || threads=single

# boot INIT LOG HOW WORDS…: a kernel whose command line ends in WORDS, with INIT as its first
# process, on $SMP processors; or on one, whose clock counts its instructions. Where qemu gets few
# ticks, Linux takes its timer for broken, unless it does not look.
boot() {
    local init=$1 log=$2 how=$3 root cpus=()
    shift 3
    root=$(mktemp -d "$work/root.XXXXXX")
    mkdir -p "$root"/{bin,proc,sys,dev}
    cp "$busybox" "$root/bin/busybox"
    cp build/kernel/sdt/sdtdemo.ko "$root/"
    install -m 755 "$here/boot/$init" "$root/init"
    (cd "$root" && find . | cpio -o -H newc --quiet | gzip) > root.gz
    rm -r "$root"
    case $how in
    two) cpus=(-accel "tcg,thread=$threads" -smp "${SMP:-2,sockets=2}") ;;
    counting) cpus=(-accel tcg -icount "shift=0,sleep=off" -smp 1) ;;
    esac
    timeout 1800 qemu-system-x86_64 -M q35 -cpu max "${cpus[@]}" -m 512 \
        -nographic -no-reboot -kernel build/arch/x86/boot/bzImage -initrd root.gz \
        -append "console=ttyS0 panic=-1 no_timer_check $*" < /dev/null > "$log" 2>&1
}

# says LOG PATTERN…: there is a line for each.
says() {
    local log=$1 pattern
    shift
    for pattern; do
        grep -qE -- "$pattern" "$log" || { echo "$log: no line like: $pattern"; return 1; }
    done
}

# The two processes of boot/init.stress say how many times 1000 they hit the site.
all_hits_are_counted() {
    local hits
    hits=$(sed -n 's/^worked: //p' "$1" | tr -d '\r' | paste -sd+)
    says "$1" "^[0-9]+ demo:work $(((hits) * 1000))"
}

check() {
    if grep -E "Oops|BUG:|WARNING|duplicate|refused:" "$before"{boot,stress,count}.log; then
        return 1
    fi
    says "${before}count.log" '^### done' '^sdt: [0-9]+ sites in vmlinux, added in [0-9]+ cycles'
    says "${before}boot.log" '^### done' '^[0-9]+ init:initcall [1-9]' \
        'sdt: vfs:open in do_sys_openat2\(\) dfd=-100 name="/proc/version" flags=0x8000' \
        'sdt: proc:exit in do_exit\(\) arg0=0x300 ' 'sdt: proc:exit in do_exit\(\) arg0=0x400 ' \
        '^[0-9]+ demo:work 200003' ':initcall [0-9a-f]+ blocked \(-116\)' \
        '^ do_sys_openat2(\.sdt)?\+' '^ __x64_sys_openat' '### not enabled: init:initcall'
    says "${before}stress.log" '^### done' '^processors: [2-9]'
    [ -n "$seed" ] || all_hits_are_counted stress.log
}

if ldd "$busybox" > /dev/null 2>&1; then
    echo "run.sh: $busybox is not static: install busybox-static, or set BUSYBOX" >&2
    exit 1
fi
step unpack; unpack
step configure; configure > configure.log 2>&1
step build; build
step boot; boot init "${before}boot.log" two sdt=init:initcall
step stress; boot "$stress" "${before}stress.log" two
step count; boot init.beside "${before}count.log" counting
step check; check
step "all right"
