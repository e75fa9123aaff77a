#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The Python module as a user has it: its examples, its arrays, its errors, and the bytes that it writes."""
import ast
import doctest
import inspect
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import unittest
import warnings

import numpy as np

import sinew

CLI = os.environ["SINEW_CLI"]
PACKAGE = pathlib.Path(sinew.__file__).parent


class ModuleTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder.name)
        warnings.simplefilter("ignore")

    def command(self, *words):
        subprocess.run([CLI, *words, "--quiet"], check=True)

    def test_examples(self):
        """Every docstring has an example, and every example says the truth."""
        runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
        parser = doctest.DocTestParser()
        for name in sinew.__all__:
            text = getattr(sinew, name).__doc__
            test = parser.get_doctest(text, {"sinew": sinew}, name, None, 0)
            if name not in ("Error", "Trial"):
                self.assertTrue(test.examples, f"{name} has no example")
            runner.run(test)
        self.assertEqual(runner.failures, 0)
        self.assertGreater(runner.tries, 50)

    def test_stubs_name_everything(self):
        stub = (PACKAGE / "__init__.pyi").read_text()
        for name in sinew.__all__:
            self.assertRegex(stub, rf"(?m)^(class|def) {name}\b")
            thing = getattr(sinew, name)
            if not inspect.isclass(thing):
                continue
            body = re.split(rf"(?m)^class {name}\b.*$", stub)[1].split("\nclass ")[0]
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    self.assertRegex(body, rf"\b{member}\b", f"{name}.{member} is not in the stub")
                    said = re.sub(r"^.* -> .*\n*", "", value.__doc__ or "")  # without the signature
                    self.assertTrue(said, f"{name}.{member} is not documented")

    def test_stubs_have_the_arguments(self):
        """Those of the signatures that pybind11 writes; what it calls **kwargs is what an error lists."""
        stubs = {}
        for node in ast.parse((PACKAGE / "__init__.pyi").read_text()).body:
            for function in [node] if isinstance(node, ast.FunctionDef) else getattr(node, "body", []):
                if isinstance(function, ast.FunctionDef):
                    owner = [] if function is node else [node.name]
                    words = function.args.posonlyargs + function.args.args + function.args.kwonlyargs
                    stubs[".".join(owner + [function.name])] = [word.arg for word in words]
        def arguments(function):
            found = re.match(r"\w+\((.*)\) -> ", function.__doc__ or "")
            text = found[1] if found else ""
            while "[" in text:
                text = re.sub(r"\[[^\[\]]*\]", "", text)
            return re.findall(r"(?:^|, )(\**\w+)(?=[:=,]|$)", text)
        checked = 0
        for name in sinew.__all__:
            thing = getattr(sinew, name)
            members = vars(thing).items() if inspect.isclass(thing) else [("", thing)]
            for member, function in members:
                names = arguments(function) if callable(function) else []
                full = f"{name}.{member}" if member else name
                if not names or (member.startswith("_") and member != "__init__"):
                    continue
                stub = stubs[full]
                if names[-1] == "**kwargs":
                    names.pop()
                    with self.assertRaises(TypeError) as caught:
                        thing(*self.some_arguments(name), nonsense=1)
                    known = set(str(caught.exception).split(": ")[1].split(", "))
                    self.assertLessEqual(set(stub) - set(names), known, full)
                    stub = stub[:len(names)]
                self.assertEqual(stub, names, full)
                checked += 1
        self.assertGreater(checked, 25)

    @staticmethod
    def some_arguments(name):
        man = sinew.sample("tube")
        return (man, man) if name == "animate" else (man,)

    def test_rig_writes_the_bytes_of_the_command_line(self):
        self.command("sample", "man", "--bare", "-o", "man.obj")
        self.command("rig", "man.obj", "-o", "line.glb")
        sinew.write("module.glb", sinew.rig(sinew.read("man.obj")))
        self.assertEqual(pathlib.Path("line.glb").read_bytes(), pathlib.Path("module.glb").read_bytes())

    def test_animate_writes_the_bytes_of_the_command_line(self):
        self.command("sample", "man", "--bare", "-o", "man.obj")
        self.command("sample", "man", "-o", "man.glb")
        self.command("convert", "man.glb", "walk.bvh")
        self.command("animate", "man.obj", "walk.bvh", "-o", "line.glb")
        sinew.write("module.glb", sinew.animate(sinew.read("man.obj"), "walk.bvh"))
        self.assertEqual(pathlib.Path("line.glb").read_bytes(), pathlib.Path("module.glb").read_bytes())

    def test_arrays_show_the_memory(self):
        man = sinew.sample("man")
        positions = man.mesh.positions
        self.assertEqual(positions.dtype, np.float32)
        positions[:, 1] += 1
        self.assertTrue(np.array_equal(positions, man.mesh.positions))
        man.mesh.positions = positions * 2
        self.assertTrue(np.shares_memory(positions, man.mesh.positions))
        with self.assertRaises(sinew.Error):
            man.mesh.positions = positions[1:]
        del man
        self.assertTrue(np.isfinite(positions).all())  # the array keeps its character alive

    def test_weights_there_and_back(self):
        man = sinew.sample("man")
        other = sinew.Character(man.mesh, man.skeleton)
        other.weights = man.weights
        self.assertLess(np.abs(other.weights - man.weights).max(), 1e-6)

    def test_skinning_agrees_with_deform(self):
        man = sinew.sample("man")
        player, skinner = sinew.Player(man), sinew.Skinner(man, "lbs")
        player.play("walk", 0.25)
        both = np.zeros((len(skinner), 6), np.float32)
        skinner.deform(player.palette, out=both, threads=True)
        self.assertLess(np.abs(both[:, :3] - sinew.deform(man, "walk", 0.25, "lbs")).max(), 1e-4)
        self.assertLess(np.abs(np.linalg.norm(both[:, 3:], axis=1) - 1).max(), 1e-3)
        for wrong in (np.zeros((5, 3), np.float32), np.zeros((len(skinner), 3))):
            with self.assertRaises(sinew.Error):
                skinner.deform(player.palette, out=wrong)

    def test_a_clip_of_numbers(self):
        arm = sinew.Character(skeleton=sinew.Skeleton(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]]))
        turns = np.zeros((3, 2, 4))
        turns[:, :, 3] = 1
        turns[2, 0] = [0, 0, np.sqrt(0.5), np.sqrt(0.5)]
        arm.add_clip(sinew.Clip("raise", turns, rate=2))
        self.assertTrue(np.allclose(arm.world("raise", 1.0)[1, :3, 3], [-1, 0, 0], atol=1e-6))
        with self.assertRaises(sinew.Error):
            arm.add_clip(sinew.Clip("wrong", np.ones((3, 5, 4))))

    def test_errors_say_where_and_why(self):
        pathlib.Path("broken.bvh").write_text("HIERARCHY\nROOT Hips\n{\nOFFSET x\n")
        with self.assertRaises(sinew.Error) as caught:
            sinew.read("broken.bvh")
        self.assertIn("broken.bvh:4", caught.exception.location)
        self.assertTrue(caught.exception.reason)
        with self.assertRaises(TypeError):
            sinew.rig(sinew.sample("man"), metod="voxel")
        with self.assertRaisesRegex(sinew.Error, "not one of auto"):
            sinew.rig(sinew.sample("man"), method="magic")

    def test_progress_and_cancel(self):
        man = sinew.Character(sinew.sample("man").mesh)
        seen = []
        sinew.skeletonize(man, method="voxel", progress=lambda fraction, text: seen.append((fraction, text)))
        self.assertTrue(seen and all(0 <= fraction <= 1 for fraction, _ in seen))

        class Enough(Exception):
            pass

        def stop(fraction, text):
            raise Enough
        with self.assertRaises(Enough):
            sinew.skeletonize(man, method="voxel", progress=stop)

    def test_ctrl_c_cancels(self):
        tube = sinew.sample("tube")
        frames = np.stack([sinew.deform(tube, "bend", t / 200) for t in range(200)])
        sequence = sinew.MeshSequence(tube.mesh, frames)
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            for _ in range(50):
                sinew.fit(sequence, bones=60)

    def test_other_threads_run_meanwhile(self):
        man, count, done = sinew.Character(sinew.sample("man").mesh), 0, threading.Event()

        def work():
            sinew.skeletonize(man, method="voxel")
            done.set()
        thread = threading.Thread(target=work)
        thread.start()
        while not done.is_set():
            count += 1
        thread.join()
        self.assertGreater(count, 1000)


if __name__ == "__main__":
    unittest.main()
