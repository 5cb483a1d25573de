#!/usr/bin/env bash
# Makes the virtual environment: finds a Python >= 3.11, installs barnabas in place with pinned
# versions. What is missing from Debian's packages is installed when we are root, else named.
set -euo pipefail
venv=${1:-.venv}

find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11; do
        [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 || continue
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

install_packages() {
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "setup: installing Debian packages: $*"
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
    else
        echo "setup: please install these packages, then try again: sudo apt-get install $*" >&2
        exit 1
    fi
}

python=$(find_python) || { install_packages python3 python3-venv; python=$(find_python) || {
    echo "setup: no Python 3.11 or newer found; install one or set PYTHON=/path/to/python" >&2; exit 1; }; }

if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    "$python" -c 'import ensurepip' 2>/dev/null || install_packages python3-venv
    rm -rf "$venv"
    "$python" -m venv "$venv"
fi
echo "setup: installing barnabas and its tools into $venv (a few minutes the first time)"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
"$venv/bin/python" -m barnabas.cli.main version
