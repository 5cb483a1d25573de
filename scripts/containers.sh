#!/usr/bin/env bash
# The image and docker-compose.yml on a real container engine: builds, starts, breaks and checks.
# Prints one line a check; not 0 if one failed.
#
#   BASE=python:3.12-slim   base image, as in the compose file
#   COMPILE=1               whether the wheel has its leaves compiled to C
#   RELEASE=trixie          Debian that plays the base where it cannot be pulled
#
# Uses the engine that runs; where none does and we are root, Debian's own is installed and started
# for the time of the checks, with its data in build/containers/.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/bare-debian.sh
venv=${1:-.venv}
out=$PWD/build/containers
export BASE=${BASE:-python:3.12-slim}
release=${RELEASE:-trixie}
place=
engine=

clean_up() {
    if [ -n "$engine" ]; then
        kill "$engine" 2>/dev/null && wait "$engine" || :
    fi
    [ -z "$place" ] || rm -rf --one-file-system "$place"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

start_engine() {
    ! docker info >/dev/null 2>&1 || return 0
    [ "$(id -u)" = 0 ] || { echo "containers: no engine runs, and we are not root" >&2; exit 1; }
    need_package dockerd docker.io docker-compose
    place=$(mktemp -d)
    mkdir -p "$out/engine"
    export DOCKER_HOST=unix://$place/docker.sock
    dockerd --host "$DOCKER_HOST" --data-root "$out/engine" --exec-root "$place/exec" \
        --pidfile "$place/pid" >"$out/engine.log" 2>&1 &
    engine=$!
    for _ in $(seq 60); do
        ! docker info >/dev/null 2>&1 || return 0
        kill -0 "$engine" 2>/dev/null || break
        sleep 0.5
    done
    tail -20 "$out/engine.log" >&2
    echo "containers: the engine does not start" >&2
    exit 1
}

have_base() { # Debian's own Python plays the base image where no registry of images is in reach
    ! docker image inspect "$BASE" >/dev/null 2>&1 || return 0
    ! timeout 120 docker pull --quiet "$BASE" >/dev/null 2>&1 || return 0
    echo "containers: $BASE cannot be pulled: a bare Debian $release with its Python plays it"
    make_base "$release" "$out/$release.tar" python3 python3-venv
    local layer changes=() setting
    layer=$(mktemp -d)
    while read -r setting; do
        changes+=(--change "ENV $setting")
    done < <(registry_settings "$layer/etc/this-machine" /etc/this-machine)
    cp "$out/$release.tar" "$out/base.tar"
    tar -rf "$out/base.tar" -C "$layer" ./etc/this-machine
    docker import "${changes[@]}" "$out/base.tar" "$BASE" >/dev/null
    rm -rf "$layer" "$out/base.tar"
}

start_engine
have_base
command -v docker-compose >/dev/null || docker compose version >/dev/null 2>&1 ||
    need_package docker-compose docker-compose
"$venv/bin/python" -m lab.containers
