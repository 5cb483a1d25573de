#!/usr/bin/env bash
# Everything that judges the source without running it. Stops at the first tool that complains.
set -euo pipefail
bin=${1:-.venv}/bin
logs=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$logs"' EXIT

step() {
    local name=$1 start=$SECONDS
    shift
    if ! "$@" >"$logs/$name" 2>&1; then
        cat "$logs/$name"
        echo "lint: $name failed: $*" >&2
        return 1
    fi
    printf 'lint: %-18s ok  %ds\n' "$name" $((SECONDS - start))
}

# pyright is the longest of them and keeps one processor busy: the others have the second one.
step "pyright" "$bin/pyright" &
pyright=$!
step "generated code" "$bin/python" -m barnabas.protocol.compiler --check
step "generated docs" "$bin/python" -m barnabas.broker.settings --check docs/configuration.md
step "references" "$bin/python" scripts/references.py --check
step "rules and tests" "$bin/python" scripts/rules.py --check
step "ruff" "$bin/ruff" check .
step "ruff format" "$bin/ruff" format --check .
step "import contracts" "$bin/lint-imports"
step "mypy" "$bin/mypy"
wait "$pyright"
