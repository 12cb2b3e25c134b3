"""A Slurm of one node in a folder: controller, node and munge, as root or not,
without systemd or cgroups, on the loopback interface alone."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "sinfo"]


def free_ports(count: int) -> list[int]:
    """So many ports, each another, below those that systems give away by themselves."""
    taken: list[socket.socket] = []
    while len(taken) < count:
        try:
            taken.append(socket.create_server(("127.0.0.1", 10_000 + secrets.randbelow(22_768))))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    ports = [one.getsockname()[1] for one in taken]
    for one in taken:
        one.close()
    return ports


def free_port() -> int:
    return free_ports(1)[0]


class SlurmNode:
    def __init__(self, folder: Path):
        path = os.environ["PATH"] + ":/usr/sbin:/sbin"
        missing = [name for name in PROGRAMS if shutil.which(name, path=path) is None]
        assert not missing, f"no {', '.join(missing)}: tests/environment.sh slurm installs them"
        self.folder = folder
        self.name = socket.gethostname().split(".")[0]
        self.conf = folder / "slurm.conf"
        self.environment = os.environ | {"PATH": path, "SLURM_CONF": str(self.conf)}
        self.running: dict[str, subprocess.Popen] = {}
        for name in ["state", "spool", "munge"]:
            (folder / name).mkdir(mode=0o755)
        key = folder / "munge" / "key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o600)
        self.conf.write_text(self._configuration())

    def _configuration(self) -> str:
        at = self.folder
        controller, node = free_ports(2)
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout
        return f"""\
ClusterName=test
SlurmctldHost={self.name}(127.0.0.1)
SlurmUser={user.strip()}
SlurmdUser={user.strip()}
SlurmctldPort={controller}
SlurmdPort={node}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
CredType=cred/munge
# A requeued job begins as soon as a credential of its last try is no longer good.
AuthInfo=socket={at}/munge/socket,cred_expire=15
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
StateSaveLocation={at}/state
SlurmdSpoolDir={at}/spool
SlurmctldPidFile={at}/slurmctld.pid
SlurmdPidFile={at}/slurmd.pid
SlurmdTimeout=10
MessageTimeout=100
ReturnToService=2
SchedulerParameters=sched_interval=2,sched_min_interval=100000,batch_sched_delay=0,defer_batch
NodeName={self.name} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""

    def start(self) -> None:
        at = self.folder / "munge"
        files = {"socket": "socket", "key-file": "key", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        options = [f"--{option}={at / name}" for option, name in files.items()]
        self._spawn("munged", "--foreground", "--force", *options)
        self.wait(lambda: (at / "socket").exists(), "munge's socket")
        self._spawn("slurmctld", "-D", "-f", str(self.conf))
        self.start_node()

    def start_node(self) -> None:
        self._spawn("slurmd", "-D", "-f", str(self.conf))
        self.wait(lambda: self.run("sinfo", "-h", "-o", "%T", check=False) in ["idle", "mixed", "allocated"], "the node")

    def kill_node(self) -> None:
        """As when a machine loses power: the node's daemon and every job on it."""
        node = self.running.pop("slurmd")
        jobs = self._steps()
        for process in [node.pid, *jobs]:
            _kill(process)
        node.wait()

    def _steps(self) -> list[int]:
        """The processes that the node's daemon has started, and theirs."""
        parents = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                    environment = (entry / "environ").read_bytes()
                    name = (entry / "cmdline").read_bytes()
                except OSError:
                    continue
                ours = f"SLURM_CONF={self.conf}".encode() in environment.split(b"\0")
                parents[int(entry.name)] = (int(fields[1]), ours and b"slurmstepd" in name)
        found = [process for process, (_, step) in parents.items() if step]
        for process in found:
            found.extend(child for child, (parent, _) in parents.items() if parent == process and child not in found)
        return found

    def stop(self) -> None:
        if self.running:
            self.run("scancel", "--full", "--user", str(os.getuid()), check=False)
        for process in self._steps():
            _kill(process)
        for name in ["slurmd", "slurmctld", "munged"]:
            process = self.running.pop(name, None)
            if process is not None:
                process.kill()
                process.wait()

    def _spawn(self, name: str, *arguments: str) -> None:
        log = (self.folder / f"{name}.log").open("ab")
        self.running[name] = subprocess.Popen(
            [name, *arguments], env=self.environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL
        )

    def run(self, *command: str, check: bool = True, **more) -> str:
        done = subprocess.run(command, env=self.environment | more.pop("env", {}), capture_output=True, text=True, **more)
        assert not check or done.returncode == 0, f"{command}: {done.stderr}{self.logs()}"
        return done.stdout.strip()

    def logs(self) -> str:
        tails = [f"\n== {path.name}\n{path.read_text()[-2000:]}" for path in sorted(self.folder.glob("*.log"))]
        return "".join(tails)

    def wait(self, reached, what: str, seconds: float = 300) -> None:
        """Until something is reached, which says so by a true value."""
        deadline = time.monotonic() + seconds
        while not reached():
            for name, process in self.running.items():
                assert process.poll() is None, f"{name} ended: {self.logs()}"
            assert time.monotonic() < deadline, f"waited {seconds} s for {what}: {self.logs()}"
            time.sleep(0.1)


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass
