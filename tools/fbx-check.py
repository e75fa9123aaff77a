# SPDX-License-Identifier: MIT
# Inside Blender: reads man.fbx and compares its skin, frame by frame, with what Sinew wrote. See fbx-check.
import pathlib
import sys

import bpy
import mathutils
import numpy as np

folder = pathlib.Path(sys.argv[-1])


def positions(path):
    return np.array([[float(n) for n in line.split()[1:4]] for line in open(path) if line.startswith("v ")])


bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.fbx(filepath=str(folder / "man.fbx"))
armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
body = next(o for o in bpy.data.objects if o.type == "MESH")

# Vertices are found again by where they are at rest; +Z is up here.
rest = positions(folder / "rest.obj")
tree = mathutils.kdtree.KDTree(len(rest))
for i, p in enumerate(rest):
    tree.insert(p, i)
tree.balance()
found = [tree.find(v.co / 100) for v in body.data.vertices]
assert max(distance for _, _, distance in found) < 1e-5
of = np.array([i for _, i, _ in found])
size = np.ptp(rest, axis=0).max()
worst = 0
for path in sorted(folder.glob("*[0-9].obj")):
    bpy.context.scene.frame_set(int(path.stem) + 1)
    seen = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    here = np.array([(body.matrix_world @ v.co)[:] for v in seen.to_mesh().vertices])
    here = np.column_stack([here[:, 0], here[:, 2], -here[:, 1]])
    worst = max(worst, np.abs(here - positions(path)[of]).max() / size)
print(f"fbx-check: Blender {bpy.app.version_string}: {len(armature.data.bones)} bones, {len(of)} vertices, "
      f"off by {worst:.2e} of the size")
assert len(bpy.data.actions) == 1 and bpy.context.scene.render.fps == 60
assert worst < 1e-4
