# SPDX-License-Identifier: MIT
"""Skeletal animation: rig meshes, put motions on them, skin, collide, fit, draw and share them.

    import sinew, pathlib
    for path in pathlib.Path("scans").glob("*.obj"):
        rigged = sinew.rig(sinew.read(path))
        sinew.write(path.with_suffix(".glb"), rigged)

Everything is a plain function over a few types: Character (Mesh, Skeleton, skin weights, Clips),
MeshSequence and Trial. Arrays are numpy arrays; those of a Mesh and a Player show its memory. Long work runs
without the interpreter's lock, stops at Ctrl-C, and calls `progress(fraction, text)`. What fails raises
sinew.Error with the attributes `location` and `reason`.
"""
from ._sinew import (Character, Clip, Error, Mesh, MeshSequence, Player, Skeleton, Skinner, Trial, __version__,
                     animate, bind, collide, deform, fit, gait, measure, publish, read, render, retarget, rig,
                     sample, segment, skeletonize, solve, write)

__all__ = ["Character", "Clip", "Error", "Mesh", "MeshSequence", "Player", "Skeleton", "Skinner", "Trial",
           "animate", "bind", "collide", "deform", "fit", "gait", "measure", "publish", "read", "render",
           "retarget", "rig", "sample", "segment", "skeletonize", "solve", "write"]

for _name in __all__:
    globals()[_name].__module__ = "sinew"
del _name
