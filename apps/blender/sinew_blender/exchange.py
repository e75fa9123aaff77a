# SPDX-License-Identifier: MIT
"""Files between Blender and sinew.

Out go JSON rigs and point caches, in come GLB files. Both keep vertices in the order of the Blender mesh: nothing is split at
seams and nothing is merged. Sinew has +Y up and +Z forward in metres, Blender +Z up and -Y forward: (x, y, z) of Blender is
(x, z, -y) there.
"""

import json
import struct

import numpy as np
from mathutils import Matrix, Quaternion

from .process import Failure

TO_SINEW = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))
TO_BLENDER = TO_SINEW.inverted()


def world_points(mesh, matrix):
    """Positions of a mesh in the world, in the axes of Sinew: n x 3."""
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", points)
    points = points.reshape(-1, 3).astype(np.float64)
    world = np.array(matrix)
    points = points @ world[:3, :3].T + world[:3, 3]
    return np.column_stack([points[:, 0], points[:, 2], -points[:, 1]]).astype(np.float32)


def triangles_of(mesh):
    mesh.calc_loop_triangles()
    corners = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", corners)
    return corners.reshape(-1, 3)


def mesh_tree(pieces):
    """One mesh of several (mesh, matrix), vertices one behind the other."""
    points, corners, first = [], [], 0
    for mesh, matrix in pieces:
        points.append(world_points(mesh, matrix))
        corners.append(triangles_of(mesh) + first)
        if matrix.determinant() < 0:  # a mirrored object keeps its outside
            corners[-1] = corners[-1][:, ::-1]
        first += len(mesh.vertices)
    if first == 0 or not sum(map(len, corners)):
        raise Failure("the mesh has no faces")
    return {"positions": np.concatenate(points).ravel().tolist(), "triangles": np.concatenate(corners).ravel().tolist()}


def scale_of(armature):
    """The scale of an armature object, which must be the same along all axes."""
    scale = armature.matrix_world.to_scale()
    if max(scale) - min(scale) > 1e-3 * max(abs(s) for s in scale) or armature.matrix_world.is_negative:
        raise Failure(f"\"{armature.name}\" is scaled differently along its axes: apply its scale (Ctrl-A) first")
    return sum(scale) / 3


def joints_tree(armature, bones, tips=True):
    """Joints of these bones at rest, each with the frame of its bone in the world. Parents come first. Tails of the last bones
    are `tips` where they tell something: importers make them up, and a body is known by the lengths of its limbs."""
    scale_of(armature)
    frames = {}
    for bone in bones:
        frame = TO_SINEW @ armature.matrix_world @ bone.matrix_local
        frames[bone.name] = Matrix.LocRotScale(frame.to_translation(), frame.to_quaternion(), None)
    order = sorted(bones, key=lambda bone: len(bone.parent_recursive))
    index = {bone.name: i for i, bone in enumerate(order)}
    joints = []
    for bone in order:
        parent = next((up for up in bone.parent_recursive if up.name in index), None)
        local = frames[parent.name].inverted() @ frames[bone.name] if parent else frames[bone.name]
        rotation = local.to_quaternion()
        joint = {"name": bone.name, "parent": index[parent.name] if parent else -1, "translation": list(local.to_translation()),
                 "rotation": [rotation.x, rotation.y, rotation.z, rotation.w]}
        if tips and not any(child.name in index for child in bone.children_recursive):
            tail = TO_SINEW @ armature.matrix_world @ bone.tail_local
            joint["tip"] = list(frames[bone.name].inverted() @ tail)
        joints.append(joint)
    return joints


def write_rig(path, name, mesh=None, joints=()):
    tree = {"sinew_rig": 1, "name": name, "unit": 1, "joints": list(joints)}
    if mesh:
        tree["mesh"] = mesh
    with open(path, "w", encoding="utf-8") as file:
        json.dump(tree, file)


class PointCache:
    """A PC2 file, frame by frame."""

    def __init__(self, path, vertices, frames):
        self._file = open(path, "wb")
        self._file.write(struct.pack("<12siiffi", b"POINTCACHE2", 1, vertices, 0.0, 1.0, frames))

    def add(self, points):
        self._file.write(np.ascontiguousarray(points, "<f4").tobytes())

    def close(self):
        self._file.close()


class Joint:
    """A joint as sinew made it: its frame in the rest pose of the mesh, in the axes of Sinew, and its motion."""

    def __init__(self, name, parent, world):
        self.name = name
        self.parent = parent  # number, or -1
        self.world = world
        self.tip = None       # where its bone ends, in its own frame
        self.keys = {}        # "rotation" and "translation": (times, values)


class Rig:
    """A GLB file that sinew wrote: joints in order, weights of the vertices in order, its first motion."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        size = struct.unpack_from("<I", data, 12)[0]
        self._tree = json.loads(data[20:20 + size])
        self._buffer = data[28 + size:]
        self._read_joints()
        self.vertex_count = 0
        self.weights = []  # (vertices, joint, weights) of one joint at a time
        self._read_weights()
        self._read_motion()

    def _array(self, accessor):
        accessor = self._tree["accessors"][accessor]
        view = self._tree["bufferViews"][accessor["bufferView"]]
        kind = np.dtype({5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}[accessor["componentType"]])
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", width * kind.itemsize)
        return np.ndarray((accessor["count"], width), kind, self._buffer, start, (stride, kind.itemsize))

    def _read_joints(self):
        nodes = self._tree.get("nodes", [])
        skins = self._tree.get("skins", [])
        skin = skins[0] if skins else {"joints": []}
        ends = {n for n, node in enumerate(nodes) if node.get("extras", {}).get("end")}
        numbers = sorted(n for n in skins[-1]["joints"] if n not in ends) if skins else []
        parents = {child: n for n, node in enumerate(nodes) for child in node.get("children", [])}
        binds = {}
        if "inverseBindMatrices" in skin:
            for node, matrix in zip(skin["joints"], self._array(skin["inverseBindMatrices"])):
                binds.setdefault(node, Matrix(matrix.reshape(4, 4).T.tolist()).inverted())
        self._index = {node: i for i, node in enumerate(numbers)}
        self.joints = []
        for node in numbers:
            parent = parents.get(node)
            while parent is not None and parent not in self._index:
                parent = parents.get(parent)
            x, y, z, w = nodes[node].get("rotation", (0, 0, 0, 1))
            local = Matrix.LocRotScale(nodes[node].get("translation", (0, 0, 0)), Quaternion((w, x, y, z)), None)
            above = self._index[parent] if parent is not None else -1
            rest = self.joints[above].world @ local if above >= 0 else local
            joint = Joint(nodes[node].get("name", f"Bone.{node:03}"), above, binds.get(node, rest))
            joint.tip = nodes[node].get("extras", {}).get("tip")
            self.joints.append(joint)

    def _read_weights(self):
        meshes = self._tree.get("meshes", [])
        if not meshes or "skins" not in self._tree:
            return
        attributes = meshes[0]["primitives"][0]["attributes"]
        self.vertex_count = self._tree["accessors"][attributes["POSITION"]]["count"]
        palette = np.array([self._index.get(node, -1) for node in self._tree["skins"][0]["joints"]])
        sets = sum(name.startswith("JOINTS_") for name in attributes)
        if sets == 0:
            return
        joints = np.concatenate([palette[self._array(attributes[f"JOINTS_{s}"])] for s in range(sets)], axis=1)
        weights = np.concatenate([self._array(attributes[f"WEIGHTS_{s}"]) for s in range(sets)], axis=1)
        for joint in range(len(self.joints)):
            rows, columns = np.nonzero((joints == joint) & (weights > 0))
            if len(rows):
                self.weights.append((rows, joint, weights[rows, columns]))

    def _read_motion(self):
        self.motion = ""
        self.end = 0.0
        animations = self._tree.get("animations", [])
        if not animations:
            return
        self.motion = animations[0].get("name", "")
        for channel in animations[0]["channels"]:
            joint = self._index.get(channel["target"]["node"])
            sampler = animations[0]["samplers"][channel["sampler"]]
            times, values = self._array(sampler["input"])[:, 0], self._array(sampler["output"])
            if sampler.get("interpolation") == "CUBICSPLINE":
                values = values[1::3]
            if joint is not None:
                self.joints[joint].keys[channel["target"]["path"]] = (times, values)
                self.end = max(self.end, float(times[-1]))

    def local(self, joint):
        """Rest of a joint in the frame of its parent."""
        return self.joints[joint.parent].world.inverted() @ joint.world if joint.parent >= 0 else joint.world
