# SPDX-License-Identifier: MIT
"""Installs the Python module: pip install --no-build-isolation .

CMake builds it. A build that is there is used again: $SINEW_BUILD, or build/release.
"""
import os
import pathlib
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

root = pathlib.Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        build = pathlib.Path(os.environ.get("SINEW_BUILD", root / "build/release"))
        if not (build / "build.ninja").exists():
            subprocess.run(["cmake", "--preset", "release", "-B", build, "-DSINEW_TESTS=OFF", "-DSINEW_BENCH=OFF"],
                           cwd=root, check=True)
        subprocess.run(["cmake", "--build", build, "--target", "sinew_python"], check=True)
        stage = pathlib.Path(self.build_temp).resolve() / "stage"
        subprocess.run(["cmake", "--install", build, "--component", "python", "--prefix", stage], check=True)
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(next(stage.rglob("_sinew*.so")), target)


setup(
    name="sinew",
    version="0.1.0",
    description="Skeletal character animation toolkit",
    license="MIT",
    python_requires=">=3.9",
    install_requires=["numpy"],
    packages=["sinew"],
    package_dir={"sinew": "apps/python/sinew"},
    package_data={"sinew": ["*.pyi", "py.typed"]},
    ext_modules=[Extension("sinew._sinew", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
