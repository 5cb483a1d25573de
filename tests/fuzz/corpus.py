"""The corpus in the repository: one packed file a target, messages by name so that they last.

A line is `{"hex": …}`, for the codecs `{"message": …, "version": …, "hex": …}` with the body alone:
the two bytes that choose a message move when messages are added.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from .message_targets import SELECTOR_BYTES, chosen, selector

CORPUS: Final = Path(__file__).parent / "corpus"
_BY_NAME: Final = ("codecs", "construct")


def corpus_file(target: str) -> Path:
    """Where the inputs of a target are kept."""
    return CORPUS / f"{target}.jsonl.gz"


def read_corpus(target: str) -> Iterator[bytes]:
    """The inputs of a target as a fuzzer takes them; those of messages that went are left out."""
    path = corpus_file(target)
    if not path.exists():
        return
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            data = bytes.fromhex(entry["hex"])
            if "message" not in entry:
                yield data
                continue
            try:
                yield selector(entry["message"], entry["version"]) + data
            except ValueError:
                continue


def write_corpus(target: str, inputs: Iterable[bytes]) -> None:
    """Keep these inputs; the same ones give the same file."""
    corpus_file(target).parent.mkdir(exist_ok=True)
    lines = [json.dumps(_entry(target, data)) for data in sorted(inputs, key=_order)]
    packed = gzip.compress("".join(f"{line}\n" for line in lines).encode(), 9, mtime=0)
    corpus_file(target).write_bytes(packed)


def _order(data: bytes) -> tuple[int, bytes]:
    return len(data), data


def _entry(target: str, data: bytes) -> dict[str, Any]:
    if target not in _BY_NAME:
        return {"hex": data.hex()}
    name, version = chosen(data)
    return {"message": name, "version": version, "hex": data[SELECTOR_BYTES:].hex()}


def unpack(inputs: Iterable[bytes], directory: Path) -> None:
    """Write inputs as the files that libFuzzer reads."""
    directory.mkdir(parents=True, exist_ok=True)
    for data in inputs:
        (directory / sha256(data).hexdigest()[:20]).write_bytes(data)
