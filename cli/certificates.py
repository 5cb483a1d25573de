"""`barnabas certificates`: an authority of one's own, and what it signs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from barnabas.private_files import write_private

from .connecting import json_option
from .errors import fail
from .output import print_json

PUBLIC = 0o644
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_OF_THE_AUTHORITY = "ca"


@click.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--for",
    "wanted",
    multiple=True,
    required=True,
    metavar="NAME[=HOST,…]",
    help="A node and the names and addresses that it is dialled by, or a client; may be repeated.",
)
@click.option(
    "--authority",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the authority's key; DIRECTORY unless given.",
)
@click.option("--days", type=click.IntRange(1, 36500), default=3650, show_default=True)
@click.option("--renew", is_flag=True, help="Make those that are there anew, too.")
@json_option
def command(
    directory: Path,
    wanted: tuple[str, ...],
    authority: Path | None,
    days: int,
    renew: bool,
    as_json: bool,
) -> None:
    """Make keys and certificates, signed by an authority that is made at first.

    DIRECTORY/NAME.pem is a key with its certificate, whose subject is CN=NAME; a node takes it as
    ssl.keystore.location. ca.pem is the authority's certificate, for ssl.truststore.location;
    ca.key signs: who has it can be everybody. What is there stays, unless --renew is given; the
    authority stays in any case.
    """
    names = dict(map(_name_and_hosts, wanted))
    home = authority or directory
    for folder in (home, directory):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = _make_authority(home, days)
    if directory != home:
        certificate = _text_of(home / "ca.pem")
        write_private(directory / "ca.pem", certificate, PUBLIC)
    made += _make(home, directory, names, days, renew=renew)
    if as_json:
        print_json({"directory": str(directory), "made": made})
        return
    for one in made:
        click.echo(f"made {one}")
    if not made:
        click.echo("all of them are there already; --renew makes them anew")


def _make_authority(home: Path, days: int) -> list[str]:
    """The files that were made."""
    try:
        from barnabas.authority import new_authority
    except ImportError:
        fail("certificates are made with the package cryptography: pip install cryptography")
    key, certificate = home / "ca.key", home / "ca.pem"
    if key.exists() and certificate.exists():
        return []
    for one, other in ((key, certificate), (certificate, key)):
        if one.exists():
            fail(f"{other} is missing: the authority is its key and its certificate")
    pair = new_authority("barnabas authority", days)
    write_private(certificate, pair.certificate, PUBLIC)
    write_private(key, pair.key)
    return [str(key), str(certificate)]


def _make(
    home: Path, directory: Path, names: Mapping[str, Sequence[str]], days: int, *, renew: bool
) -> list[str]:
    """The files that were made."""
    from barnabas.authority import Pair, issue
    from barnabas.tls import TlsError

    key, certificate = (_text_of(home / name) for name in ("ca.key", "ca.pem"))
    made = []
    for name, hosts in names.items():
        path = directory / f"{name}.pem"
        if path.exists() and not renew:
            continue
        try:
            write_private(path, issue(Pair(key, certificate), name, hosts, days).pem)
        except TlsError as error:
            fail(str(error))
        made.append(str(path))
    return made


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        fail(f"{path} is no PEM, but binary: `openssl x509` and `openssl pkey` make PEM of DER")


def _name_and_hosts(text: str) -> tuple[str, list[str]]:
    name, _, hosts = text.partition("=")
    if not _NAME.fullmatch(name) or name == _OF_THE_AUTHORITY:
        raise click.BadParameter(f"{name!r} cannot be the name of a file", param_hint="--for")
    return name, [one.strip() for one in hosts.split(",") if one.strip()]
