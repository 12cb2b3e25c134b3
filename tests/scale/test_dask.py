"""A run on the workers of a real Dask scheduler: workers and schedulers that die
change no byte, machines that cannot play are named."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import SHARDS, TOP, assert_kept, assert_same, chunk_times, in_the_middle, script, with_a_full_disk
from slurm_node import free_port


class Cluster:
    """A scheduler and workers, each a process, on the loopback interface."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler: subprocess.Popen | None = None
        self.workers: list[subprocess.Popen] = []

    def _spawn(self, name: str, module: str, *arguments: str, **environment: str) -> subprocess.Popen:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments, "--host", "127.0.0.1", "--no-dashboard"]
        log = (self.folder / f"{name}.log").open("ab")
        return subprocess.Popen(command, env=os.environ | environment, stdout=log, stderr=log, cwd=self.folder)

    def start_scheduler(self) -> None:
        self.scheduler = self._spawn("scheduler", "dask_scheduler", "--port", str(self.port))

    def start_worker(self, **environment: str) -> None:
        name = f"worker-{len(self.workers)}"
        options = ["--no-nanny", "--nthreads", "1", "--name", name, "--local-directory", str(self.folder / name)]
        self.workers.append(self._spawn(name, "dask_worker", self.address, *options, **environment))

    def stop(self) -> None:
        for process in [*self.workers, *filter(None, [self.scheduler])]:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path):
    cluster = Cluster(tmp_path)
    try:
        cluster.start_scheduler()
        yield cluster
    finally:
        cluster.stop()


class Client:
    """`python -m brandub_scale`, and what it says."""

    def __init__(self, cluster: Cluster, run: Path, out: Path, program: str, *options: str, shards: int = SHARDS):
        command = [sys.executable, "-m", "brandub_scale", str(run), "--scheduler", cluster.address, "--shards", str(shards)]
        command += ["--out", str(out), "--program", program, "--patience", "300", *options]
        environment = os.environ | {"PYTHONPATH": str(TOP / "scale/dask")}
        self.log = cluster.folder / f"client-{time.monotonic_ns()}.log"
        self.process = subprocess.Popen(command, env=environment, stdout=self.log.open("wb"), stderr=subprocess.STDOUT)

    def said(self) -> str:
        return self.log.read_text()

    def wait_for(self, reached, seconds: float = 300) -> None:
        deadline = time.monotonic() + seconds
        while not reached():
            assert self.process.poll() is None and time.monotonic() < deadline, self.said()
            time.sleep(0.05)

    def end(self, status: int = 0) -> str:
        assert self.process.wait(timeout=600) == status, self.said()
        return self.said()


def test_a_killed_worker_changes_no_byte_and_nothing_is_played_twice(cluster, study, hold, program, tmp_path):
    run, expected = study
    out, parts = tmp_path / "out", tmp_path / "out-shards"
    for _ in range(3):
        cluster.start_worker()
    client = Client(cluster, run, out, program)
    client.wait_for(lambda: in_the_middle(parts))
    cluster.workers[0].kill()
    before = chunk_times(parts)
    hold.unlink()
    said = client.end()
    assert f"{SHARDS} of {SHARDS} shards:" in said
    assert "all as the manifest says" in said
    assert_kept(before, parts)
    assert_same(out, expected)

    before = chunk_times(parts)
    said = Client(cluster, run, out, program).end()
    assert " played by " not in said
    assert_kept(before, parts)
    assert_same(out, expected)


def test_a_scheduler_that_goes_and_comes_back_loses_no_finished_shard(cluster, study, hold, program, tmp_path):
    run, expected = study
    out, parts = tmp_path / "out", tmp_path / "out-shards"
    # One for each shard, as just one of them ends.
    for _ in range(SHARDS):
        cluster.start_worker()
    client = Client(cluster, run, out, program, "--send-back")
    client.wait_for(lambda: f"1 of {SHARDS} shards:" in client.said())
    cluster.stop()
    before = chunk_times(parts)
    client.wait_for(lambda: "no scheduler at" in client.said())
    hold.unlink()
    cluster.start_scheduler()
    cluster.start_worker()
    cluster.start_worker()
    said = client.end()
    played = [line.split(": ")[1].split()[0] for line in said.splitlines() if " played by " in line]
    assert sorted(played) == [f"{index}/{SHARDS}" for index in range(1, SHARDS + 1)], said
    assert_kept(before, parts)
    assert_same(out, expected)


def test_workers_that_cannot_play_are_named_and_the_others_play(cluster, quick, program, tmp_path):
    run, expected = quick
    out = tmp_path / "out"
    path = "/usr/bin:/bin"
    other = "if [[ $1 == --version ]]; then echo 'brandub 0.0.1 (other)'; else exit 9; fi"
    script(tmp_path / "other/brandub", other)
    script(tmp_path / "full/brandub", with_a_full_disk(program))
    script(tmp_path / "good/brandub", f'exec {program} "$@"')
    cluster.start_worker(PATH=path)
    for name in ["other", "full"]:
        cluster.start_worker(PATH=f"{tmp_path / name}:{path}")
    client = Client(cluster, run, out, program, "--worker-program", "brandub", "--send-back", shards=8)
    client.wait_for(lambda: client.said().count("it gets no more shards") == 3)
    cluster.start_worker(PATH=f"{tmp_path / 'good'}:{path}")
    said = client.end()
    assert "has no program brandub that starts" in said
    assert "has brandub 0.0.1 (other), the run is of brandub" in said
    assert "cannot write" in said
    assert said.count("it gets no more shards") == 3
    assert said.count(" played by ") == 8
    assert_same(out, expected)


def test_wrong_input_ends_it_with_a_message(cluster, quick, program, tmp_path):
    run, _ = quick
    cluster.start_worker()
    missing = Client(cluster, tmp_path / "none.toml", tmp_path / "out", program).end(1)
    assert "no experiment file" in missing
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(run.read_text().replace("games = 64", "games = 0"))
    assert "games" in Client(cluster, wrong, tmp_path / "out", program).end(1)
    assert "cannot start" in Client(cluster, run, tmp_path / "out", str(tmp_path / "nothing")).end(1)

    # Shards of another experiment lie where these are to go.
    Client(cluster, run, tmp_path / "out", program).end()
    wrong.write_text(run.read_text().replace("seed = 11", "seed = 12"))
    assert "is of another run" in Client(cluster, wrong, tmp_path / "out", program).end(1)
