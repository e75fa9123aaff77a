# SPDX-License-Identifier: MIT
"""Runs a plan of `sinew batch` on a Dask cluster: many machines, the same plan, ledger and outputs.

    python3 -m sinew.batch plan.json -o out --workers 8                    # a cluster on this machine
    python3 -m sinew.batch plan.json -o out --scheduler tcp://head:8786    # one that is there

The plan is read, jobs are run and recorded by `sinew batch` itself. Dask only says where, repeats what a lost worker
did not finish, and shows a dashboard. A fit over many sequences of one mesh is done in rounds, each machine its own part:

    python3 -m sinew.batch fit 'horse/*.pc2' --option bones=30 --rounds 3 -o out --scheduler tcp://head:8786

Each worker appends to a ledger of its own in the output folder, which all
machines share, so nothing that is done is lost with a worker, the scheduler or this program: started again, it goes
on. Needs python3-distributed.
"""
import argparse
import fcntl
import json
import os
import shutil
import subprocess
import sys
import time


def run_job(job, program, output, options):
    """On a worker: one job, within limits, recorded in the ledger of this worker. Its state."""
    import os
    import socket
    import subprocess
    name = f"{socket.gethostname()}-{os.getpid()}"
    ended = subprocess.run([program, "batch", "-o", output, "--run", json.dumps(job), "--ledger", name, *options],
                           stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if ended.returncode != 0:
        raise RuntimeError(ended.stderr.strip() or f"{program} ended with code {ended.returncode}")
    return json.loads(ended.stdout)


class Batch:
    """A plan, and what of it is waiting."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.output = os.path.abspath(arguments.output)
        self.program = shutil.which(arguments.program)
        if self.program is None:
            sys.exit(f"sinew.batch: there is no program {arguments.program}; name it with --program")
        self.program = os.path.abspath(self.program)
        self.options = ["--time-limit", str(arguments.time_limit), "--memory-limit", str(arguments.memory_limit)]
        self.options += ["--thumbnails"] * arguments.thumbnails + ["--retry"] * arguments.retry
        self.done = self.failed = 0
        self.start = time.monotonic()

    def listed(self):
        """All jobs and their states, as `sinew batch` says."""
        words = [self.program, "batch", *self.arguments.plan, "-o", self.output, "--list", "--quiet"]
        for option in self.arguments.option:
            words += ["--option", option]
        words += ["--name", self.arguments.name] * bool(self.arguments.name) + ["--retry"] * self.arguments.retry
        listed = subprocess.run(words, stdout=subprocess.PIPE, text=True)
        if listed.returncode != 0:
            sys.exit(listed.returncode)
        return [json.loads(line) for line in listed.stdout.splitlines()]

    def waiting(self):
        return [job for job in self.listed() if job["state"] == "waiting"]

    def ended(self, record, left):
        self.done += record["state"] == "done"
        self.failed += record["state"] != "done"
        if record["state"] != "done":
            print(f"{record['job']}: {record['state']}: {record['error']}", flush=True)
        if sys.stderr.isatty():
            rate = (self.done + self.failed) / max(1e-9, time.monotonic() - self.start)
            print(f"\r\x1b[K{self.done} done, {self.failed} failed, {left} left   {60 * rate:.3g} per minute   "
                  f"{left / rate / 60:.1f} minutes left", end="", file=sys.stderr, flush=True)

    def run(self, client, jobs):
        """All jobs, a few for each thread of the cluster at a time: the scheduler keeps no more than that."""
        from distributed import as_completed
        waiting = list(reversed(jobs))
        threads = sum(client.nthreads().values())
        # Keys say what is run, so that the dashboard can show it; each list of jobs has its own.
        stamp = str(time.time_ns())
        submit = lambda job: client.submit(run_job, job, self.program, self.output, self.options,
                                           key=f"{job['verb']}-{job['job']}-{stamp}", retries=2)
        running = as_completed([submit(waiting.pop()) for _ in range(min(len(waiting), max(64, 4 * threads)))])
        left = len(jobs)
        for future in running:
            record = future.result()
            left -= 1
            self.ended(record, left)
            if waiting:
                running.add(submit(waiting.pop()))

    def merge(self):
        """Joins the ledgers of the workers and writes the summary; the exit code of the batch."""
        quiet = ["--quiet"] * self.arguments.quiet
        return subprocess.run([self.program, "batch", "--merge", "-o", self.output, *quiet]).returncode


def connect(arguments):
    """A client of the cluster, and the cluster when it is a local one."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        sys.exit("sinew.batch: Dask is not installed: apt-get install python3-distributed")
    if not arguments.scheduler:
        cluster = LocalCluster(n_workers=arguments.workers or os.cpu_count(), threads_per_worker=1)
        return Client(cluster)
    end = time.monotonic() + arguments.wait
    while True:
        try:
            return Client(arguments.scheduler, timeout=5)
        except (OSError, TimeoutError) as error:
            if time.monotonic() > end:
                sys.exit(f"sinew.batch: {arguments.scheduler} does not answer: {error}")
            time.sleep(0.5)


def draws_plots():
    """On the scheduler: whether its dashboard has plots, for which it needs bokeh."""
    import importlib.util
    return importlib.util.find_spec("bokeh") is not None


def dashboard(client):
    """Address of the dashboard: plots, or else the tables of workers and tasks that the scheduler writes itself."""
    link = client.dashboard_link
    return link if client.run_on_scheduler(draws_plots) else link.removesuffix("status") + "info/main/workers.html"


def lost(error):
    """Whether the scheduler went away, rather than a job."""
    from concurrent.futures import CancelledError
    from distributed.comm.core import CommClosedError
    return isinstance(error, (CommClosedError, CancelledError, OSError, TimeoutError))


def execute(batch):
    jobs = batch.waiting()
    while jobs:
        client = connect(batch.arguments)
        if not batch.arguments.quiet:
            print(f"{len(jobs)} jobs on {client.scheduler.address}, dashboard {dashboard(client)}", flush=True)
        try:
            client.wait_for_workers(1, timeout=batch.arguments.wait)
            batch.run(client, jobs)
            jobs = []
        except Exception as error:
            if not lost(error) or not batch.arguments.scheduler:
                raise
            print(f"sinew.batch: the scheduler went away ({type(error).__name__}); waiting for it", file=sys.stderr,
                  flush=True)
            jobs = batch.waiting()  # what the workers have recorded is done
        finally:
            cluster = client.cluster
            client.close(timeout=2)
            if cluster is not None:
                cluster.close()


def run_batch(arguments):
    """All jobs of a plan; the exit code."""
    batch = Batch(arguments)
    os.makedirs(batch.output, exist_ok=True)
    with open(os.path.join(batch.output, "ledger.jsonl"), "a") as ledger:
        try:
            fcntl.flock(ledger, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"sinew.batch: another batch writes to {ledger.name}: wait for it")
        execute(batch)
    return batch.merge()


def fit_together(arguments):
    """Map and reduce: a rig from a few frames; then in rounds each sequence gives transformations and normal equations, whose
    sum gives the weights of all. Every step is a file, so that it goes on where it stopped."""
    output = os.path.abspath(arguments.output)
    os.makedirs(output, exist_ok=True)
    program = Batch(arguments).program

    def chosen(*names):
        return [option for option in arguments.option if not names or option.split("=")[0] in names]

    def stage(name, inputs, target, *words):
        subprocess.run([program, "fit", *inputs, "--stage", name, "-o", target, "--quiet", *words], check=True)

    def parts(folder, rig):
        """Transformations and sums of every sequence, in order."""
        reading = chosen("rest", "units", "up", "fps", "chunk", "strict", "allow-outside")
        plan = argparse.Namespace(**{**vars(arguments), "output": os.path.join(output, folder), "name": "{number}.fit",
                                     "option": ["stage=part", "resume=" + rig, *reading]})
        jobs = Batch(plan).listed()
        if run_batch(plan) != 0:
            sys.exit(1)
        return [os.path.join(plan.output, job["job"]) for job in jobs]

    rig = os.path.join(output, "rig.0.fit")
    if not os.path.exists(rig):
        listing = argparse.Namespace(**{**vars(arguments), "name": "{number}.fit", "option": []})
        sequences = [job["inputs"][0] for job in Batch(listing).listed()]
        stage("start", sequences, rig, *["--" + option for option in chosen()])
    for number in range(arguments.rounds):
        made = parts(f"round.{number + 1}", rig)
        better = os.path.join(output, f"rig.{number + 1}.fit")
        stage("weights", [path[:-4] + ".sums" for path in made], better, "--resume", rig,
              *["--" + option for option in chosen("influences")])
        rig = better
    made = parts("parts", rig)
    joined = os.path.join(output, "fit.fit")
    stage("join", made, joined, *["--" + option for option in chosen("precision", "bits")])
    print(f"wrote {joined}")
    return 0


def main(words=None):
    parser = argparse.ArgumentParser(prog="python3 -m sinew.batch", description=__doc__.split("\n")[0])
    parser.add_argument("plan", nargs="+", help="plan (json, csv), or a verb and its inputs as quoted patterns")
    parser.add_argument("-o", "--output", required=True, help="folder that all machines share")
    parser.add_argument("--scheduler", help="address of a Dask scheduler, such as tcp://head:8786")
    parser.add_argument("--workers", type=int, default=0, help="without a scheduler: processes on this machine")
    parser.add_argument("--wait", type=float, default=300, help="seconds to wait for a scheduler or worker that is away")
    parser.add_argument("--option", action="append", default=[], help="option of the verb, such as template=biped")
    parser.add_argument("--name", default="", help="outputs by pattern")
    parser.add_argument("--time-limit", type=float, default=3600, help="seconds that a job may take")
    parser.add_argument("--memory-limit", type=float, default=0, help="gigabytes that a job may take")
    parser.add_argument("--thumbnails", action="store_true", help="draw a picture of every output")
    parser.add_argument("--retry", action="store_true", help="try again what failed before")
    parser.add_argument("--program", default="sinew", help="the command line, on every machine")
    parser.add_argument("--quiet", action="store_true", help="print failures only")
    parser.add_argument("--rounds", type=int, help="of `fit`: the sequences are one mesh, fitted together on all machines")
    arguments = parser.parse_args(words)
    if arguments.rounds is None:
        return run_batch(arguments)
    if arguments.plan[0] != "fit":
        parser.error("--rounds is for fit")
    return fit_together(arguments)


if __name__ == "__main__":
    sys.exit(main())
