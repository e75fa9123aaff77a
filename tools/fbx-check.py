# SPDX-License-Identifier: MIT
# Inside Blender, or alone for what assimp read: compares the skin of man.fbx, frame by frame, with what Sinew wrote, corner by
# corner. See fbx-check.
import pathlib
import sys

import numpy as np


def positions(path):
    return np.array([[float(n) for n in line.split()[1:4]] for line in open(path) if line.startswith("v ")])


def corners(path):
    """Vertices of the corners of all triangles, by object."""
    found, name = {}, ""
    for line in open(path):
        if line.startswith("o "):
            name = line[2:].strip()
        elif line.startswith("f "):
            found.setdefault(name, []).extend(int(word.split("/")[0]) - 1 for word in line.split()[1:])
    return found


def whole(triangles, rest):
    """Blender leaves out triangles that are none: two corners at one place, or three that were there before."""
    _, place = np.unique(rest, axis=0, return_inverse=True)
    kept, seen = [], set()
    for triangle in triangles:
        key = tuple(sorted(place[triangle]))
        if len(set(key)) == 3 and key not in seen:
            seen.add(key)
            kept.extend(triangle)
    return kept


def frames(folder):
    return sorted(path for path in folder.glob("*.obj") if path.stem.isdigit())


def check(reader, said, worst):
    print(f"fbx-check: {reader}: {said}, off by {worst:.2e} of the size")
    assert worst < 1e-4


def with_assimp(folder):
    ours, theirs = (np.concatenate(list(corners(folder / name).values())) for name in ("rest.obj", "back.obj"))
    size = np.ptp(positions(folder / "rest.obj"), axis=0).max()
    worst = max(np.abs(positions(path)[ours] - positions(path.with_suffix(".back.obj"))[theirs]).max() for path in frames(folder))
    check("assimp", f"{len(set(theirs))} vertices", worst / size)


def with_blender(folder, fps):
    import bpy
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.fbx(filepath=str(folder / "man.fbx"))
    armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    bodies = {o.name: o for o in bpy.data.objects if o.type == "MESH"}
    rest = positions(folder / "rest.obj")
    size = np.ptp(rest, axis=0).max()
    ours = {name: whole(np.array(of).reshape(-1, 3), rest) for name, of in corners(folder / "rest.obj").items()}
    assert len(ours) == len(bodies), f"{len(bodies)} meshes, not {len(ours)}"
    worst = 0
    for path in frames(folder):
        bpy.context.scene.frame_set(int(path.stem) + 1)
        wanted = positions(path)
        for name, of in ours.items():
            body = bodies.get(name) or bodies.get(name + "_mesh") or next(iter(bodies.values()))
            seen = body.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
            here = np.array([(body.matrix_world @ v.co)[:] for v in seen.vertices])  # +Z is up here
            here = np.column_stack([here[:, 0], here[:, 2], -here[:, 1]])
            worst = max(worst, np.abs(here[[loop.vertex_index for loop in seen.loops]] - wanted[of]).max() / size)
    assert len(bpy.data.actions) >= 1 and bpy.context.scene.render.fps == fps, bpy.context.scene.render.fps
    check(f"Blender {bpy.app.version_string}", f"{len(armature.data.bones)} bones", worst)


if "assimp" in sys.argv:
    with_assimp(pathlib.Path(sys.argv[-1]))
else:
    with_blender(pathlib.Path(sys.argv[-2]), float(sys.argv[-1]))
