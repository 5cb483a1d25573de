# Bare roots of Debian, for fresh.sh and containers.sh; to be sourced.

need_package() { # COMMAND PACKAGE...: install them if there is no such command
    command -v "$1" >/dev/null && return
    shift
    echo "installing Debian packages: $*"
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
}

make_base() { # RELEASE TAR [PACKAGE...]: what debootstrap calls minimal, and these packages
    local release=$1 tar=$2 root=$2.root
    shift 2
    [ ! -f "$tar" ] || return 0
    echo "making a bare root of Debian $release"
    need_package debootstrap debootstrap
    mkdir -p "$(dirname "$tar")"
    rm -rf --one-file-system "$root"
    debootstrap --variant=minbase --include="$(IFS=,; echo "ca-certificates $*" | tr ' ' ',')" \
        "$release" "$root" "${MIRROR:-http://deb.debian.org/debian}" >"$tar.log" 2>&1 ||
        { tail -20 "$tar.log" >&2; return 1; }
    apt-config dump | grep -E '^Acquire::(Check|http|https|Retries)' \
        >"$root/etc/apt/apt.conf.d/90this-machine" || :
    rm -rf "$root"/var/cache/apt/archives/*.deb
    tar -C "$root" -cf "$tar.part" . && mv "$tar.part" "$tar"
    rm -rf --one-file-system "$root"
}

registry_settings() { # FOLDER PREFIX: NAME=VALUE lines of what this machine needs to reach package
    # registries. Files that they name are copied into FOLDER, and named as if it were PREFIX.
    local name value
    mkdir -p "$1"
    while IFS='=' read -r name value; do
        [[ $name =~ ^(PIP_.*|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|(http|https|no)_proxy)$ ]] || continue
        [ ! -d "$value" ] || continue
        if [ -f "$value" ]; then
            cp "$value" "$1/$name"
            value=$2/$name
        fi
        echo "$name=$value"
    done < <(env)
}
