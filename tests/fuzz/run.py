"""Fuzzes all targets in turn: `python tests/fuzz/run.py --seconds 3600 [--target NAME …]`.

Needs atheris (`pip install atheris`). Inputs live in build/fuzz/TARGET/corpus, findings in
build/fuzz/TARGET/findings, figures in build/fuzz/report.json. Exits with 1 after a finding; an
interrupt ends the run early and the report says how long it was.
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from fuzz.corpus import read_corpus, unpack  # noqa: E402 -- the path comes first
from fuzz.seeds import seeds  # noqa: E402
from fuzz.targets import TARGETS  # noqa: E402

WORK: Final = ROOT / "build" / "fuzz"
TURN_SECONDS: Final = 150
INPUT_BYTES_MAX: Final = 4096
INPUT_SECONDS_MAX: Final = 10
MEMORY_MAX_MIB: Final = 768

_STATUS: Final = re.compile(rb"^#(\d+)\s+(\w+)\s+cov: (\d+) ft: (\d+)")
_EXECUTED: Final = re.compile(rb"^stat::number_of_executed_units: (\d+)")
_PEAK: Final = re.compile(rb"^stat::peak_rss_mb:\s+(\d+)")


class Progress:
    """What one target has done so far."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.directory = WORK / name
        self.seconds = 0.0
        self.executions = 0
        self.coverage_first = 0
        self.coverage = 0
        self.features = 0
        self.peak_mib = 0
        self.findings: list[str] = []

    def prepare(self) -> None:
        """Unpack the kept corpus and the seeds next to what an earlier run found."""
        (self.directory / "findings").mkdir(parents=True, exist_ok=True)
        inputs = self.directory / "corpus"
        unpack(read_corpus(self.name), inputs)
        unpack(seeds(self.name), inputs)

    def note(self, line: bytes) -> None:
        """Take what a line of libFuzzer says."""
        if status := _STATUS.match(line):
            self.coverage, self.features = int(status[3]), int(status[4])
            if status[2] == b"INITED" and not self.coverage_first:
                self.coverage_first = self.coverage
        elif executed := _EXECUTED.match(line):
            self.executions += int(executed[1])
        elif peak := _PEAK.match(line):
            self.peak_mib = max(self.peak_mib, int(peak[1]))

    def report(self) -> dict[str, Any]:
        """The figures as JSON."""
        return {
            "target": self.name,
            "seconds": round(self.seconds),
            "executions": self.executions,
            "coverage_of_seeds": self.coverage_first,
            "coverage": self.coverage,
            "features": self.features,
            "corpus_files": len(list((self.directory / "corpus").iterdir())),
            "peak_rss_mib": self.peak_mib,
            "findings": self.findings,
        }


class Run:
    """All targets in turn, until the time is over."""

    def __init__(self, names: list[str], seconds: float) -> None:
        self.targets = [Progress(name) for name in names]
        self.seconds = seconds
        self.began = time.monotonic()
        self.child: subprocess.Popen[bytes] | None = None
        self.stopped = False

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        """On a signal: end the turn that runs; libFuzzer takes SIGINT as its end of time."""
        self.stopped = True
        if self.child is not None:
            self.child.send_signal(signal.SIGINT)

    def all(self) -> bool:
        """Fuzz; whether nothing was found."""
        for target in self.targets:
            target.prepare()
        self.began = time.monotonic()
        for target, seconds in self._turns():
            self._turn(target, seconds)
            self._write_report()
        return not any(target.findings for target in self.targets)

    def _turns(self) -> Iterator[tuple[Progress, int]]:
        share = max(1, min(TURN_SECONDS, round(self.seconds / len(self.targets))))
        while not all(target.findings for target in self.targets):
            for target in self.targets:
                left = round(self.seconds - (time.monotonic() - self.began))
                if self.stopped or left < 1:
                    return
                if not target.findings:
                    yield target, min(share, left)

    def _turn(self, target: Progress, seconds: int) -> None:
        findings = target.directory / "findings"
        command = [
            sys.executable,
            "-m",
            "fuzz.one",
            target.name,
            f"-max_total_time={seconds}",
            f"-max_len={INPUT_BYTES_MAX}",
            f"-timeout={INPUT_SECONDS_MAX}",
            f"-rss_limit_mb={MEMORY_MAX_MIB}",
            f"-artifact_prefix={findings}/",
            "-print_final_stats=1",
            str(target.directory / "corpus"),
        ]
        began = time.monotonic()
        before = set(findings.iterdir())
        self.child = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=ROOT / "tests"
        )
        assert self.child.stdout is not None
        with (target.directory / "log.txt").open("ab") as log:
            for line in self.child.stdout:
                log.write(line)
                target.note(line)
        status = self.child.wait()
        self.child = None
        target.seconds += time.monotonic() - began
        target.findings += sorted(str(path) for path in set(findings.iterdir()) - before)
        if status and not target.findings and not self.stopped:
            target.findings.append(f"exit status {status}, see {target.directory}/log.txt")
        print(json.dumps(target.report()), flush=True)

    def _write_report(self) -> None:
        report = {
            "seconds": round(time.monotonic() - self.began),
            "executions": sum(target.executions for target in self.targets),
            "targets": [target.report() for target in self.targets],
        }
        (WORK / "report.json").write_text(json.dumps(report, indent=2) + "\n")


def main() -> int:
    """Parse the command line, fuzz, print the sum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600, help="for all targets together")
    parser.add_argument("--target", action="append", choices=list(TARGETS), help="all by default")
    options = parser.parse_args()
    run = Run(options.target or list(TARGETS), options.seconds)
    signal.signal(signal.SIGTERM, run.stop)
    signal.signal(signal.SIGINT, run.stop)
    clean = run.all()
    executions = sum(target.executions for target in run.targets)
    seconds = time.monotonic() - run.began
    print(
        f"{executions} executions in {seconds:.0f} s; {'nothing' if clean else 'something'} found"
    )
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
