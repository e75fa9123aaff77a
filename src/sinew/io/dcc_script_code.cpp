#include "sinew/io/dcc_script_code.h"

namespace sinew::io {

const std::string_view dcc_script_head = R"py(
import json
import re
import sys


def table(text, kind=float):
    """One tuple of numbers for each line."""
    return [tuple(kind(word) for word in line.split()) for line in text.strip().splitlines()]

)py";

const std::string_view dcc_script_body = R"py(

def z_up(v):
    """Our +Y is up: turned so that +Z is."""
    return (v[0], -v[2], v[1])


def column(matrix, c):
    """One of the axes 0, 1, 2 of a joint, or its place 3."""
    return (matrix[c], matrix[4 + c], matrix[8 + c])


def row_of(vertex):
    """Pairs of a joint's index and its weight."""
    numbers = WEIGHTS[vertex]
    return [(int(numbers[i]), numbers[i + 1]) for i in range(0, len(numbers), 2)]


def build_blender(bpy):
    from mathutils import Vector

    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    body = blender_mesh(bpy) if VERTICES else None
    if not JOINTS:
        return
    armature = bpy.data.armatures.new(NAME + " skeleton")
    rig = bpy.data.objects.new(NAME + " skeleton", armature)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bones = []
    for (name, parent), matrix, tail in zip(JOINTS, BIND, TAILS):
        bone = armature.edit_bones.new(name)
        bone.head = z_up(column(matrix, 3))
        bone.tail = z_up(tail)
        bone.align_roll(Vector(z_up(column(matrix, 2))))
        if parent >= 0:
            bone.parent = bones[parent]
        bones.append(bone)
    # Blender shortens and numbers names: the groups need those that it took.
    names = [bone.name for bone in bones]
    bpy.ops.object.mode_set(mode="OBJECT")
    if body is not None and WEIGHTS:
        blender_weights(body, rig, names)


def blender_mesh(bpy):
    mesh = bpy.data.meshes.new(NAME)
    mesh.from_pydata([z_up(v) for v in VERTICES], [], TRIANGLES)
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.update()
    body = bpy.data.objects.new(NAME, mesh)
    bpy.context.collection.objects.link(body)
    return body


def blender_weights(body, rig, names):
    groups = [body.vertex_groups.new(name=name) for name in names]
    for vertex in range(len(WEIGHTS)):
        for joint, weight in row_of(vertex):
            groups[joint].add([vertex], weight, "REPLACE")
    modifier = body.modifiers.new("Armature", "ARMATURE")
    modifier.object = rig
    body.parent = rig


# Maya counts in centimetres.
MAYA_UNITS_PER_METRE = 100.0


def build_maya(cmds):
    unit = cmds.currentUnit(query=True, linear=True)
    cmds.currentUnit(linear="cm")
    try:
        turn = z_up if cmds.upAxis(query=True, axis=True) == "z" else tuple
        body = maya_mesh(cmds, turn) if VERTICES else None
        joints = maya_joints(cmds, turn)
        if body is not None and WEIGHTS:
            maya_weights(cmds, body, joints)
    finally:
        cmds.currentUnit(linear=unit)


def maya_names(names):
    """Letters, digits and underscores, each name once."""
    taken = set()
    result = []
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
        plain = "_" + plain if not plain or plain[0].isdigit() else plain
        number, safe = 1, plain
        while safe in taken:
            number += 1
            safe = "%s_%d" % (plain, number)
        taken.add(safe)
        result.append(safe)
    return result


def maya_mesh(cmds, turn):
    import maya.api.OpenMaya as om

    points = [om.MPoint(*[MAYA_UNITS_PER_METRE * x for x in turn(v)]) for v in VERTICES]
    corners = [corner for triangle in TRIANGLES for corner in triangle]
    made = om.MFnMesh().create(points, [3] * len(TRIANGLES), corners)
    node = om.MFnDagNode(made)
    node.setName(maya_names([NAME])[0])
    body = node.fullPathName()
    cmds.sets(body, edit=True, forceElement="initialShadingGroup")
    return body


def maya_joints(cmds, turn):
    joints = []
    for name, (_, parent), matrix in zip(maya_names([joint[0] for joint in JOINTS]), JOINTS, BIND):
        cmds.select(clear=True)
        joint = cmds.joint(name=name)
        if parent >= 0:
            joint = cmds.parent(joint, joints[parent])[0]
        joint = cmds.ls(joint, long=True)[0]
        # Maya multiplies rows by matrices: the axes of the joint are the rows.
        rows = []
        for c in range(3):
            rows += [*turn(column(matrix, c)), 0.0]
        place = [MAYA_UNITS_PER_METRE * x for x in turn(column(matrix, 3))]
        cmds.xform(joint, worldSpace=True, matrix=rows + place + [1.0])
        # The rest rotation becomes the joint's orientation, so that a rotation of zero is the rest pose.
        cmds.makeIdentity(joint, apply=True, rotate=True)
        cmds.setAttr(joint + ".segmentScaleCompensate", False)
        joints.append(joint)
    return joints


def maya_weights(cmds, body, joints):
    most = max(len(row_of(vertex)) for vertex in range(len(WEIGHTS)))
    skin = cmds.skinCluster(joints, body, toSelectedBones=True, maximumInfluences=most,
                            obeyMaxInfluences=False, normalizeWeights=0)[0]
    for vertex in range(len(WEIGHTS)):
        values = [(joints[joint], weight) for joint, weight in row_of(vertex)]
        cmds.skinPercent(skin, "%s.vtx[%d]" % (body, vertex), transformValue=values, normalize=False,
                         zeroRemainingInfluences=True)
    cmds.skinCluster(skin, edit=True, normalizeWeights=1)


def main():
    try:
        import bpy
    except ImportError:
        bpy = None
    if bpy is not None:
        build_blender(bpy)
        return "Blender"
    try:
        import maya.cmds as cmds
    except ImportError:
        sys.exit("This script builds a character inside Blender or Maya, and it runs in neither: "
                 "open it in Blender's text editor or in Maya's script editor and run it there.")
    build_maya(cmds)
    return "Maya"


print("%s: %d vertices, %d joints built in %s" % (NAME, len(VERTICES), len(JOINTS), main()))
)py";

}  // namespace sinew::io
