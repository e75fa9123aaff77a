# SPDX-License-Identifier: MIT
# What the tests in Blender share.
import os
import pathlib
import struct

import bpy
import numpy as np

work = pathlib.Path(os.environ["WORK"])


def install():
    """The add-on from its zip; gives its preferences."""
    bpy.ops.preferences.addon_install(filepath=os.environ["ADDON"])
    bpy.ops.preferences.addon_enable(module="sinew_blender")
    preferences = bpy.context.preferences.addons["sinew_blender"].preferences
    preferences.program = os.environ["SINEW"]
    return preferences


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
    """+Y up becomes +Z up."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([(x, -z, y) for x, y, z in points.tolist()], [], faces)
    body = bpy.data.objects.new(name, mesh)
    collection.objects.link(body)
    return body


def seen_points(body):
    """Positions of the deformed mesh in the world, +Y up."""
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
