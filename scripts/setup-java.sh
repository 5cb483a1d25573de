#!/usr/bin/env bash
# Spark needs a Java runtime (17 or newer): installs Debian's when we are root, else names it.
set -euo pipefail
if command -v java >/dev/null 2>&1 || [ -x "${JAVA_HOME:-/nonexistent}/bin/java" ]; then exit 0; fi
package=default-jre-headless  # 17 on Debian 12, 21 on Debian 13: each has but one
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "setup: installing Debian package $package (Spark runs on it)"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package" >/dev/null
else
    echo "setup: Spark needs Java; please run: sudo apt-get install $package" >&2
    exit 1
fi
