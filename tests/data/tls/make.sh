#!/usr/bin/env bash
# Makes the keys and certificates of this folder anew, by openssl. They are for tests only: the keys
# are public. All but `expired` are valid from 2020 to 2120.
set -euo pipefail
cd "$(dirname "$0")"
mkdir work
trap 'rm -rf work' EXIT
: >work/index
echo 01 >work/serial
cat >work/conf <<'CONF'
[ca]
default_ca = d
[d]
database = work/index
serial = work/serial
new_certs_dir = work
default_md = sha256
policy = p
preserve = yes
unique_subject = no
[p]
countryName = optional
organizationName = optional
organizationalUnitName = optional
commonName = supplied
[authority]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
CONF

request() { # name, subject
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -batch \
        -keyout "work/$1.key" -out "work/$1.csr" -subj "$2" 2>/dev/null
}

sign() { # name, end, options of openssl ca
    local name=$1 end=$2
    shift 2
    openssl ca -batch -config work/conf -notext -in "work/$name.csr" -out "work/$name.crt" \
        -startdate 20200101000000Z -enddate "$end" "$@" 2>/dev/null
}

authority() { # name, subject
    request "$1" "$2"
    sign "$1" 21200101000000Z -selfsign -keyfile "work/$1.key" -extensions authority
    cp "work/$1.crt" "$1.pem"
}

issue() { # name, subject, names, authority, end
    request "$1" "$2"
    printf 'subjectAltName=%s\nauthorityKeyIdentifier=keyid\nbasicConstraints=CA:FALSE\n' "$3" >work/ext
    sign "$1" "${5:-21200101000000Z}" -cert "work/$4.crt" -keyfile "work/$4.key" -extfile work/ext
    cat "work/$1.key" "work/$1.crt" >"$1.pem"
}

authority ca "/CN=authority"
authority other-ca "/CN=other authority"
issue server "/CN=node" "DNS:localhost,IP:127.0.0.1" ca
issue elsewhere "/CN=elsewhere" "DNS:elsewhere.example" ca
issue alice "/C=DE/O=Org/OU=Eng/CN=alice" "DNS:alice" ca
issue stranger "/C=DE/O=Org/OU=Eng/CN=alice" "DNS:alice" other-ca
request impostor "/C=DE/O=Org/OU=Eng/CN=alice"
sign impostor 21200101000000Z -selfsign -keyfile work/impostor.key
cat work/impostor.key work/impostor.crt >impostor.pem
issue expired "/CN=late" "DNS:late" ca 20200201000000Z
openssl pkcs8 -topk8 -in work/alice.key -passout pass:secret -out work/encrypted.key
cat work/alice.crt work/encrypted.key >alice-encrypted.pem
