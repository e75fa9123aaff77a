# SPDX-License-Identifier: MIT
# Inside Blender: the add-on is installed from its zip, and its five operators are used. See check.
import math
import os
import pathlib
import struct

import bpy
import numpy as np

work = pathlib.Path(os.environ["WORK"])


def read_obj(path):
    points, faces = [], []
    for line in open(path):
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(n) for n in words[1:4]])
        elif words[:1] == ["f"]:
            faces.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    return np.array(points), faces


def read_cache(path):
    data = open(path, "rb").read()
    _, _, count, _, _, frames = struct.unpack_from("<12siiffi", data)
    return np.frombuffer(data, "<f4", offset=32).reshape(frames, count, 3)


def add_mesh(name, points, faces, collection):
    """+Y up becomes +Z up. The object stands elsewhere than its mesh says, scaled and rotated."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([(x, -z, y) for x, y, z in points.tolist()], [], faces)
    body = bpy.data.objects.new(name, mesh)
    collection.objects.link(body)
    return body


def seen_points(body):
    seen = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    vertices = seen.to_mesh().vertices
    points = np.empty(3 * len(vertices), np.float32)
    vertices.foreach_get("co", points)
    world = np.array(seen.matrix_world)
    points = points.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
    return np.column_stack([points[:, 0], points[:, 2], -points[:, 1]])


def choose(*objects):
    for chosen in bpy.context.selected_objects:
        chosen.select_set(False)
    for chosen in objects:
        chosen.select_set(True)
    bpy.context.view_layer.objects.active = objects[-1]


def fails(call):
    try:
        call()
    except RuntimeError as error:
        return str(error)
    raise AssertionError("this should have failed")


def largest_difference(body, cache, start, rate, frames=6):
    """Over some frames of the motion, which has `rate` frames where the scene has one."""
    worst = 0
    for k in np.linspace(0, len(cache) - 1, frames).round().astype(int):
        at = start + k / rate
        bpy.context.scene.frame_set(math.floor(at), subframe=at % 1)
        worst = max(worst, np.abs(seen_points(body) - cache[k]).max())
    return worst / np.ptp(cache[0], axis=0).max()


bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.preferences.addon_install(filepath=os.environ["ADDON"])
bpy.ops.preferences.addon_enable(module="sinew_blender")
preferences = bpy.context.preferences.addons["sinew_blender"].preferences
scene = bpy.context.scene
settings = scene.sinew
scene.render.fps = 60

# Without its program the add-on says what to do.
preferences.program = str(work / "nothing")
people = bpy.data.collections.new("People")
scene.collection.children.link(people)
folders = sorted(path.parent for path in work.glob("*/mesh.obj"))
assert len(folders) >= 5 or "ALLOW_FEWER" in os.environ
points, faces = read_obj(folders[0] / "mesh.obj")
body = add_mesh("nobody", points, faces, people)
choose(body)
assert "preferences" in fails(bpy.ops.sinew.rig)
bpy.data.objects.remove(body)
preferences.program = os.environ["SINEW"]

for folder in folders:
    points, faces = read_obj(folder / "mesh.obj")
    body = add_mesh(folder.name, points, faces, people)
    body.vertex_groups.new(name="mine")
    choose(body)
    assert bpy.ops.sinew.rig() == {"FINISHED"}
    armature = body.parent
    assert armature.name == f"{folder.name} Armature" and armature.users_collection[0] == people
    assert body.find_armature() == armature and "mine" in body.vertex_groups
    bones = armature.data.bones
    groups = [group.name for group in body.vertex_groups if group.name != "mine"]
    assert groups and all(name in bones for name in groups)
    left = [bone.name for bone in bones if bone.name.endswith(".L")]
    assert (left or folder.name == "hand") and all(name[:-1] + "R" in bones for name in left)
    assert not any("Left" in name or "Right" in name for name in groups)
    assert len(body.data.vertices) == len(points)
    sums = np.array([sum(g.weight for g in v.groups) for v in body.data.vertices])
    assert np.abs(sums - 1).max() < 1e-5
    choose(armature)
    assert bpy.ops.sinew.retarget(filepath=str(folder / "motion.bvh")) == {"FINISHED"}
    assert armature.animation_data.action.name.startswith("motion")
    cache = read_cache(folder / "moves.pc2")
    rate = (len(cache) - 1) / (scene.frame_end - scene.frame_start)
    linear = largest_difference(body, cache, scene.frame_start, rate)
    body.modifiers["Armature"].use_deform_preserve_volume = True
    dual = largest_difference(body, read_cache(folder / "volume.pc2"), scene.frame_start, rate, 3)
    moved = np.abs(cache - cache[0]).max() / np.ptp(cache[0], axis=0).max()
    print(f"addon: {folder.name}: {len(points)} vertices, {len(bones)} bones, {len(cache)} frames; off by {linear:.1e} of the "
          f"size, {dual:.1e} with volume preserved, of a motion of {moved:.2f}")
    assert linear < 1e-4 and moved > 0.05
