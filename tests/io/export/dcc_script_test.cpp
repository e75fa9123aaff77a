// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "support/data.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "sinew/io/export/export_formats.h"
#include "sinew/sample/samples.h"

namespace sinew::io {
namespace dcc_script_test {

using nlohmann::json;

/// What both substitutes share: everything that was called is a list, written when the script is over.
constexpr std::string_view recorder = R"py(
import atexit, json
calls = {}
def record(key, value):
    calls.setdefault(key, []).append(value)
def save():
    with open("calls.json", "w") as file:
        json.dump(calls, file)
atexit.register(save)
)py";

constexpr std::string_view fake_bpy = R"py(
from recorder import record
class Bone:
    def __init__(self, name):
        self.__dict__["name"] = name[:63]
        record("bone", self.name)
    def __setattr__(self, key, value):
        self.__dict__[key] = value
        record(key, value.name if isinstance(value, Bone) else list(value))
    def align_roll(self, axis):
        record("roll", list(axis))
class Bones:
    def new(self, name):
        return Bone(name)
class Polygons(list):
    def foreach_set(self, name, values):
        record("smooth", len(values))
class Data:
    def __init__(self, name):
        self.name, self.edit_bones, self.polygons = name, Bones(), Polygons()
    def from_pydata(self, vertices, edges, faces):
        record("vertices", [list(v) for v in vertices])
        record("faces", [list(f) for f in faces])
        self.polygons.extend(faces)
    def update(self):
        pass
class Kind:
    def new(self, name):
        return Data(name)
class Group:
    def __init__(self, name):
        self.name = name
    def add(self, vertices, weight, mode):
        record("weight", [self.name, vertices, weight, mode])
class Groups:
    def new(self, name):
        return Group(name)
class Modifier:
    pass
class Modifiers:
    def new(self, name, kind):
        record("modifier", kind)
        return Modifier()
class Object:
    def __init__(self, name, data):
        self.name, self.data = name, data
        self.vertex_groups, self.modifiers = Groups(), Modifiers()
class Objects:
    active = None
    def new(self, name, data):
        return Object(name, data)
    def link(self, item):
        record("linked", item.name)
class Holder:
    pass
data = Holder()
data.meshes = data.armatures = Kind()
data.objects = Objects()
context = Holder()
context.mode = "OBJECT"
context.collection = Holder()
context.collection.objects = Objects()
context.view_layer = Holder()
context.view_layer.objects = Objects()
class Operators:
    def mode_set(self, mode):
        record("mode", mode)
ops = Holder()
ops.object = Operators()
)py";

constexpr std::string_view fake_cmds = R"py(
from recorder import record
parents = {}
def currentUnit(query=False, linear=None):
    record("unit", linear)
    return "m" if query else None
def upAxis(query, axis):
    return "y"
def select(clear):
    pass
def joint(name):
    record("joint", name)
    return name
def parent(child, above):
    record("parent", [child, above])
    parents[child] = above
    return [child]
def ls(name, long):
    return [(parents[name] if name in parents else "") + "|" + name]
def xform(joint, worldSpace, matrix):
    record("matrix", matrix)
def currentTime(time, edit):
    record("time", time)
def setKeyframe(joint, attribute):
    record("key", joint)
def makeIdentity(joint, apply, rotate):
    pass
def setAttr(name, value):
    pass
def sets(name, edit, forceElement):
    pass
def skinCluster(*items, **options):
    record("skin", options)
    return ["skinCluster1"]
def skinPercent(skin, vertex, transformValue, normalize, zeroRemainingInfluences):
    record("weight", [vertex, transformValue])
)py";

constexpr std::string_view fake_open_maya = R"py(
from recorder import record
def MPoint(x, y, z):
    return [x, y, z]
class MFnMesh:
    def create(self, points, counts, corners):
        record("points", points)
        record("corners", corners)
        return "made"
class MFnDagNode:
    def __init__(self, made):
        pass
    def setName(self, name):
        self.name = name
        record("mesh", name)
    def fullPathName(self):
        return "|" + self.name
)py";

bool has_python() {
    return std::system("python3 --version > /dev/null 2>&1") == 0;
}

#define SINEW_NEEDS_PYTHON() \
    if (!has_python()) GTEST_SKIP() << "python3 is not installed"

/// A folder in which the script runs, with the substitutes that were asked for.
class Stage {
  public:
    explicit Stage(const std::string& script) { test::write_text(folder_ / "rig.py", script); }
    void add_blender() {
        test::write_text(folder_ / "recorder.py", recorder);
        test::write_text(folder_ / "bpy.py", fake_bpy);
        test::write_text(folder_ / "mathutils.py", "Vector = tuple\n");
    }
    void add_maya() {
        test::write_text(folder_ / "recorder.py", recorder);
        std::filesystem::create_directories(folder_ / "maya/api");
        test::write_text(folder_ / "maya/__init__.py", "");
        test::write_text(folder_ / "maya/cmds.py", fake_cmds);
        test::write_text(folder_ / "maya/api/__init__.py", "");
        test::write_text(folder_ / "maya/api/OpenMaya.py", fake_open_maya);
    }
    int run(const std::string& arguments = "rig.py") const {
        const std::string command =
            fmt::format("cd '{}' && python3 {} > out.txt 2> err.txt", folder_.path().string(), arguments);
        return std::system(command.c_str());
    }
    std::string out() const { return test::read_text(folder_ / "out.txt"); }
    std::string err() const { return test::read_text(folder_ / "err.txt"); }
    json calls() const { return json::parse(test::read_text(folder_ / "calls.json")); }

  private:
    test::TemporaryFolder folder_;
};

std::string script_of(const model::Character& character, Monitor& monitor = silent()) {
    Asset asset;
    asset.character = character;
    return write_dcc_script(asset, "rig.py", {}, monitor);
}

model::Character tube() {
    model::Character character = sample::make("tube");
    character.clips.clear();
    return character;
}

TEST(DccScript, BlenderGetsMeshBonesAndWeights) {
    SINEW_NEEDS_PYTHON();
    const model::Character from = tube();
    Stage stage(script_of(from));
    stage.add_blender();
    ASSERT_EQ(stage.run(), 0) << stage.err();
    EXPECT_NE(stage.out().find("built in Blender"), std::string::npos) << stage.out();
    const json calls = stage.calls();
    const json& vertices = calls["vertices"][0];
    ASSERT_EQ(vertices.size(), from.mesh.positions.size());
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        const auto& p = from.mesh.positions[v];
        EXPECT_EQ(static_cast<float>(vertices[v][0].get<double>()), p.x());
        EXPECT_EQ(static_cast<float>(vertices[v][1].get<double>()), -p.z()) << "+Z is up";
        EXPECT_EQ(static_cast<float>(vertices[v][2].get<double>()), p.y());
    }
    EXPECT_EQ(calls["faces"][0], json(from.mesh.triangles));
    ASSERT_EQ(calls["bone"].size(), from.skeleton.size());
    const auto world = model::rest_world_matrices(from.skeleton);
    for (std::size_t j = 0; j < world.size(); ++j) {
        EXPECT_EQ(calls["bone"][j], from.skeleton.joints[j].name);
        const auto head = calls["head"][j].get<std::vector<double>>();
        EXPECT_EQ(head, (std::vector{world[j](0, 3), -world[j](2, 3), world[j](1, 3)}));
        EXPECT_NE(calls["head"][j], calls["tail"][j]) << "bones without length are deleted";
    }
    EXPECT_EQ(calls["mode"], json({"EDIT", "OBJECT"}));
    EXPECT_EQ(calls["modifier"], json({"ARMATURE"}));
    std::size_t next = 0;
    for (std::size_t v = 0; v < from.skin.vertex_count(); ++v) {
        for (const model::Influence& i : from.skin.of(v)) {
            const auto joint = static_cast<std::size_t>(from.skin.joints[i.joint].joint);
            const json& call = calls["weight"][next++];
            EXPECT_EQ(call[0], from.skeleton.joints[joint].name);
            EXPECT_EQ(call[1], json::array({v}));
            EXPECT_EQ(static_cast<float>(call[2].get<double>()), i.weight);
        }
    }
    EXPECT_EQ(calls["weight"].size(), next);
}

TEST(DccScript, MayaGetsJointsASkinClusterAndWeights) {
    SINEW_NEEDS_PYTHON();
    const model::Character from = tube();
    Stage stage(script_of(from));
    stage.add_maya();
    ASSERT_EQ(stage.run(), 0) << stage.err();
    EXPECT_NE(stage.out().find("built in Maya"), std::string::npos) << stage.out();
    const json calls = stage.calls();
    EXPECT_EQ(calls["unit"], json({true, "cm", "m"})) << "the unit is put back";
    ASSERT_EQ(calls["points"][0].size(), from.mesh.positions.size());
    EXPECT_NEAR(calls["points"][0][7][1].get<double>(), 100 * from.mesh.positions[7].y(), 1e-5);
    ASSERT_EQ(calls["joint"].size(), from.skeleton.size());
    EXPECT_EQ(calls["parent"].size(), from.skeleton.size() - 1);
    const auto world = model::rest_world_matrices(from.skeleton);
    for (std::size_t j = 0; j < world.size(); ++j) {
        const auto matrix = calls["matrix"][j].get<std::vector<double>>();
        ASSERT_EQ(matrix.size(), 16u);
        for (Eigen::Index i = 0; i < 16; ++i) {
            const double unit = i / 4 == 3 && i % 4 < 3 ? 100 : 1;
            EXPECT_EQ(matrix[static_cast<std::size_t>(i)], unit * world[j](i % 4, i / 4)) << j << ' ' << i;
        }
    }
    ASSERT_EQ(calls["weight"].size(), from.skin.vertex_count());
    for (std::size_t v = 0; v < from.skin.vertex_count(); ++v) {
        const json& call = calls["weight"][v];
        EXPECT_EQ(call[0], fmt::format("|{}.vtx[{}]", calls["mesh"][0].get<std::string>(), v));
        ASSERT_EQ(call[1].size(), from.skin.of(v).size());
        double sum = 0;
        for (const json& pair : call[1]) sum += pair[1].get<double>();
        EXPECT_NEAR(sum, 1, 1e-6);
    }
    EXPECT_EQ(calls["skin"].size(), 2u);
    EXPECT_EQ(calls["skin"][0]["normalizeWeights"], 0) << "no help while the weights are set";
}

TEST(DccScript, SaysSoInNeitherProgram) {
    SINEW_NEEDS_PYTHON();
    const Stage stage(script_of(tube()));
    EXPECT_NE(stage.run("-S rig.py"), 0);
    EXPECT_NE(stage.err().find("inside Blender or Maya"), std::string::npos) << stage.err();
    EXPECT_EQ(stage.err().find("Traceback"), std::string::npos) << stage.err();
}

TEST(DccScript, NamesCannotBreakOut) {
    SINEW_NEEDS_PYTHON();
    model::Character character = tube();
    character.name = "a''' + print(1) + r'''\\";
    const std::vector<std::string> names = {"it's \"so\"", "back\\slash\nline", "Hüfte \xF0\x9F\xA6\xB4",
                                            "1.2"};
    for (std::size_t j = 0; j < std::min(names.size(), character.skeleton.size()); ++j)
        character.skeleton.joints[j].name = names[j];
    const std::string script = script_of(character);
    Stage blender(script);
    blender.add_blender();
    ASSERT_EQ(blender.run(), 0) << blender.err();
    const json bones = blender.calls()["bone"];
    for (std::size_t j = 0; j < std::min(names.size(), bones.size()); ++j) EXPECT_EQ(bones[j], names[j]);
    EXPECT_EQ(blender.calls()["linked"][0], character.name);
    Stage maya(script);
    maya.add_maya();
    ASSERT_EQ(maya.run(), 0) << maya.err();
    const json joints = maya.calls()["joint"];
    EXPECT_EQ(joints.size(), character.skeleton.size());
    for (const json& name : joints) {
        const auto text = name.get<std::string>();
        EXPECT_FALSE(std::isdigit(static_cast<unsigned char>(text[0]))) << text;
        for (const char c : text)
            EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(c)) || c == '_') << text;
    }
}

TEST(DccScript, CompilesForABareMeshAndABareSkeleton) {
    SINEW_NEEDS_PYTHON();
    model::Character mesh = tube(), bones = tube();
    mesh.skeleton = {};
    mesh.skin = {};
    bones.mesh = {};
    bones.skin = {};
    for (const model::Character& character : {mesh, bones}) {
        Stage stage(script_of(character));
        EXPECT_EQ(stage.run("-m py_compile rig.py"), 0) << stage.err();
        stage.add_blender();
        EXPECT_EQ(stage.run(), 0) << stage.err();
        EXPECT_EQ(stage.calls().contains("vertices"), character.has_mesh());
        EXPECT_EQ(stage.calls().contains("bone"), character.has_skeleton());
        EXPECT_FALSE(stage.calls().contains("weight"));
    }
    EXPECT_THROW(script_of({}), Error);
}

TEST(DccScript, WhatIsLeftOutIsSaid) {
    Collector warnings;
    script_of(sample::make("tube"), warnings);
    EXPECT_FALSE(warnings.has("dcc-script-bind-pose"));
}

TEST(DccScript, MotionsAreKeysInMaya) {
    SINEW_NEEDS_PYTHON();
    const model::Character from = sample::make("tube");
    ASSERT_FALSE(from.clips.empty());
    Stage stage(script_of(from));
    stage.add_maya();
    ASSERT_EQ(stage.run(), 0) << stage.err();
    const json calls = stage.calls();
    std::size_t frames = 0;
    for (const model::Clip& clip : from.clips) frames += sample_clip(from.skeleton, clip, 0).frames;
    EXPECT_EQ(calls["time"].size(), frames);
    EXPECT_EQ(calls["key"].size(), frames * from.skeleton.size());
    const SampledClip first = sample_clip(from.skeleton, from.clips.front(), 0);
    const auto world = model::world_matrices(from.skeleton, first.poses[5]);
    for (std::size_t j = 0; j < world.size(); ++j) {
        const json& matrix = calls["matrix"][from.skeleton.size() * (1 + 5) + j];
        for (int i = 0; i < 12; ++i)
            EXPECT_NEAR(matrix[static_cast<std::size_t>(i)].get<double>(), world[j](i % 4, i / 4), 1e-5);
        EXPECT_NEAR(matrix[13].get<double>(), 100 * world[j](1, 3), 1e-3);
    }
}

TEST(BindPose, SeveralBindMatricesOfAJointBecomeOne) {
    model::Character character = tube();
    const std::vector<geometry::Vec3f> before = character.mesh.positions;
    BindPose pose = bind_pose(character);
    EXPECT_TRUE(pose.is_rest);
    EXPECT_EQ(pose.positions, before);
    // A second skin whose vertices lie 2 m beside the place where they are bound.
    const auto entries = character.skin.joints.size();
    math::Mat4d back = math::Mat4d::Identity();
    back(0, 3) = -2;
    for (std::size_t j = 0; j < entries; ++j) {
        model::SkinJoint entry = character.skin.joints[j];
        entry.inverse_bind = entry.inverse_bind * back;
        character.skin.joints.push_back(entry);
    }
    const std::size_t moved = 5;
    character.mesh.positions[moved].x() += 2;
    for (std::uint32_t i = character.skin.offsets[moved]; i < character.skin.offsets[moved + 1]; ++i)
        character.skin.influences[i].joint += static_cast<std::uint32_t>(entries);
    pose = bind_pose(character);
    EXPECT_TRUE(pose.is_rest);
    EXPECT_NEAR((pose.positions[moved] - before[moved]).norm(), 0, 1e-5);
    EXPECT_EQ(pose.positions[moved + 1], before[moved + 1]);
    for (const model::Influence& influence : influences_by_joint(character.skin, moved))
        EXPECT_LT(influence.joint, character.skeleton.size());
}

TEST(BindPose, MayDifferFromTheRestPose) {
    model::Character character = tube();
    const auto bound = model::rest_world_matrices(character.skeleton);
    character.skeleton.joints[1].rest.rotation = math::Quatd(Eigen::AngleAxisd(0.5, math::Vec3d::UnitX()));
    const BindPose pose = bind_pose(character);
    EXPECT_FALSE(pose.is_rest);
    for (std::size_t j = 0; j < bound.size(); ++j) EXPECT_TRUE(pose.world[j].isApprox(bound[j], 1e-9)) << j;
    Collector warnings;
    script_of(character, warnings);
    EXPECT_TRUE(warnings.has("dcc-script-bind-pose"));
}

}  // namespace dcc_script_test
}  // namespace sinew::io
