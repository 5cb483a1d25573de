#!/usr/bin/env bash
# Both commands of README on machines where nothing is installed: a bare Debian 12 and a bare 13 in
# build/fresh/, each command in a root of its own, from a clone of the last commit, as a newcomer
# with an empty home. Prints time and counts; the output is in build/fresh/RELEASE-COMMAND.log.
#
#   RELEASES="bookworm trixie"  which Debians           COMMANDS="run test"  which targets of make
#   MIRROR=ADDRESS              Debian's packages       KEEP=1               leave the roots there
#
# Needs root (chroot, mounts). What this machine needs to reach package registries (certificates,
# proxies, pip's settings) is handed in from its environment.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/bare-debian.sh
out=$PWD/build/fresh
read -ra releases <<<"${RELEASES:-bookworm trixie}"
read -ra commands <<<"${COMMANDS:-run test}"
failures=0
roots=()

clean_up() {
    # The mounts are gone with the namespace that they were made in.
    [ -n "${KEEP:-}" ] || [ ${#roots[@]} = 0 ] || rm -rf --one-file-system "${roots[@]}"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

enter() { # ROOT COMMAND: in namespaces of its own, so that processes and mounts end with it
    local settings
    mapfile -t settings < <(registry_settings "$1/etc/fresh" /etc/fresh)
    unshare --mount --pid --fork --kill-child bash -euc '
        root=$1 command=$2; shift 2
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        mount --rbind /dev "$root/dev"
        exec chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            HOME=/srv/newcomer "$@" sh -c "cd /srv/newcomer/barnabas && make $command"
    ' fresh "$1" "$2" "${settings[@]}"
}

try() { # RELEASE COMMAND
    local root=$out/$1-$2 log=$out/$1-$2.log start status=0
    rm -rf --one-file-system "$root"
    roots+=("$root")
    mkdir -p "$root"
    tar -C "$root" -xpf "$out/$1.tar"
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    mkdir -p "$root/srv/newcomer"
    git clone --quiet --no-local . "$root/srv/newcomer/barnabas"
    start=$SECONDS
    enter "$root" "$2" >"$log" 2>&1 </dev/null || status=$?
    printf 'fresh: %-9s make %-5s %s  %d min %02d s  %s\n' "$1" "$2" \
        "$([ $status = 0 ] && echo ok || echo "FAILED ($status)")" \
        $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)) "$(counts "$log")"
    if [ $status != 0 ]; then
        failures=$((failures + 1))
        tail -30 "$log" >&2
    fi
    [ -n "${KEEP:-}" ] || rm -rf --one-file-system "$root"
}

counts() { # LOG: the closing lines of pytest; else the last line
    grep -E '^[^ ]*=* ?[0-9]+ (passed|failed|skipped).* in ' "$1" | tr '\n' ';' | grep . || tail -1 "$1"
}

[ "$(id -u)" = 0 ] || { echo "fresh: must be root: sudo make fresh" >&2; exit 1; }
mkdir -p "$out"
[ -z "$(git status --porcelain)" ] || echo "fresh: what is not committed is not tried"
for release in "${releases[@]}"; do
    make_base "$release" "$out/$release.tar" git make
    for command in "${commands[@]}"; do
        try "$release" "$command"
    done
done
echo "fresh: $(nproc) processors, load $(cut -d' ' -f1-3 /proc/loadavg), $(uname -sr)"
[ $failures = 0 ] || { echo "fresh: $failures failed" >&2; exit 1; }
