"""A small study, as one machine plays it, and the program."""

from __future__ import annotations

import subprocess
from pathlib import Path

import built
import pytest

TOP = Path(__file__).resolve().parents[2]
SHARDS = 4
# Random games beside others.
QUICK = """\
name = "quick"
seed = 11
games = 64
ply_limit = 120
pairing = "common"
[rules]
base = "disputed"
vary = { king_capture = ["two", "four"] }
[opening]
random_plies = 2
[[match]]
agents = ["alphabeta:nodes=100"]
[[match]]
agents = ["random"]
"""
# The same with a few chunks a shard; and all shards after the first do not end while HOLD
# is there: a match of theirs is against an engine that answers only when it is gone.
STUDY = QUICK.replace('"quick"', '"study"').replace("nodes=100", "nodes=10000") + """\
[[match]]
attackers = "random"
defenders = "external:seconds=3600,sh {folder}/engine.sh"
"""
HOLD = "hold"
ENGINE = """\
words=$({{ tr '\\0' ' ' < /proc/$PPID/cmdline; }} 2> /dev/null || ps -ww -o args= -p $PPID)
case "$words" in
*" 1/{shards} "*) ;;
*) while [ -e {folder}/{hold} ] && kill -0 $PPID 2> /dev/null; do sleep 0.1; done ;;
esac
exec {program} engine random
"""


@pytest.fixture(scope="session")
def program() -> str:
    return built.program()


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a result folder with its bytes, the empty lock apart."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != ".lock")
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def assert_same(found: Path, expected: dict[str, bytes]) -> None:
    here = files(found)
    assert sorted(here) == sorted(expected)
    others = [name for name, content in expected.items() if here[name] != content]
    assert not others, f"other bytes: {others}"


def chunk_times(parts: Path) -> dict[Path, int]:
    """When each chunk file was written."""
    return {path: path.stat().st_mtime_ns for path in parts.glob("*/games/*/*.csv") if not path.name.startswith(".")}


def assert_kept(before: dict[Path, int], parts: Path) -> None:
    """No game that was there has been played again."""
    after = chunk_times(parts)
    again = [path for path, written in before.items() if after.get(path) != written]
    assert before and not again


def in_the_middle(parts: Path) -> bool:
    """Whether a shard has some of its chunks and not all of them."""
    unfinished = [path.parent for path in parts.glob("*/manifest.json") if '"incomplete"' in path.read_text()]
    return any(list(folder.glob("games/*/[0-9]*.csv")) for folder in unfinished)


def played_at_once(program: str, text: str, folder: Path) -> tuple[Path, dict[str, bytes]]:
    name = "study" if text is STUDY else "quick"
    run = folder / f"{name}.toml"
    run.write_text(text.replace("{folder}", str(folder)))
    engine = ENGINE.format(shards=SHARDS, folder=folder, hold=HOLD, program=program)
    (folder / "engine.sh").write_text(engine)
    subprocess.run([program, "run", run, "--out", folder / name, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return run, files(folder / name)


@pytest.fixture(scope="session")
def study(program, tmp_path_factory) -> tuple[Path, dict[str, bytes]]:
    """The experiment file and the files of an undisturbed run."""
    return played_at_once(program, STUDY, tmp_path_factory.mktemp("study"))


@pytest.fixture
def hold(study):
    """While this file is there, the study's shards after the first do not end."""
    path = study[0].parent / HOLD
    path.touch()
    yield path
    path.unlink(missing_ok=True)


@pytest.fixture(scope="session")
def quick(program, tmp_path_factory) -> tuple[Path, dict[str, bytes]]:
    return played_at_once(program, QUICK, tmp_path_factory.mktemp("quick"))


def script(path: Path, text: str) -> Path:
    """A program that is a shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)
    return path


def with_a_full_disk(program: str) -> str:
    """A limit on the size of any file stands in for a disk that is full."""
    return f"[[ $1 != run ]] || {{ trap '' XFSZ; ulimit -f 4; }}\nexec {program} \"$@\""
