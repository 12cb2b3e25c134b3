"""A run as an array job of a real Slurm: nodes and programs that die change no byte."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
from pathlib import Path

import pytest
from conftest import SHARDS, TOP, assert_kept, assert_same, chunk_times, in_the_middle, script
from slurm_node import SlurmNode

pytestmark = pytest.mark.skipif(platform.system() != "Linux", reason="Slurm runs on Linux")


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    node = SlurmNode(tmp_path_factory.mktemp("slurm"))
    try:
        node.start()
        yield node
    finally:
        node.stop()


def submit(slurm: SlurmNode, run: Path, out: Path, program: str, **environment: str) -> str:
    command = [str(TOP / "scale/slurm/submit.sh"), str(run), str(SHARDS), str(out)]
    return slurm.run(*command, env={"BRANDUB": program, **environment})


def wait_for_jobs(slurm: SlurmNode) -> None:
    # The headings alone; nothing at all is no answer.
    slurm.wait(lambda: len(slurm.run("squeue", check=False).splitlines()) == 1, "the jobs")


def program_of(shard: str, parts: Path) -> int | None:
    """The process that plays a shard."""
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().decode().split("\0")
        except (OSError, UnicodeDecodeError):
            continue
        if words[1:2] == ["run"] and shard in words and str(parts) in words:
            return int(entry.name)
    return None


def test_a_node_and_a_program_that_die_change_no_byte(slurm, study, hold, program, tmp_path):
    run, expected = study
    out, parts = tmp_path / "out", tmp_path / "out-shards"
    said = submit(slurm, run, out, program)
    assert f"shards 1-{SHARDS} of {SHARDS}" in said
    slurm.wait(lambda: in_the_middle(parts), "a shard in its middle")

    # The program alone is killed: the shard asks for another try.
    found: list[int | None] = []
    slurm.wait(lambda: found.append(program_of(f"2/{SHARDS}", parts)) or found[-1], "shard 2 to be played")
    os.kill(found[-1], signal.SIGKILL)
    log = parts / "logs/shard-2.log"
    slurm.wait(lambda: "status 137 and goes back to the queue" in log.read_text(), "the crash to be seen")

    slurm.wait(lambda: any(parts.glob("*-3-of-*/games/*/[0-9]*.csv")), "shard 3 in its middle")
    slurm.kill_node()
    before = chunk_times(parts)
    slurm.wait(lambda: "down" in slurm.run("sinfo", "-h", "-o", "%T", check=False), "the node to be missed")
    hold.unlink()
    slurm.start_node()
    wait_for_jobs(slurm)

    assert_kept(before, parts)
    assert_same(out, expected)
    assert "all as the manifest says" in (parts / "logs/merge.log").read_text()
    tries = {path.stem: path.read_text().count(", try 2,") for path in (parts / "logs").glob("shard-*.log")}
    assert len(tries) == SHARDS and tries["shard-2"] and tries["shard-3"], tries


def test_what_is_missing_is_named_and_submitting_again_plays_just_that(slurm, quick, program, tmp_path):
    run, expected = quick
    out, parts = tmp_path / "out", tmp_path / "out-shards"
    logs = parts / "logs"

    # Shard 2 meets a full disk, shard 3 another version.
    changing = f"""
case "$1 $SLURM_ARRAY_TASK_ID" in
'run 2') trap '' XFSZ; ulimit -f 4 ;;
'--version 3') echo 'brandub 0.0.1 (other)'; exit ;;
esac
exec {program} "$@"
"""
    broken = script(tmp_path / "bin/brandub", changing)
    submit(slurm, run, out, str(broken), TRIES="0")
    wait_for_jobs(slurm)
    assert "cannot write" in (logs / "shard-2.log").read_text()
    assert "has brandub 0.0.1 (other), the run was submitted with" in (logs / "shard-3.log").read_text()
    assert "missing: shards 2-3/4" in (logs / "merge.log").read_text()
    assert not (out / "winrates.csv").exists()
    before = chunk_times(parts)

    # No program at all on the node, whatever there was when it was submitted.
    gone = f"[[ -z $SLURM_JOB_ID ]] || exit 127\nexec {program} \"$@\""
    script(broken, gone)
    said = submit(slurm, run, out, str(broken), TRIES="0")
    assert "shards 2-3 of 4" in said
    wait_for_jobs(slurm)
    assert "that starts: install it there" in (logs / "shard-2.log").read_text()

    said = submit(slurm, run, out, program)
    assert "shards 2-3 of 4" in said
    wait_for_jobs(slurm)
    assert_kept(before, parts)
    assert_same(out, expected)
    assert "all 4 shards are there" in submit(slurm, run, out, program)
    wait_for_jobs(slurm)
    assert_same(out, expected)


def test_mistakes_are_said_before_anything_is_submitted(slurm, quick, program, tmp_path):
    run, _ = quick
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(run.read_text().replace("games = 64", "games = 0"))
    for arguments, message in [
        ([str(wrong), "4"], "games"),
        ([str(run), "0"], "no number of shards"),
        ([str(run)], "submit.sh RUN.toml SHARDS"),
    ]:
        command = [str(TOP / "scale/slurm/submit.sh"), *arguments]
        environment = slurm.environment | {"BRANDUB": program}
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 2 and message in done.stderr, done
    assert not slurm.run("squeue", "-h")


def test_shards_of_another_run_are_not_taken_for_this_one(slurm, quick, program, tmp_path):
    run, expected = quick
    out = tmp_path / "out"
    submit(slurm, run, out, program)
    wait_for_jobs(slurm)
    assert_same(out, expected)
    other = tmp_path / "other" / run.name
    other.parent.mkdir()
    other.write_text(run.read_text().replace("seed = 11", "seed = 12"))
    command = [str(TOP / "scale/slurm/submit.sh"), str(other), str(SHARDS), str(out)]
    environment = slurm.environment | {"BRANDUB": program}
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and f"is no shard of {other}: experiment.seed is 11 there" in done.stderr, done
    assert not slurm.run("squeue", "-h")
