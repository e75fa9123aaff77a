# SPDX-License-Identifier: MIT
# Inside Blender: an FBX file in which a bone and the mesh on it have one name, as robots often have it, is read by Sinew. See check.
import json
import os
import subprocess
import sys

import bpy
import numpy as np

sys.path.insert(0, os.path.dirname(__file__))
from scene import read_cache, seen_points, work  # noqa: E402

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 24
bpy.ops.object.armature_add(enter_editmode=True)
armature = bpy.context.object
bones = armature.data.edit_bones
bones[0].name = "Base"
torso = bones.new("Torso")
torso.head, torso.tail, torso.parent = (0, 0, 1), (0, 0.5, 2), bones[0]
bpy.ops.object.mode_set(mode="OBJECT")
bpy.ops.mesh.primitive_cube_add(location=(0.3, 0.2, 0.1))
skin = bpy.context.object
skin.parent = armature
skin.vertex_groups.new(name="Base").add(range(8), 1, "REPLACE")
skin.modifiers.new("Armature", "ARMATURE").object = armature
bpy.ops.mesh.primitive_cone_add(vertices=7)
body = bpy.context.object
body.name = "Torso"
body.parent, body.parent_type, body.parent_bone = armature, "BONE", "Torso"
body.location = 0.4, -0.2, 0.3
pose = armature.pose.bones["Torso"]
pose.rotation_mode = "XYZ"
for frame, angle in (1, 0), (13, 0.9), (25, -0.4):
    pose.rotation_euler = angle, 0.3 * angle, 0
    pose.keyframe_insert("rotation_euler", frame=frame)
scene.frame_start, scene.frame_end = 1, 25
scene.frame_set(1)
file = str(work / "robot.fbx")
bpy.ops.export_scene.fbx(filepath=file, add_leaf_bones=False)
sinew = os.environ["SINEW"]
said = json.loads(subprocess.run([sinew, "info", file, "--json"], capture_output=True, check=True).stdout)
joints = said["joints"]
subprocess.run([sinew, "deform", file, "-o", work / "robot.pc2", "--method", "lbs", "--quiet"], check=True)
cache = read_cache(work / "robot.pc2")
worst = 0
for frame in 0, 6, 12, 24:
    scene.frame_set(frame + 1)
    # Corners may be several vertices in the file, in an order of its own.
    worst = max(worst, max(np.abs(cache[frame] - point).max(axis=1).min() for point in seen_points(body)))
print(f"addon: fbx: {joints} joints, {len(cache)} frames, off by {worst:.1e}")
assert joints == 2 and len(cache) == 25 and worst < 1e-4
