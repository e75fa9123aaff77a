# SPDX-License-Identifier: MIT
"""The `sinew` command line in a process of its own, with progress and cancel."""

import os
import queue
import shutil
import signal
import subprocess
import tempfile
import threading


class Failure(Exception):
    """An error for the user: what is wrong and what to do next."""


def find_program(chosen):
    """The program that the preferences name, or the one that a shell would find."""
    if chosen:
        path = os.path.abspath(os.path.expanduser(chosen))
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
        raise Failure(f"{path} is not a program: set the path of sinew in the preferences of the add-on")
    found = shutil.which("sinew")
    if found:
        return found
    raise Failure("sinew was not found: install it, or set its path in the preferences of the add-on")


class Job:
    """One run of sinew. `poll` takes what it said meanwhile; it never waits."""

    def __init__(self, program, arguments, folder):
        self.progress = 0.0
        self.stage = ""
        self.warnings = []
        self.errors = []
        self._lines = queue.SimpleQueue()
        self._said = open(os.path.join(folder, "said.txt"), "w+", encoding="utf-8")
        hidden = {"creationflags": subprocess.CREATE_NO_WINDOW} if os.name == "nt" else {}
        try:
            self._process = subprocess.Popen(
                [program, *arguments, "--progress"], cwd=folder, stdin=subprocess.DEVNULL, stdout=self._said,
                stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace", **hidden)
        except OSError as error:
            raise Failure(f"{program} does not start: {error.strerror}; set the path of sinew in the "
                          "preferences of the add-on") from error
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stderr:
            self._lines.put(line.rstrip())

    def poll(self):
        """None while it runs, then the exit code."""
        code = self._process.poll()
        if code is not None:
            self._reader.join()
        while not self._lines.empty():
            self._take(self._lines.get())
        return code

    def wait(self):
        self._process.wait()
        return self.poll()

    def _take(self, line):
        if line.startswith("progress "):
            _, fraction, self.stage = line.split(" ", 2)
            self.progress = float(fraction)
        elif line.startswith("warning "):
            self.warnings.append(line[len("warning "):])
        elif line.startswith("sinew: error: "):
            self.errors.append(line[len("sinew: error: "):])
        elif line:
            self.errors.append(line)

    def said(self):
        """Its first line on standard output that names no file: what was done."""
        self._said.seek(0)
        lines = [line.strip() for line in self._said if not line.startswith("wrote ")]
        return lines[0] if lines else ""

    def cancel(self):
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGINT)
            try:
                self._process.wait(2)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def close(self):
        self.cancel()
        self._reader.join()
        self._process.stderr.close()
        self._said.close()


class Folder:
    """A temporary folder for the files of one job."""

    def __init__(self, keep):
        self.path = tempfile.mkdtemp(prefix="sinew-")
        self.keep = keep

    def file(self, name):
        return os.path.join(self.path, name)

    def close(self):
        if self.keep:
            print(f"Sinew: files are kept in {self.path}")
        else:
            shutil.rmtree(self.path, ignore_errors=True)
