"""What the kernel says of a process: CPU time, resident memory; and of this machine."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

PROC = Path("/proc")
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def parse_stat(text: str) -> tuple[int, int]:
    """Parent's id, and user plus system ticks of all threads, of one /proc/<pid>/stat line.

    The second field is the program's name in brackets and may itself hold spaces and brackets, so
    counting starts behind the last closing one.
    """
    fields = text[text.rindex(")") + 2 :].split()
    return int(fields[1]), int(fields[11]) + int(fields[12])


def family(pid: int) -> list[int]:
    """The process and all that descend from it, found by walking /proc once."""
    children: dict[int, list[int]] = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                parent, _ = parse_stat((entry / "stat").read_text())
            except OSError:
                continue  # it ended while we looked
            children.setdefault(parent, []).append(int(entry.name))
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found


def cpu_seconds(pid: int) -> float:
    """User and system CPU seconds that the process and its descendants have used so far."""
    ticks = 0
    for one in family(pid):
        try:
            ticks += parse_stat((PROC / str(one) / "stat").read_text())[1]
        except FileNotFoundError:
            if one == pid:
                raise
    return ticks / TICKS_PER_SECOND


def parse_resident_kib(status: str) -> int:
    """VmRSS in KiB out of the text of /proc/<pid>/status."""
    for line in status.splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise ValueError("no VmRSS: not a process in user space, or one that has ended")


def resident_mb(pid: int) -> float:
    """Resident memory in MB (10^6 bytes) of the process and its descendants."""
    total = sum(parse_resident_kib((PROC / str(one) / "status").read_text()) for one in family(pid))
    return total * 1024 / 1e6


def machine() -> dict[str, object]:
    """Size and state of this machine, for the head of a report."""
    model = "unknown"
    for line in (PROC / "cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    memory_kib = int((PROC / "meminfo").read_text().split()[1])
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "cores": len(os.sched_getaffinity(0)),
        "cpu": model,
        "memory_gib": round(memory_kib / 2**20, 1),
        "kernel": platform.release(),
        "load_average_at_start": round(os.getloadavg()[0], 2),
    }
