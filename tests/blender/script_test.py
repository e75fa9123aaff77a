# SPDX-License-Identifier: MIT
# Inside Blender: a character that Sinew wrote as a script is built, and its skin is compared, frame by frame. See check.
import os
import sys

import bpy
import numpy as np

sys.path.insert(0, os.path.dirname(__file__))
from scene import read_cache, seen_points, work  # noqa: E402

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 60
exec(compile((work / "rig.py").read_text(), "rig.py", "exec"), {"__name__": "rig"})
body = next(each for each in bpy.data.objects if each.type == "MESH")
assert len(bpy.data.actions) == 2, list(bpy.data.actions)
assert body.parent.animation_data.action.name == "walk"
cache = read_cache(work / "walk.pc2")
worst = 0
for frame in 0, 7, 60, 150, len(cache) - 1:
    scene.frame_set(frame + 1)
    worst = max(worst, np.abs(seen_points(body) - cache[frame]).max())
worst /= np.ptp(cache[0], axis=0).max()
print(f"addon: script: {len(cache)} frames of 2 motions, off by {worst:.1e} of the size")
assert worst < 1e-4 and scene.frame_end >= len(cache)
