"""Plays a run's shards on the workers of a Dask scheduler, merges and verifies:

    python -m brandub_scale RUN.toml --scheduler tcp://HOST:8786 --shards 64

A shard is one task: the program plays it, on the worker, into a folder that all
see, or (--send-back) into one of the worker's own, whose bytes come back. What
is finished on disk is not played again, so that the same command goes on after
anything. See docs/scale.md.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import uuid
from collections import Counter
from concurrent.futures import CancelledError
from dataclasses import dataclass
from pathlib import Path

from distributed import Client, wait

POLL = 2.0  # seconds between two looks at scheduler and workers


class Stop(Exception):
    """Nothing more can be done; what was finished stays."""


@dataclass(frozen=True)
class Job:
    """What a worker must know."""

    text: str  # the experiment file
    program: str
    version: str
    parts: str | None  # the shared folder; None to send the bytes back
    token: str  # a file in it
    threads: int


@dataclass(frozen=True)
class Said:
    """What became of a shard: `done`; `unfit`, the worker cannot play it;
    `wrong`, nobody can; `crashed`, somebody should try again."""

    status: str
    worker: str
    message: str = ""
    archive: bytes | None = None


def play(job: Job, shard: str, folder: str) -> Said:
    """On a worker: plays a shard."""
    from distributed import get_worker

    worker = get_worker()
    said = lambda status, *more: Said(status, worker.address, *more)  # noqa: E731
    try:
        here = subprocess.run([job.program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        return said("unfit", f"has no program {job.program} that starts ({error}): install it or name it with --worker-program")
    if here != job.version:
        return said("unfit", f"has {here}, the run is of {job.version}: install the same on every worker")
    if job.parts is not None and not (Path(job.parts) / job.token).exists():
        return said("unfit", f"does not see {job.parts}: mount it there, or use --send-back")
    parts = Path(job.parts or Path(worker.local_directory) / "brandub-shards")
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as run:
        run.write(job.text)
        run.flush()
        command = [job.program, "run", run.name, "--shard", shard, "--results", str(parts)]
        command += ["--threads", str(job.threads), "--wait", "--quiet"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        status = {1: "unfit", 2: "wrong"}.get(done.returncode, "crashed")
        return said(status, f"status {done.returncode}: {done.stderr.strip()[-2000:]}")
    if job.parts is not None:
        return said("done")
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz", compresslevel=3) as tar:
        tar.add(parts / folder, arcname=folder)
    shutil.rmtree(parts / folder)
    return said("done", "", archive.getvalue())


@dataclass
class Run:
    """The run as the client sees it."""

    plan: dict
    parts: Path
    job: Job
    retries: int
    patience: float

    def is_finished(self, planned: dict) -> bool:
        """Whether a shard is whole on disk. Raises Stop if another run is."""
        folder = self.parts / planned["folder"]
        try:
            manifest = json.loads((folder / "manifest.json").read_bytes())
        except FileNotFoundError:
            return False
        except ValueError as error:
            raise Stop(f"{folder}/manifest.json is damaged ({error}): remove {folder}") from error
        revision = self.plan["program"]["play_revision"]
        if manifest["experiment"] != self.plan["experiment"] or manifest["program"]["play_revision"] != revision:
            raise Stop(f"{folder} is of another run (experiment or play revision): choose another --parts, or remove it")
        checked = manifest.get("selfcheck")
        return manifest["status"] == "complete" and checked is not None and not checked["failed"]

    def missing(self) -> list[dict]:
        return [planned for planned in self.plan["shards"] if not self.is_finished(planned)]

    def keep(self, planned: dict, archive: bytes) -> None:
        """Puts a shard that came back in its place, whole or not at all."""
        with tempfile.TemporaryDirectory(dir=self.parts, prefix=".arriving-") as arriving:
            with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
                tar.extractall(arriving, filter="data")
            folder = self.parts / planned["folder"]
            if folder.exists():
                folder.rename(Path(arriving) / "before")
            (Path(arriving) / planned["folder"]).rename(folder)


def say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def expect_workers(client: Client, since: float, run: Run, last: str) -> float:
    """Looks whether the scheduler answers and has workers; gives when it last had."""
    if client.nthreads():
        return time.monotonic()
    if time.monotonic() - since > run.patience:
        raise Stop(f"the scheduler has had no worker for {run.patience:.0f} s{last}")
    return since


def session(client: Client, run: Run, failures: Counter) -> None:
    """Plays what is missing, as long as the scheduler is there."""
    missing = run.missing()
    total = len(run.plan["shards"])
    done = total - len(missing)
    say(f"{done} of {total} shards are there, {len(client.nthreads())} workers")
    submit = lambda planned: client.submit(  # noqa: E731
        play, run.job, planned["shard"], planned["folder"], key=f"brandub-{planned['shard']}-{uuid.uuid4().hex}", pure=False
    )
    # The longest first, so that none is left alone at the end.
    missing.sort(key=lambda planned: -planned["games"])
    futures = {submit(planned): planned for planned in missing}
    since, last, unfit = time.monotonic(), "", set()
    while futures:
        try:
            wait(list(futures), timeout=POLL, return_when="FIRST_COMPLETED")
        except TimeoutError:
            pass
        since = expect_workers(client, since, run, last)
        for future in [future for future in futures if future.done()]:
            planned = futures.pop(future)
            shard = planned["shard"]
            if future.cancelled():
                raise CancelledError(shard)
            error = future.exception()
            said = future.result() if error is None else Said("crashed", "its worker", f"{type(error).__name__}: {error}")
            future.release()
            if said.status == "done":
                if said.archive is not None:
                    run.keep(planned, said.archive)
                done += 1
                say(f"{done} of {total} shards: {shard} played by {said.worker}")
                continue
            last = f"; the last one, {said.worker}, {said.message}"
            if said.status == "wrong":
                raise Stop(f"shard {shard} cannot be played: {said.message}")
            if said.status == "unfit":
                # Shards that it had already taken come back one by one.
                if said.worker not in unfit:
                    unfit.add(said.worker)
                    say(f"worker {said.worker} {said.message}\n  it gets no more shards; its go to others")
                    client.retire_workers([said.worker])
            else:
                failures[shard] += 1
                say(f"shard {shard} crashed on {said.worker}: {said.message}")
                if failures[shard] > run.retries:
                    raise Stop(f"shard {shard} crashed {failures[shard]} times: {said.message}")
            futures[submit(planned)] = planned


def play_all(run: Run, scheduler: str) -> None:
    """Plays every shard, through schedulers that go and come back."""
    failures: Counter = Counter()
    since = time.monotonic()
    while run.missing():
        try:
            with Client(scheduler, timeout=POLL + 3) as client:
                since = time.monotonic()
                session(client, run, failures)
        # Of a scheduler that is gone, connections break and futures are cancelled.
        except (OSError, TimeoutError, CancelledError, asyncio.CancelledError, RuntimeError) as error:
            if time.monotonic() - since > run.patience:
                raise Stop(f"no scheduler at {scheduler} for {run.patience:.0f} s: {error}") from error
            say(f"no scheduler at {scheduler} ({type(error).__name__}): trying again; finished shards stay")
            time.sleep(POLL)


def command(*arguments: str, output: bool = False) -> str:
    try:
        done = subprocess.run(arguments, stdout=subprocess.PIPE if output else None, text=True)
    except OSError as error:
        raise Stop(f"cannot start {arguments[0]} ({error}): install it or name it with --program") from error
    if done.returncode != 0:
        raise Stop(f"`{' '.join(arguments[:2])}` ended with status {done.returncode}")
    return done.stdout or ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m brandub_scale", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("run", type=Path, metavar="RUN.toml", help="experiment file")
    parser.add_argument("--scheduler", required=True, metavar="tcp://HOST:PORT")
    parser.add_argument("--shards", required=True, type=int, metavar="N", help="`brandub plan RUN.toml` suggests how many")
    parser.add_argument("--out", type=Path, metavar="DIR", help="result folder [default: results/NAME]")
    parser.add_argument("--parts", type=Path, metavar="DIR", help="the shards' folders [default: OUT-shards]")
    parser.add_argument("--send-back", action="store_true", help="workers do not see PARTS: they send the shards' bytes")
    parser.add_argument("--program", default="brandub", help="here [default: brandub]")
    parser.add_argument("--worker-program", help="on the workers [default: as here]")
    parser.add_argument("--threads", type=int, default=1, help="of one shard [default: 1]")
    parser.add_argument("--retries", type=int, default=3, help="of a shard that crashed [default: 3]")
    parser.add_argument("--patience", type=float, default=600, metavar="SECONDS", help="without scheduler or workers [default: 600]")
    given = parser.parse_args()
    try:
        if not given.run.is_file():
            raise Stop(f"no experiment file {given.run}")
        planned = command(given.program, "plan", str(given.run), "--shards", str(given.shards), "--seconds", "0", "--json", output=True)
        plan = json.loads(planned)
        out = (given.out or Path("results") / plan["name"]).resolve()
        parts = (given.parts or out.with_name(f"{out.name}-shards")).resolve()
        parts.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=parts, prefix=".seen-") as token:
            job = Job(
                text=given.run.read_text(),
                program=given.worker_program or given.program,
                version=command(given.program, "--version", output=True).strip(),
                parts=None if given.send_back else str(parts),
                token=Path(token.name).name,
                threads=given.threads,
            )
            run = Run(plan, parts, job, given.retries, given.patience)
            play_all(run, given.scheduler)
        folders = [str(parts / planned["folder"]) for planned in plan["shards"]]
        command(given.program, "merge", *folders, "--out", str(out))
        command(given.program, "verify", str(out))
    except Stop as problem:
        say(f"error: {problem}\nFinished shards stay; the same command goes on.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
