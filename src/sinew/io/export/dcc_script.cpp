// SPDX-License-Identifier: MIT

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/compile.h>
#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "sinew/io/export/export_formats.h"
#include "sinew/io/mesh/mesh_file.h"

namespace sinew::io {
namespace {

// The Python code that is equal in all scripts.

/// Reads the tables; written before them.
extern const std::string_view dcc_script_head;

/// Builds the character; written after the tables.
extern const std::string_view dcc_script_body;

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
    if MOTIONS:
        blender_motions(bpy, rig, names)


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


def blender_motions(bpy, rig, names):
    """An action for each motion: what moves the joints from where they were bound moves the bones from their rest."""
    from mathutils import Matrix

    def matrix_of(row):
        return Matrix((row[0:4], row[4:8], row[8:12], (0, 0, 0, 1)))

    up = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))
    down = up.inverted()
    scene = bpy.context.scene
    bones = [rig.pose.bones[name] for name in names]
    rest = [bone.bone.matrix_local.copy() for bone in bones]
    unbind = [matrix_of(row).inverted() @ down @ frame for row, frame in zip(BIND, rest)]
    parents = [parent for _, parent in JOINTS]
    local = [(rest[p].inverted() @ rest[j] if p >= 0 else rest[j]).inverted() for j, p in enumerate(parents)]
    for bone in bones:
        bone.rotation_mode = "QUATERNION"
    for title, rate, rows in reversed(MOTIONS):
        frames = [1 + f * scene.render.fps / scene.render.fps_base / rate for f in range(len(rows))]
        keys = [[] for _ in bones]
        for row in rows:
            pose = [up @ matrix_of(row[12 * j:12 * j + 12]) @ unbind[j] for j in range(len(bones))]
            for j, p in enumerate(parents):
                place, rotation, scale = (local[j] @ (pose[p].inverted() @ pose[j] if p >= 0 else pose[j])).decompose()
                if keys[j] and rotation.dot(keys[j][-1][1]) < 0:
                    rotation.negate()
                keys[j].append((place, rotation, scale))
        action = bpy.data.actions.new(title)
        action.use_fake_user = True
        for j, bone in enumerate(bones):
            for part, path in enumerate(("location", "rotation_quaternion", "scale")):
                values = [key[part] for key in keys[j]]
                if all((value - values[0]).magnitude < 1e-7 for value in values) and (
                        (values[0] - getattr(bone, path)).magnitude < 1e-6):
                    continue
                for i in range(len(values[0])):
                    curve = action.fcurves.new(bone.path_from_id(path), index=i, action_group=bone.name)
                    curve.keyframe_points.add(len(frames))
                    points = [x for pair in zip(frames, (value[i] for value in values)) for x in pair]
                    curve.keyframe_points.foreach_set("co", points)
                    curve.keyframe_points.foreach_set("interpolation", [1] * len(frames))  # linear
                    curve.update()
        scene.frame_end = max(scene.frame_end, int(round(frames[-1])))
    if rig.animation_data is None:
        rig.animation_data_create()
    rig.animation_data.action = action


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
        maya_motions(cmds, turn, joints)
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
        cmds.xform(joint, worldSpace=True, matrix=maya_matrix(matrix, turn))
        # The rest rotation becomes the joint's orientation, so that a rotation of zero is the rest pose.
        cmds.makeIdentity(joint, apply=True, rotate=True)
        cmds.setAttr(joint + ".segmentScaleCompensate", False)
        joints.append(joint)
    return joints


def maya_matrix(matrix, turn):
    """Maya multiplies rows by matrices: the axes of the joint are the rows."""
    rows = []
    for c in range(3):
        rows += [*turn(column(matrix, c)), 0.0]
    return rows + [MAYA_UNITS_PER_METRE * x for x in turn(column(matrix, 3))] + [1.0]


def maya_motions(cmds, turn, joints):
    """One behind the other on the timeline, with a second between them."""
    start = 0.0
    for title, rate, rows in MOTIONS:
        print("%s: from %g s to %g s" % (title, start, start + (len(rows) - 1) / rate))
        for f, row in enumerate(rows):
            cmds.currentTime("%.9gsec" % (start + f / rate), edit=True)
            for j, joint in enumerate(joints):
                cmds.xform(joint, worldSpace=True, matrix=maya_matrix(row[12 * j:12 * j + 12], turn))
                cmds.setKeyframe(joint, attribute=["translate", "rotate"])
        start += (len(rows) - 1) / rate + 1


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

using math::Mat4d;
using math::Vec3d;
using nlohmann::json;

/// A JSON value as a Python expression, safe for any text: ASCII letters only, and no quote that could end
/// the string.
std::string python(const json& value) {
    const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
    std::string safe;
    for (const char c : text) {
        if (c == '\'')
            safe += "\\u0027";
        else
            safe += c;
    }
    return "json.loads(r'''" + safe + "''')";
}

Vec3d location_of(const Mat4d& world) {
    return world.topRightCorner<3, 1>();
}

/// The end of each joint's bone: at its child, at the mean of its children, at its tip, or half the length of
/// the previous bone further on. Blender deletes bones without length, so the length is never zero.
std::vector<Vec3d> bone_ends(const model::Skeleton& skeleton, const std::vector<Mat4d>& world) {
    const double size = std::max(model::height(skeleton), 1e-3);
    const auto children = model::children(skeleton);
    std::vector<Vec3d> ends;
    for (std::size_t j = 0; j < world.size(); ++j) {
        const model::Joint& joint = skeleton.joints[j];
        const Vec3d here = location_of(world[j]);
        Vec3d onward = Vec3d(0, 0.1 * size, 0);
        if (joint.parent >= 0)
            onward = (here - location_of(world[static_cast<std::size_t>(joint.parent)])) / 2;
        if (onward.norm() < 1e-3 * size) onward = Vec3d(0, 0.02 * size, 0);
        Vec3d end = here + onward;
        if (!children[j].empty()) {
            end.setZero();
            for (const int child : children[j]) end += location_of(world[static_cast<std::size_t>(child)]);
            end /= static_cast<double>(children[j].size());
        } else if (joint.tip) {
            end = math::transform_point(world[j], *joint.tip);
        }
        ends.push_back((end - here).norm() < 1e-3 * size ? Vec3d(here + onward) : end);
    }
    return ends;
}

/// Writes numbers in lines: the shortest text that reads back as the same number.
class Tables {
  public:
    void begin(std::string_view name, std::string_view kind) {
        fmt::format_to(out_, "{} = table(\"\"\"\n", name);
        kind_ = kind;
    }
    void end() { text_ += kind_.empty() ? "\"\"\")\n" : fmt::format("\"\"\", {})\n", kind_); }
    template <class Range>
    void line(const Range& numbers) {
        bool first = true;
        for (const auto& number : numbers) {
            if (!first) text_ += ' ';
            fmt::format_to(out_, FMT_COMPILE("{}"), number);
            first = false;
        }
        text_ += '\n';
    }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
    std::string_view kind_;
    std::back_insert_iterator<std::string> out_{text_};
};

std::string joint_tables(const model::Skeleton& skeleton, const BindPose& pose) {
    Tables tables;
    // Rows of the world matrices without the last, which is 0 0 0 1.
    tables.begin("BIND", "");
    for (const Mat4d& world : pose.world) {
        std::array<double, 12> rows{};
        for (std::size_t i = 0; i < 12; ++i)
            rows[i] = world(static_cast<Eigen::Index>(i / 4), static_cast<Eigen::Index>(i % 4));
        tables.line(rows);
    }
    tables.end();
    tables.begin("TAILS", "");
    for (const Vec3d& end : bone_ends(skeleton, pose.world))
        tables.line(std::array{end.x(), end.y(), end.z()});
    tables.end();
    return tables.take();
}

/// For each clip: its name, frames per second, and one line per frame with the rows of the world matrices of
/// all joints.
std::string motion_tables(const model::Character& character, double rate) {
    std::string text = "MOTIONS = []\n";
    for (const model::Clip& clip : character.clips) {
        const SampledClip sampled = sample_clip(character.skeleton, clip, rate);
        if (sampled.frames == 0) continue;
        Tables tables;
        tables.begin("ROWS", "");
        for (const std::vector<math::Transform>& pose : sampled.poses) {
            std::vector<float> row;
            for (const Mat4d& world : model::world_matrices(character.skeleton, pose))
                for (int i = 0; i < 12; ++i) row.push_back(static_cast<float>(world(i / 4, i % 4)));
            tables.line(row);
        }
        tables.end();
        text += tables.take();
        text += fmt::format("MOTIONS.append(({}, {}, ROWS))\n",
                            python(clip.name.empty() ? "motion" : clip.name), sampled.rate);
    }
    return text;
}

std::string mesh_tables(const model::Character& character, const BindPose& pose) {
    Tables tables;
    tables.begin("VERTICES", "");
    for (const auto& p : pose.positions) tables.line(std::array{p.x(), p.y(), p.z()});
    tables.end();
    tables.begin("TRIANGLES", "int");
    for (const geometry::Triangle& triangle : character.mesh.triangles) tables.line(triangle);
    tables.end();
    // For each vertex: joint, weight, joint, weight, ...
    tables.begin("WEIGHTS", "");
    for (std::size_t v = 0; v < (character.has_skin() ? character.skin.vertex_count() : 0); ++v) {
        std::vector<float> row;
        for (const model::Influence& influence : influences_by_joint(character.skin, v)) {
            row.push_back(static_cast<float>(influence.joint));
            row.push_back(influence.weight);
        }
        tables.line(row);
    }
    tables.end();
    return tables.take();
}

}  // namespace

std::string write_dcc_script(const Asset& asset, const std::filesystem::path& path,
                             const WriteOptions& options, Monitor& monitor) {
    const model::Character& character = asset.character;
    const std::string location = path.string();
    if (!character.has_mesh() && !character.has_skeleton())
        fail(location, "there is no mesh and no skeleton that the script could build");
    warn_lost(character.mesh, location, {.name = "script", .colors = false, .uvs = false, .normals = false},
              monitor);
    const BindPose pose = bind_pose(character);
    warn_bind_pose(pose, "dcc-script-bind-pose", location, monitor);
    json joints = json::array();
    for (const model::Joint& joint : character.skeleton.joints) joints.push_back({joint.name, joint.parent});
    const std::string name = character.name.empty() ? path.stem().string() : character.name;
    std::string text =
        "# A character for Blender (2.80 or later) and Maya (2022 or later): run this inside.\n";
    text += dcc_script_head;
    text += fmt::format("\nNAME = {}\n# Name and parent of each joint.\nJOINTS = {}\n", python(name),
                        python(joints));
    text += joint_tables(character.skeleton, pose);
    text += mesh_tables(character, pose);
    text += motion_tables(character, options.rate);
    text += dcc_script_body;
    return text;
}

}  // namespace sinew::io
