#!/usr/bin/env bash
# Writes all that is generated and committed: codecs, and the pages about settings, commands, client.
set -euo pipefail
bin=${1:-.venv}/bin
"$bin/python" -m barnabas.protocol.compiler
"$bin/python" -m barnabas.broker.settings --markdown docs/configuration.md
"$bin/python" scripts/references.py
"$bin/python" scripts/rules.py || true  # complains of rules without a test; `lint` judges
