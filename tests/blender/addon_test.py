# SPDX-License-Identifier: MIT
# Inside Blender: the add-on is installed from its zip, and its five operators are used. See check.
import math
import os
import subprocess
import sys

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

sys.path.insert(0, os.path.dirname(__file__))
from scene import add_mesh, choose, install, read_cache, read_obj, seen_points, work  # noqa: E402


def fails(call, **arguments):
    """What is said when it does not work."""
    try:
        call(**arguments)
    except RuntimeError as error:
        return str(error)
    raise AssertionError("this should have failed")


def largest_difference(body, cache, start, rate, frames=6):
    """Over some frames of the motion, which has `rate` frames where the scene has one; in sizes of the body."""
    worst = 0
    for k in np.linspace(0, len(cache) - 1, frames).round().astype(int):
        at = start + k / rate
        bpy.context.scene.frame_set(math.floor(at), subframe=at % 1)
        worst = max(worst, np.abs(seen_points(body) - cache[k]).max())
    return worst / np.ptp(cache[0], axis=0).max()


def weights_of(body):
    return [{body.vertex_groups[g.group].name: g.weight for g in v.groups} for v in body.data.vertices]


def weight_difference(a, b):
    return max(abs(p.get(n, 0) - q.get(n, 0)) for p, q in zip(a, b, strict=True) for n in {*p, *q})


bpy.ops.wm.read_factory_settings(use_empty=True)
preferences = install()
from sinew_blender import exchange  # noqa: E402  (it is there from now on)
scene = bpy.context.scene
settings = scene.sinew
scene.render.fps = 60
people = bpy.data.collections.new("People")
scene.collection.children.link(people)
folders = sorted(path.parent for path in work.glob("*/mesh.obj"))
assert folders

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
    assert max(abs(sum(of.values()) - 1) for of in weights_of(body)) < 1e-5
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
    # The ostrich is taken for a biped, and its bones rotate far against each other: there each program most likely chooses the
    # sign of a blend of quaternions by a rule of its own.
    assert dual < 1e-4 or folder.name == "ostrich"

# An armature that the user has: only bones that deform get weights. What Blender undoes is undone.
body = bpy.data.objects["man"]
armature = body.parent
armature.animation_data_clear()
for bone in armature.pose.bones:
    bone.matrix_basis.identity()
before = weights_of(body)
armature.data.bones["Head"].use_deform = False
name = body.name
choose(body, armature)
bpy.ops.ed.undo_push(message="before Bind")
assert bpy.ops.sinew.bind() == {"FINISHED"}
assert "Head" not in body.vertex_groups and "Neck" in body.vertex_groups and "mine" in body.vertex_groups
bpy.ops.ed.undo_push(message="Bind")
bpy.ops.ed.undo()
scene, settings, people = bpy.context.scene, bpy.context.scene.sinew, bpy.data.collections["People"]
body = bpy.data.objects[name]
armature = body.parent
assert weight_difference(weights_of(body), before) == 0

# The same body elsewhere, scaled and rotated, in two pieces that share a seam of vertices: the same weights.
armature.data.bones["Head"].use_deform = True
choose(body, armature)
assert bpy.ops.sinew.bind() == {"FINISHED"}
whole = weights_of(body)
assert weight_difference(whole, before) < 1e-3
armature.rotation_euler, armature.location, armature.scale = (0, 0, 0.9), (1, 2, 0), (2, 2, 2)
bpy.context.view_layer.update()
points, faces = read_obj(work / body.name / "mesh.obj")
upper = [face for face in faces if points[face, 1].mean() > 1]
lower = [face for face in faces if points[face, 1].mean() <= 1]
pieces, numbers = [], []
for title, part in ("upper", upper), ("lower", lower):
    used = sorted({v for face in part for v in face})
    where = {v: i for i, v in enumerate(used)}
    piece = add_mesh(title, points[used], [[where[v] for v in face] for face in part], people)
    piece.matrix_world = armature.matrix_world
    piece.data.uv_layers.new().data.foreach_set("uv", np.random.default_rng(1).random(2 * len(piece.data.loops)))
    pieces.append(piece)
    numbers.append(used)
choose(*pieces, armature)
world = [piece.matrix_world.copy() for piece in pieces]
assert bpy.ops.sinew.bind() == {"FINISHED"}
for piece, used, old in zip(pieces, numbers, world):
    assert len(piece.data.vertices) == len(used) and piece.parent == armature
    assert max(abs(a - b) for p, q in zip(piece.matrix_world, old) for a, b in zip(p, q)) < 1e-6
    now = weights_of(piece)
    far = [weight_difference([now[i]], [whole[v]]) for i, v in enumerate(used)]
    print(f"addon: {piece.name} of two pieces: weights differ by {np.mean(far):.1e} on average from those of the whole")
    assert np.mean(far) < 0.02

# A motion onto an armature that is scaled and rotated and stands in some pose puts every bone where the command line has it,
# in any rotation mode, at the frame rate of the scene.
folder = work / body.name
exchange.write_rig(work / "scaled.json", "scaled", joints=exchange.joints_tree(armature, list(armature.data.bones)))
subprocess.run([os.environ["SINEW"], "retarget", folder / "motion.bvh", work / "scaled.json", "-o", work / "scaled.glb", "--quiet"],
               check=True)
truth = exchange.Rig(work / "scaled.glb")
scene.render.fps = 30
choose(armature)
for mode in "XYZ", "QUATERNION", "AXIS_ANGLE":
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
        bone.location, bone.scale = (0.1, 0.2, 0.3), (1, 2, 1)
    assert bpy.ops.sinew.retarget(filepath=str(folder / "motion.bvh")) == {"FINISHED"}
    assert scene.frame_end - 1 == round(30 * truth.end)
    worst = 0
    for frame in 1, 41, 101:
        scene.frame_set(frame)
        worlds = []
        for joint in truth.joints:
            local = truth.local(joint)
            place, rotation = local.to_translation(), local.to_quaternion()
            for path, (times, values) in joint.keys.items():
                value = values[np.abs(times - (frame - 1) / 30).argmin()].tolist()
                place = Vector(value) if path == "translation" else place
                rotation = Quaternion((value[3], *value[:3])) if path == "rotation" else rotation
            world = Matrix.LocRotScale(place, rotation, None)
            worlds.append(worlds[joint.parent] @ world if joint.parent >= 0 else world)
            bone = armature.pose.bones[joint.name]
            here = exchange.TO_SINEW @ armature.matrix_world @ bone.matrix
            worst = max(worst, (here.to_translation() - worlds[-1].to_translation()).length)
            worst = max(worst, here.to_quaternion().rotation_difference(worlds[-1].to_quaternion()).angle % 6.2831)
    print(f"addon: {mode}: bones of a scaled armature are off by {worst:.1e} m or radians")
    assert worst < 2e-3

# Shape keys become bones that replay them, below one root.
cloth = add_mesh("cloth", points, faces, people)
cloth.shape_key_add(name="Basis")
bent = cloth.shape_key_add(name="bent")
bent.data.foreach_set("co", np.array([(v.co.x, v.co.y + 0.3 * max(0, v.co.z - 1), v.co.z) for v in cloth.data.vertices]).ravel())
scene.frame_start, scene.frame_end, scene.render.fps = 5, 16, 24
for frame, value in (5, 0), (16, 1):
    bent.value = value
    bent.keyframe_insert("value", frame=frame)
cloth.matrix_world = armature.matrix_world
settings.bones = 12
choose(cloth)
assert bpy.ops.sinew.fit() == {"FINISHED"}
fitted = bpy.data.objects["cloth Fit"]
assert len(fitted.parent.data.bones) == 13 and fitted.parent.animation_data.action and cloth.hide_get()
assert fitted.users_collection[0] == people and scene.frame_end == 16
cloth.hide_set(False)
seen = []
for frame in 5, 9, 16:
    scene.frame_set(frame)
    seen.append((seen_points(fitted), seen_points(cloth)))
worst = max(np.abs(ours - theirs).max() for ours, theirs in seen)
size = np.abs(seen[-1][1] - seen[0][1]).max()
print(f"addon: cloth: 12 bones replay a motion of {size:.2f} m within {worst:.3f} m")
assert worst < 0.15 * size

# The page holds what is selected.
choose(fitted)
page = work / "page.html"
assert bpy.ops.sinew.publish(filepath=str(page)) == {"FINISHED"}
assert page.stat().st_size > 100_000 and "cloth Fit" not in [o.name for o in bpy.context.selected_objects if o != fitted]

# What cannot work says what to do.
choose(armature)
assert "no such file" in fails(bpy.ops.sinew.retarget, filepath=str(work / "nothing.bvh"))
amc = work / "walk.amc"
amc.write_text("")
assert "0 .asf files" in fails(bpy.ops.sinew.retarget, filepath=str(amc))
armature.scale = (1, 2, 1)
bpy.context.view_layer.update()
assert "apply its scale" in fails(bpy.ops.sinew.retarget, filepath=str(folder / "motion.bvh"))
choose(pieces[0])
pieces[0].modifiers.new("Mirror", "MIRROR")
assert "Mirror" in fails(bpy.ops.sinew.rig)
preferences.program = str(work / "nothing")
assert "preferences" in fails(bpy.ops.sinew.publish, filepath=str(page))
print("addon: undone, published, and errors say what to do")

# Blender 5 has no Action.fcurves: curves go into the channel bag of a slot. Its parts are played here, as it cannot be installed.
import types  # noqa: E402

from sinew_blender import apply  # noqa: E402

made = []
bag = types.SimpleNamespace(fcurves=types.SimpleNamespace(
    new=lambda path, *, index, group_name: made.append((path, index, group_name))))
new_action = types.SimpleNamespace(slots=types.SimpleNamespace(new=lambda *, id_type, name: (id_type, name)))
sys.modules["bpy_extras.anim_utils"] = types.SimpleNamespace(
    action_ensure_channelbag_for_slot=lambda action, slot: bag if slot == ("OBJECT", "Rig") else None)
apply.curves_of(new_action, types.SimpleNamespace(name="Rig"))("pose.bones", 2, "Hips")
assert made == [("pose.bones", 2, "Hips")], made
