# SPDX-License-Identifier: MIT
"""Puts results into the scene: armatures, vertex groups, actions."""

import re

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from .exchange import TO_BLENDER, scale_of
from .process import Failure


def blender_name(name):
    """LeftHand is Hand.L here and BackLeftFoot is BackFoot.L, so that mirrored editing and pasting work."""
    found = re.fullmatch(r"(Back|Front|)(Left|Right)(.+)", name)
    return f"{found[1]}{found[3]}.{found[2][0]}" if found else name


def bone_length(rig, number, otherwise):
    """To the child that a bone points at, or to its tip. Joint frames have +Y along the bone."""
    joint = rig.joints[number]
    ends = [Vector(joint.tip)] if joint.tip else []
    ends += [rig.local(child).to_translation() for child in rig.joints if child.parent == number]
    ahead = [end.length for end in ends if end.length > 0 and end.y > 0.999 * end.length]
    beside = [end.length for end in ends if end.length > 0]
    return ahead[0] if ahead else min(beside) if beside else otherwise


def make_armature(context, rig, name, collection, location, otherwise):
    """An armature object at a position of the world, and the names of its bones in the order of the joints."""
    data = bpy.data.armatures.new(name)
    data["sinew"] = True  # the tails of its last bones are where the body ends
    armature = bpy.data.objects.new(name, data)
    collection.objects.link(armature)
    armature.location = location
    armature.show_in_front = True
    select_only(context, [armature], armature)
    bpy.ops.object.mode_set(mode="EDIT")
    shift = Matrix.Translation(-Vector(location))
    bones = []
    for number, joint in enumerate(rig.joints):
        bone = data.edit_bones.new(blender_name(joint.name))
        bone.head, bone.tail = (0, 0, 0), (0, bone_length(rig, number, otherwise), 0)
        frame = shift @ TO_BLENDER @ joint.world
        bone.matrix = Matrix.LocRotScale(frame.to_translation(), frame.to_quaternion(), None)
        if joint.parent >= 0:
            bone.parent = bones[joint.parent]
            bone.use_connect = (bone.parent.tail - bone.head).length < 1e-4 * bone.parent.length
        bones.append(bone)
    names = [bone.name for bone in bones]
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature, names


def select_only(context, objects, active):
    for chosen in context.selected_objects:
        chosen.select_set(False)
    for chosen in objects:
        chosen.select_set(True)
    context.view_layer.objects.active = active


def set_weights(objects, rig, names, old_names=()):
    """Vertex groups of the bones, by index. Groups of other names stay as they are."""
    if rig.vertex_count != sum(len(mesh.data.vertices) for mesh in objects):
        raise Failure("the mesh was changed while Sinew was running: nothing was bound; run it again")
    first = 0
    for mesh in objects:
        for name in {*names, *old_names}:
            group = mesh.vertex_groups.get(name)
            if group:
                mesh.vertex_groups.remove(group)
        count = len(mesh.data.vertices)
        for rows, joint, weights in rig.weights:
            mine = (rows >= first) & (rows < first + count)
            if not mine.any():
                continue
            group = mesh.vertex_groups.new(name=names[joint])
            for vertex, weight in zip((rows[mine] - first).tolist(), weights[mine].tolist()):
                group.add((vertex,), weight, "REPLACE")
        first += count


def attach(mesh, armature, preserve_volume):
    """Child of the armature with an Armature modifier, without a move."""
    modifier = next((m for m in mesh.modifiers if m.type == "ARMATURE"), None)
    modifier = modifier or mesh.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    modifier.use_vertex_groups = True
    modifier.use_bone_envelopes = False
    modifier.use_deform_preserve_volume = preserve_volume
    world = mesh.matrix_world.copy()
    mesh.parent = armature
    mesh.parent_type = "OBJECT"
    mesh.matrix_parent_inverse = armature.matrix_world.inverted()
    mesh.matrix_world = world


def old_bones(mesh):
    return [bone.name for m in mesh.modifiers if m.type == "ARMATURE" and m.object for bone in m.object.data.bones]


def add_action(scene, armature, rig, names, title):
    """The motion of a rig as an action of the armature: the keys of every bone, in the rotation mode that it has."""
    action = bpy.data.actions.new(title)
    action.use_fake_user = True
    curves = curves_of(action, armature)
    rate = scene.render.fps / scene.render.fps_base
    scale = scale_of(armature)
    for joint, name in zip(rig.joints, names):
        bone = armature.pose.bones.get(name)
        if not bone:
            continue
        bone.matrix_basis = Matrix()  # what has no keys rests
        rest = rig.local(joint)
        back, at = rest.to_quaternion().inverted(), rest.to_translation()
        if "rotation" in joint.keys:
            times, values = joint.keys["rotation"]
            path, keys = rotation_keys(bone, back, values)
            add_curves(curves, bone, path, scene.frame_start + times * rate, keys)
        if "translation" in joint.keys:
            times, values = joint.keys["translation"]
            moved = (values - np.array(at)) @ np.array(back.to_matrix()).T / scale
            if np.abs(moved).max() > 1e-6 * max(1.0, at.length / scale):
                add_curves(curves, bone, "location", scene.frame_start + times * rate, moved)
    if armature.animation_data is None:
        armature.animation_data_create()
    armature.animation_data.action = action
    slots = getattr(action, "slots", None)  # Blender 4.4 and later: keys belong to a slot of the action
    if slots and armature.animation_data.action_slot is None:
        armature.animation_data.action_slot = slots[0]
    scene.frame_end = max(scene.frame_start + 1, round(scene.frame_start + rig.end * rate))
    return action


def rotation_keys(bone, back, values):
    """Rotations from rest in the numbers of the bone's rotation mode, without jumps."""
    rotations, last = [], None
    for x, y, z, w in values.tolist():
        rotation = back @ Quaternion((w, x, y, z))
        if last and rotation.dot(last) < 0:
            rotation.negate()
        rotations.append(rotation)
        last = rotation
    if bone.rotation_mode == "QUATERNION":
        return "rotation_quaternion", np.array([tuple(rotation) for rotation in rotations])
    if bone.rotation_mode == "AXIS_ANGLE":
        rows = [rotation.to_axis_angle() for rotation in rotations]
        return "rotation_axis_angle", np.array([(angle, *axis) for axis, angle in rows])
    angles, last = [], None
    for rotation in rotations:
        last = rotation.to_euler(bone.rotation_mode, last) if last else rotation.to_euler(bone.rotation_mode)
        angles.append(tuple(last))
    return "rotation_euler", np.array(angles)


def curves_of(action, armature):
    """A function (path, column, group) that adds a curve to the action."""
    if hasattr(action, "fcurves"):
        return lambda path, column, group: action.fcurves.new(path, index=column, action_group=group)
    # Blender 5: curves are in the channel bag of a slot.
    from bpy_extras.anim_utils import action_ensure_channelbag_for_slot
    bag = action_ensure_channelbag_for_slot(action, action.slots.new(id_type="OBJECT", name=armature.name))
    return lambda path, column, group: bag.fcurves.new(path, index=column, group_name=group)


def add_curves(curves, bone, path, frames, values):
    for column in range(values.shape[1]):
        curve = curves(bone.path_from_id(path), column, bone.name)
        points = curve.keyframe_points
        points.add(len(frames))
        points.foreach_set("co", np.column_stack([frames, values[:, column]]).ravel())
        points.foreach_set("interpolation", np.full(len(frames), 1))  # linear
        curve.update()
