// SPDX-License-Identifier: MIT
// What was written reads back equal, and the Khronos validator finds nothing wrong with it.

#include <cstdlib>

#include "io/gltf/support.h"
#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/model/roles.h"
#include "sinew/sample/samples.h"

namespace sinew::io::test {
namespace gltf_write_test {

using math::Vec3d;
using math::Vec3f;
using model::Character;

Asset asset_of(Character character) {
    Asset asset;
    asset.character = std::move(character);
    return asset;
}

Character again(const Character& character, const std::string& name = "again.glb",
                Monitor& monitor = silent()) {
    return read(write_gltf(asset_of(character), name, {}, monitor), monitor, name).character;
}

template <class Value>
void expect_equal_keys(const model::Keys<Value>& a, const model::Keys<Value>& b) {
    EXPECT_EQ(a.mode, b.mode);
    ASSERT_EQ(a.values.size(), b.values.size());
    ASSERT_EQ(a.times.size(), b.times.size());
    for (std::size_t i = 0; i < a.times.size(); ++i) {
        EXPECT_EQ(static_cast<float>(a.times[i]), static_cast<float>(b.times[i]));
    }
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        if constexpr (std::is_same_v<Value, math::Quatf>) {
            EXPECT_EQ(a.values[i].coeffs(), b.values[i].coeffs()) << i;
        } else {
            EXPECT_EQ(a.values[i], b.values[i]) << i;
        }
    }
}

void expect_equal_clips(const model::Clip& a, const model::Clip& b) {
    EXPECT_EQ(a.name, b.name);
    ASSERT_EQ(a.tracks.size(), b.tracks.size());
    for (std::size_t t = 0; t < a.tracks.size(); ++t) {
        EXPECT_EQ(a.tracks[t].joint, b.tracks[t].joint);
        expect_equal_keys(a.tracks[t].translation, b.tracks[t].translation);
        expect_equal_keys(a.tracks[t].rotation, b.tracks[t].rotation);
        expect_equal_keys(a.tracks[t].scale, b.tracks[t].scale);
    }
    ASSERT_EQ(a.morph_tracks.size(), b.morph_tracks.size());
    for (std::size_t t = 0; t < a.morph_tracks.size(); ++t) {
        EXPECT_EQ(a.morph_tracks[t].morph, b.morph_tracks[t].morph);
        expect_equal_keys(a.morph_tracks[t].weight, b.morph_tracks[t].weight);
    }
}

void expect_equal_meshes(const geometry::Mesh& a, const geometry::Mesh& b) {
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.normals, b.normals);
    EXPECT_EQ(a.tangents, b.tangents);
    EXPECT_EQ(a.uvs, b.uvs);
    EXPECT_EQ(a.colors, b.colors);
    EXPECT_EQ(a.triangles, b.triangles);
    ASSERT_EQ(a.parts.size(), b.parts.size());
    for (std::size_t p = 0; p < a.parts.size(); ++p) {
        EXPECT_EQ(a.parts[p].name, b.parts[p].name);
        EXPECT_EQ(a.parts[p].first, b.parts[p].first);
        EXPECT_EQ(a.parts[p].count, b.parts[p].count);
        EXPECT_EQ(a.parts[p].material, b.parts[p].material);
    }
    ASSERT_EQ(a.morphs.size(), b.morphs.size());
    for (std::size_t m = 0; m < a.morphs.size(); ++m) {
        EXPECT_EQ(a.morphs[m].name, b.morphs[m].name);
        EXPECT_EQ(a.morphs[m].first, b.morphs[m].first);
        EXPECT_EQ(a.morphs[m].positions, b.morphs[m].positions);
        EXPECT_EQ(a.morphs[m].normals, b.morphs[m].normals);
        EXPECT_EQ(a.morphs[m].weight, b.morphs[m].weight);
    }
    ASSERT_EQ(a.materials.size(), b.materials.size());
    for (std::size_t m = 0; m < a.materials.size(); ++m) {
        const geometry::Material &x = a.materials[m], &y = b.materials[m];
        EXPECT_EQ(x.name, y.name);
        EXPECT_EQ(x.base_color, y.base_color);
        EXPECT_EQ(x.metallic, y.metallic);
        EXPECT_EQ(x.roughness, y.roughness);
        EXPECT_EQ(x.emissive, y.emissive);
        EXPECT_EQ(x.base_color_texture, y.base_color_texture);
        EXPECT_EQ(x.normal_texture, y.normal_texture);
        EXPECT_EQ(x.emissive_texture, y.emissive_texture);
        EXPECT_EQ(x.double_sided, y.double_sided);
        EXPECT_EQ(x.alpha_mode, y.alpha_mode);
        EXPECT_EQ(x.normal_scale, y.normal_scale);
    }
    ASSERT_EQ(a.images.size(), b.images.size());
    for (std::size_t i = 0; i < a.images.size(); ++i) EXPECT_EQ(a.images[i].bytes, b.images[i].bytes);
}

void expect_equal(const Character& a, const Character& b) {
    EXPECT_EQ(a.name, b.name);
    expect_equal_meshes(a.mesh, b.mesh);
    ASSERT_EQ(a.skeleton.size(), b.skeleton.size());
    for (std::size_t j = 0; j < a.skeleton.size(); ++j) {
        const model::Joint &x = a.skeleton.joints[j], &y = b.skeleton.joints[j];
        EXPECT_EQ(x.name, y.name);
        EXPECT_EQ(x.parent, y.parent);
        EXPECT_EQ(x.rest.translation, y.rest.translation);
        EXPECT_EQ(x.rest.rotation.coeffs(), y.rest.rotation.coeffs());
        EXPECT_EQ(x.rest.scale, y.rest.scale);
        EXPECT_EQ(x.tip, y.tip);
    }
    ASSERT_EQ(a.skin.joints.size(), b.skin.joints.size());
    for (std::size_t j = 0; j < a.skin.joints.size(); ++j) {
        EXPECT_EQ(a.skin.joints[j].joint, b.skin.joints[j].joint);
        // The file holds these in single precision.
        EXPECT_EQ(a.skin.joints[j].inverse_bind.cast<float>(), b.skin.joints[j].inverse_bind.cast<float>());
    }
    EXPECT_EQ(a.skin.offsets, b.skin.offsets);
    ASSERT_EQ(a.skin.influences.size(), b.skin.influences.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.skin.influences.size(); ++i) {
        different += a.skin.influences[i].joint != b.skin.influences[i].joint ||
                     a.skin.influences[i].weight != b.skin.influences[i].weight;
    }
    EXPECT_EQ(different, 0u);
    ASSERT_EQ(a.clips.size(), b.clips.size());
    for (std::size_t c = 0; c < a.clips.size(); ++c) expect_equal_clips(a.clips[c], b.clips[c]);
}

// --- Characters of many kinds
// --------------------------------------------------------------------------------------

/// What a reader finds of a mesh that was written: it has normals, and parts without a material have the
/// neutral one.
Character as_written(Character character) {
    geometry::Mesh& mesh = character.mesh;
    if (mesh.normals.empty()) mesh.normals = geometry::vertex_normals(mesh.positions, mesh.triangles);
    bool added = false;
    for (geometry::Part& part : mesh.parts) {
        if (part.material >= 0) continue;
        part.material = static_cast<int>(mesh.materials.size()) - (added ? 1 : 0);
        if (!std::exchange(added, true)) {
            mesh.materials.emplace_back().name = "neutral";
            if (mesh.colors.empty()) mesh.materials.back().base_color = {0.36f, 0.375f, 0.40f, 1};
        }
    }
    return character;
}

Character mesh_only() {
    Character character;
    character.name = "grid";
    character.mesh = grid(4);
    return character;
}

Character with_materials() {
    Character character = mesh_only();
    geometry::Mesh& mesh = character.mesh;
    mesh.images.push_back({"dot", "image/png", tiny_png()});
    geometry::Material plain;
    plain.name = "plain";
    plain.base_color = {0.1f, 0.2f, 0.3f, 1};
    plain.double_sided = true;
    geometry::Material pictured;
    pictured.name = "pictured";
    pictured.base_color_texture.image = 0;
    pictured.base_color_texture.wrap_u = geometry::Wrap::mirror;
    pictured.normal_texture.image = 0;
    pictured.normal_scale = 0.5f;
    pictured.emissive_texture.image = 0;
    pictured.emissive_texture.nearest = true;
    pictured.emissive = {0.5f, 0, 1};
    pictured.alpha_mode = geometry::AlphaMode::blend;
    mesh.materials = {plain, pictured};
    const auto half = static_cast<std::uint32_t>(mesh.triangles.size() / 2);
    mesh.parts = {{"cloth", 0, half, 0}, {"cloth", half, half, 1}};
    mesh.tangents.assign(mesh.positions.size(), math::Vec4f(1, 0, 0, -1));
    mesh.colors.assign(mesh.positions.size(), math::Vec4f(0.25f, 0.5f, 1, 1));
    return character;
}

Character with_morphs() {
    Character character = mesh_only();
    geometry::Mesh& mesh = character.mesh;
    for (int m = 0; m < 2; ++m) {
        geometry::Morph morph;
        morph.name = "shape" + std::to_string(m);
        morph.weight = 0.5f * static_cast<float>(m);
        for (const Vec3f& p : mesh.positions)
            morph.positions.emplace_back(0, 0, p.x() * static_cast<float>(m + 1));
        if (m == 1) morph.normals.assign(mesh.positions.size(), Vec3f(0.1f, 0, 0));
        mesh.morphs.push_back(morph);
    }
    model::Clip clip;
    clip.name = "morph";
    for (int m = 0; m < 2; ++m) {
        model::MorphTrack track;
        track.morph = m;
        track.weight.times = model::KeyTimes::even(0, 0.5, 3);
        track.weight.values = {0, m == 0 ? 1.0f : 0.25f, 0};
        clip.morph_tracks.push_back(track);
    }
    character.clips.push_back(clip);
    return character;
}

Character bare_skeleton() {
    Character character = chain_character(1);
    character.mesh = {};
    character.skin = {};
    model::Joint second;
    second.name = "another root";
    second.rest.translation = {3, 0, 0};
    character.skeleton.joints.push_back(second);
    return character;
}

/// Palette entries 0 and 3 are the same joint with different bind matrices, and one vertex uses both.
Character with_doubled_joint() {
    Character character = chain_character(3);
    model::SkinJoint again_joint = character.skin.joints[0];
    again_joint.inverse_bind(0, 3) += 0.25;
    character.skin.joints.push_back(again_joint);
    model::Skin skin;
    skin.joints = character.skin.joints;
    for (std::size_t v = 0; v < character.skin.vertex_count(); ++v) {
        const std::vector<model::Influence> list = {{0, 0.5f}, {3, 0.5f}};
        skin.push_vertex(v % 2 == 0 ? std::span<const model::Influence>(list) : character.skin.of(v));
    }
    character.skin = skin;
    return character;
}

/// A skin that names only some of the joints, and parts that share vertices.
Character with_shared_vertices() {
    Character character = chain_character(2);
    character.skin.joints.resize(2);
    const auto third = static_cast<std::uint32_t>(character.mesh.triangles.size() / 3);
    const auto rest = static_cast<std::uint32_t>(character.mesh.triangles.size()) - 2 * third;
    character.mesh.parts = {{"a", 0, third, -1}, {"b", third, third, -1}, {"c", 2 * third, rest, -1}};
    return character;
}

struct Kind {
    const char* name;
    Character (*make)();
};

const Kind kinds[] = {
    {"mesh", mesh_only},
    {"materials", with_materials},
    {"morphs", with_morphs},
    {"skeleton", bare_skeleton},
    {"doubled", with_doubled_joint},
    {"shared", with_shared_vertices},
    {"one-influence", [] { return chain_character(1); }},
    {"four-influences", [] { return chain_character(4); }},
    {"eight-influences", [] { return chain_character(8); }},
};

TEST(GltfWrite, CompactPiecesHangOnTheirJoints) {
    // Two triangles, each on one joint of two: no weights in the file, the same motion when read again.
    Character character = chain_character(1);
    geometry::Mesh& mesh = character.mesh;
    mesh = grid(2);
    mesh.parts.clear();
    geometry::Mesh second = grid(2);
    for (Vec3f& p : second.positions) p.z() += 1;
    mesh.parts = {{"first", 0, static_cast<std::uint32_t>(mesh.triangles.size()), -1}};
    second.parts = {{"second", 0, static_cast<std::uint32_t>(second.triangles.size()), -1}};
    const std::size_t half = mesh.vertex_count();
    geometry::append(mesh, second);
    character.skin = {};
    character.skin.joints = model::bind_at_rest(character.skeleton);
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
        const model::Influence influence{v < half ? 1u : 2u, 1.0f};
        character.skin.push_vertex({&influence, 1});
    }
    WriteOptions compact;
    compact.compact = true;
    const std::string small = write_gltf(asset_of(character), "a.glb", compact, silent());
    EXPECT_EQ(small.find("JOINTS_0"), std::string::npos);
    EXPECT_NE(small.find("KHR_mesh_quantization"), std::string::npos);
    EXPECT_LT(small.size(), write_gltf(asset_of(character), "a.glb", {}, silent()).size());
    const Character back = read(small, silent(), "a.glb").character;
    ASSERT_EQ(back.mesh.vertex_count(), mesh.vertex_count());
    const auto posed = [](const Character& c, double time) {
        const auto palette = model::palette(c.skin, model::world_matrices(c, &c.clips[0], time));
        std::vector<Vec3d> places;
        for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
            const Vec3d rest = c.mesh.positions[v].cast<double>();
            places.push_back((palette[c.skin.of(v)[0].joint] * rest.homogeneous()).head<3>());
        }
        return places;
    };
    for (const double time : {0.0, 0.37}) {
        const std::vector<Vec3d> before = posed(character, time), after = posed(back, time);
        for (std::size_t v = 0; v < before.size(); ++v) EXPECT_LT((before[v] - after[v]).norm(), 1e-5);
    }
    for (std::size_t v = 0; v < half; ++v) EXPECT_GT(back.mesh.normals[v].dot(mesh.normals[v]), 0.9999f);
}

TEST(GltfWrite, EveryKindReadsBackEqual) {
    for (const Kind& kind : kinds) {
        SCOPED_TRACE(kind.name);
        Collector warnings;
        Character character = kind.make();
        character.mesh.name = character.name;
        if (character.has_mesh()) character.mesh.parts = geometry::parts_of(character.mesh);
        expect_equal(again(character, "a.glb", warnings), as_written(character));
        expect_equal(again(character, "a.gltf", warnings), as_written(character));
        for (const Warning& warning : warnings.warnings()) ADD_FAILURE() << warning.text;
    }
}

TEST(GltfWrite, RealFilesReadBackEqual) {
    SINEW_NEEDS_DATA();
    for (const char* name : {"CesiumMan.glb", "RiggedFigure.glb", "RiggedSimple.glb", "SimpleSkin.gltf",
                             "RobotExpressive.glb", "human_male.glb", "dragon.glb"}) {
        SCOPED_TRACE(name);
        const Character character = read_data(name).character;
        expect_equal(again(character), as_written(character));
    }
}

TEST(GltfWrite, ABareMeshGetsSmoothNormalsAndANeutralMaterial) {
    Character character = mesh_only();
    character.mesh.normals.clear();
    const Json json = Json::parse(write_gltf(asset_of(character), "a.gltf", {}, silent()));
    const Json& primitive = json["meshes"][0]["primitives"][0];
    EXPECT_TRUE(primitive["attributes"].contains("NORMAL"));
    const Json& surface = json["materials"][primitive["material"].get<std::size_t>()]["pbrMetallicRoughness"];
    EXPECT_EQ(surface["metallicFactor"], 0);
    EXPECT_NEAR(surface["roughnessFactor"].get<double>(), 0.8, 1e-6);
    const geometry::Mesh back = again(character).mesh;
    EXPECT_EQ(back.normals, geometry::vertex_normals(back.positions, back.triangles));
    // Frames of a sequence would keep the normals of the first; a page dresses its characters itself.
    Asset sequence;
    sequence.sequence.rest = character.mesh;
    sequence.sequence.frames = {character.mesh.positions, character.mesh.positions};
    EXPECT_EQ(write_gltf(sequence, "a.gltf", {}, silent()).find("NORMAL"), std::string::npos);
    WriteOptions compact;
    compact.compact = true;
    const std::string page = write_gltf(asset_of(character), "a.gltf", compact, silent());
    EXPECT_EQ(page.find("NORMAL"), std::string::npos);
    EXPECT_EQ(page.find("neutral"), std::string::npos);
}

TEST(GltfWrite, TipsAreJointsForOthersAndTipsForUs) {
    for (const bool bound : {true, false}) {
        Character character = chain_character(2);
        character.skeleton.joints.back().tip = Vec3d(0.1, 0.2, 0.3);
        if (!bound) {
            character.mesh = {};
            character.skin = {};
        }
        const Json json = Json::parse(write_gltf(asset_of(character), "a.gltf", {}, silent()));
        const std::size_t count = character.skeleton.size();
        const Json& end = json["nodes"][count];
        EXPECT_EQ(end["name"], character.skeleton.joints.back().name + "_end");
        EXPECT_EQ(end["translation"], Json({0.1, 0.2, 0.3}));
        EXPECT_EQ(json["nodes"][count - 1]["children"], Json({count}));
        const Json& joints = json["skins"][0]["joints"];
        EXPECT_EQ(joints.size(), count + 1);
        EXPECT_EQ(joints.back(), count);
        const Character back = again(character);
        ASSERT_EQ(back.skeleton.size(), count);
        EXPECT_EQ(back.skeleton.joints.back().tip, character.skeleton.joints.back().tip);
        EXPECT_EQ(back.skin.joints.size(), character.skin.joints.size());
    }
}

TEST(GltfWrite, AVrmFileIsReadWithItsHumanoidMap) {
    Character character = chain_character(2);
    Json json = Json::parse(write_gltf(asset_of(character), "a.gltf", {}, silent()));
    const auto read_vrm = [&] { return decode(as_bytes(json.dump()), "a.vrm").character; };
    json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"] = {{"hips", {{"node", 0}}},
                                                                {"leftUpperLeg", {{"node", 1}}}};
    EXPECT_EQ(read_vrm().skeleton.joints[0].name, "Hips");
    EXPECT_EQ(read_vrm().skeleton.joints[1].name, "LeftUpperLeg");
    EXPECT_EQ(read_vrm().skeleton.joints[2].name, character.skeleton.joints[2].name);
    json["extensions"] = {{"VRM", {{"humanoid", {{"humanBones", {{{"bone", "rightHand"}, {"node", 2}}}}}}}}};
    const Character old = read_vrm();
    EXPECT_EQ(old.skeleton.joints[2].name, "RightHand");
    EXPECT_LT((old.mesh.positions[1] + Vec3f(1, -1, 1).cwiseProduct(character.mesh.positions[1])).norm(),
              1e-6f)
        << "VRM 0 looks along -z";
}

TEST(GltfWrite, AVrmFileIsWrittenWithItsHumanoidMap) {
    Character man = sample::make("man");
    Collector warnings;
    const std::string bytes = write_gltf(asset_of(man), "man.vrm", {}, warnings);
    EXPECT_FALSE(warnings.has("vrm-pose")) << "the man stands in a T-pose";
    const Json json = Json::parse(bytes.substr(20, static_cast<unsigned char>(bytes[12]) +
                                                       256u * static_cast<unsigned char>(bytes[13]) +
                                                       65536u * static_cast<unsigned char>(bytes[14])));
    const Json& vrm = json["extensions"]["VRMC_vrm"];
    EXPECT_EQ(json["extensionsUsed"], Json({"VRMC_vrm"}));
    EXPECT_EQ(vrm["specVersion"], "1.0");
    EXPECT_EQ(vrm["meta"]["licenseUrl"], "https://vrm.dev/licenses/1.0/");
    EXPECT_EQ(vrm["meta"]["authors"].size(), 1u);
    const Json& bones = vrm["humanoid"]["humanBones"];
    const auto node = [&](const char* word) {
        return json["nodes"][bones[word]["node"].get<std::size_t>()]["name"];
    };
    EXPECT_EQ(node("hips"), "Hips");
    EXPECT_EQ(node("rightLowerArm"), "RightLowerArm");
    EXPECT_EQ(node("leftThumbMetacarpal"), "LeftThumbProximal") << "thumbs of VRM 1 begin at the palm";
    EXPECT_EQ(node("leftThumbProximal"), "LeftThumbDistal") << "no bone without the one before it";
    EXPECT_EQ(node("upperChest"), "UpperChest");
    EXPECT_FALSE(bones.contains("leftIndexDistal")) << "its fingers have two joints";

    // Read back by the map alone: all other names are lost.
    Json renamed = Json::parse(write_gltf(asset_of(man), "man.gltf", {}, silent()));
    renamed["extensions"] = json["extensions"];
    renamed["extensionsUsed"] = json["extensionsUsed"];
    for (Json& each : renamed["nodes"]) each["name"] = "node";
    const Character back = decode(as_bytes(renamed.dump()), "man.vrm", {}, warnings).character;
    EXPECT_FALSE(warnings.has("gltf-extension")) << "the map is read";
    ASSERT_EQ(back.skeleton.size(), man.skeleton.size());
    for (std::size_t j = 0; j < man.skeleton.size(); ++j) {
        const model::JointRole before = model::role_from_name(man.skeleton.joints[j].name),
                               after = model::role_from_name(back.skeleton.joints[j].name);
        EXPECT_EQ(after.role, before.role) << man.skeleton.joints[j].name;
        EXPECT_EQ(after.side, before.side) << man.skeleton.joints[j].name;
    }

    EXPECT_THROW(write_gltf(asset_of(chain_character(2)), "a.vrm", {}, silent()), Error) << "no person";
    const int arm = man.skeleton.find("LeftUpperArm");
    ASSERT_GE(arm, 0);
    math::Transform& rest = man.skeleton.joints[static_cast<std::size_t>(arm)].rest;
    rest.rotation = math::Quatd(Eigen::AngleAxisd(-1, math::Vec3d::UnitZ())) * rest.rotation;
    write_gltf(asset_of(man), "man.vrm", {}, warnings);
    EXPECT_TRUE(warnings.has("vrm-pose"));
}

TEST(GltfWrite, SameBytesEveryTime) {
    const Asset asset = asset_of(chain_character(4));
    EXPECT_EQ(write_gltf(asset, "a.glb", {}, silent()), write_gltf(asset, "a.glb", {}, silent()));
}

TEST(GltfWrite, PartsThatShareVerticesShareAccessors) {
    const std::string text = write_gltf(asset_of(with_shared_vertices()), "a.gltf", {}, silent());
    const Json json = Json::parse(text);
    ASSERT_EQ(json["meshes"].size(), 3u);
    EXPECT_EQ(json["meshes"][0]["primitives"][0]["attributes"],
              json["meshes"][2]["primitives"][0]["attributes"]);
}

TEST(GltfWrite, SeparatePartsGetTheirOwnVertexRange) {
    Character character = mesh_only();
    geometry::append(character.mesh, mesh_only().mesh);
    const auto half = static_cast<std::uint32_t>(character.mesh.triangles.size() / 2);
    character.mesh.parts = {{"a", 0, half, -1}, {"b", half, half, -1}};
    const Json json = Json::parse(write_gltf(asset_of(character), "a.gltf", {}, silent()));
    for (const Json& mesh : json["meshes"]) {
        const std::size_t position = mesh["primitives"][0]["attributes"]["POSITION"];
        EXPECT_EQ(json["accessors"][position]["count"], 25);
    }
    EXPECT_EQ(again(character).mesh.positions, character.mesh.positions);
}

TEST(GltfWrite, EqualKeyTimesShareOneAccessor) {
    Character character = chain_character(1);
    model::Clip& clip = character.clips[0];
    clip.tracks[1] = clip.tracks[0];
    clip.tracks[1].joint = 1;
    const Json json = Json::parse(write_gltf(asset_of(character), "a.gltf", {}, silent()));
    std::set<int> inputs;
    for (const Json& sampler : json["animations"][0]["samplers"]) inputs.insert(sampler["input"].get<int>());
    EXPECT_EQ(inputs.size(), 2u);
}

TEST(GltfWrite, LargeMeshesGetWideIndices) {
    Character character;
    character.mesh = grid(256);
    const Json json = Json::parse(write_gltf(asset_of(character), "a.gltf", {}, silent()));
    const std::size_t indices = json["meshes"][0]["primitives"][0]["indices"];
    EXPECT_EQ(json["accessors"][indices]["componentType"], 5125);
    EXPECT_EQ(again(character).mesh.triangles, character.mesh.triangles);
}

TEST(GltfWrite, MorphKeysAtDifferentTimesAreMerged) {
    Character character = with_morphs();
    model::MorphTrack& track = character.clips[0].morph_tracks[1];
    track.weight.times = model::KeyTimes::listed({0.1f, 0.7f, 0.8f});
    const Character back = again(character);
    for (const double time : {0.0, 0.1, 0.3, 0.5, 0.65, 0.75, 0.9, 1.0}) {
        for (std::size_t m = 0; m < 2; ++m) {
            EXPECT_NEAR(model::sample(back.clips[0].morph_tracks[m].weight, time),
                        model::sample(character.clips[0].morph_tracks[m].weight, time), 1e-6)
                << time;
        }
    }
}

TEST(GltfWrite, NegativeTimesAreMovedWithAWarning) {
    Character character = chain_character(1);
    character.clips[0].tracks.resize(1);
    character.clips[0].tracks[0].translation.times = model::KeyTimes::even(-1, 0.25, 4);
    character.clips[0].tracks[0].scale = {};
    Collector warnings;
    const Character back = again(character, "a.glb", warnings);
    EXPECT_TRUE(warnings.has("gltf-negative-time"));
    EXPECT_EQ(model::time_range(back.clips[0]).start, 0);
    EXPECT_EQ(model::time_range(back.clips[0]).end, 0.75);
}

TEST(GltfWrite, NormalMapWithoutTangentsGetsThem) {
    Character character = with_materials();
    character.mesh.tangents.clear();
    const geometry::Mesh mesh = again(character).mesh;
    ASSERT_EQ(mesh.tangents.size(), mesh.positions.size());
    // u grows along x, and v grows downwards, so that n x t points up the image.
    EXPECT_GT(mesh.tangents[12].x(), 0.9f);
    EXPECT_EQ(mesh.tangents[12].w(), 1);
}

model::MeshSequence waving() {
    model::MeshSequence sequence;
    sequence.rest = grid(4);
    sequence.rate = 10;
    for (int f = 0; f < 5; ++f) {
        sequence.frames.push_back(sequence.rest.positions);
        for (Vec3f& p : sequence.frames.back()) p.z() += 0.1f * static_cast<float>(f) * p.x();
    }
    return sequence;
}

TEST(GltfWrite, SequenceBecomesMorphsThatShowEachFrameAtItsTime) {
    Asset asset;
    asset.sequence = waving();
    Collector warnings;
    const Character back = read(write_gltf(asset, "s.glb", {}, warnings)).character;
    EXPECT_TRUE(warnings.has("gltf-sequence"));
    ASSERT_EQ(back.mesh.morphs.size(), 5u);
    for (std::size_t f = 0; f < 5; ++f) {
        std::vector<float> weights(5);
        model::sample_morphs(back.clips.at(0), 0.1 * static_cast<double>(f), weights);
        for (std::size_t v = 0; v < back.mesh.positions.size(); ++v) {
            Vec3f p = back.mesh.positions[v];
            for (std::size_t m = 0; m < 5; ++m) p += weights[m] * back.mesh.morphs[m].positions[v];
            EXPECT_LT((p - asset.sequence.frames[f][v]).norm(), 1e-5f);
        }
    }
}

TEST(GltfWrite, NothingIsAnError) {
    EXPECT_THROW(write_gltf({}, "a.glb", {}, silent()), Error);
}

TEST(GltfWrite, ValidatorFindsNothing) {
    const std::string tool = SINEW_SOURCE_DIR "/tools/gltf-validate";
    const int code = std::system(("'" + tool + "' > /dev/null 2>&1").c_str());
    if (code != 0) GTEST_SKIP() << "node or the npm package gltf-validator is not installed: run npm ci";
    const sinew::test::TemporaryFolder folder;
    std::string command = "'" + tool + "'";
    const auto save = [&](const std::string& name, const Asset& asset) {
        for (const char* kind : {".glb", ".gltf"}) {
            const std::filesystem::path path = folder / (name + kind);
            sinew::test::write_text(path, write_gltf(asset, path, {}, silent()));
            command += " '" + path.string() + "'";
        }
    };
    for (const Kind& kind : kinds) save(kind.name, asset_of(kind.make()));
    Character dirty = chain_character(4);
    dirty.mesh.normals[3] = Vec3f::Zero();
    dirty.mesh.normals[4] *= 3;
    dirty.mesh.colors.assign(dirty.mesh.positions.size(), math::Vec4f(2, -1, 0, 1));
    dirty.clips[0].tracks[0].translation.times = model::KeyTimes::even(-2, 0.1, 4);
    dirty.mesh.materials.resize(1);
    dirty.mesh.materials[0].emissive = {3, 0, 0};
    dirty.mesh.materials[0].base_color_texture = {.image = 0, .uv_set = 1};
    dirty.mesh.images.push_back({"dot", "image/png", tiny_png()});
    save("dirty", asset_of(dirty));
    Character untangled = with_materials();
    untangled.mesh.tangents.clear();
    untangled.mesh.normals.clear();
    save("normal-map", asset_of(untangled));
    Character apart = chain_character(2);
    apart.skin = {};
    save("mesh-and-skeleton", asset_of(apart));
    Character points = mesh_only();
    points.mesh.triangles.clear();
    save("points", asset_of(points));
    Character mixed = with_morphs();
    mixed.clips[0].morph_tracks[1].weight.mode = model::Interpolation::step;
    mixed.clips.emplace_back().name = "empty";
    save("mixed-keys", asset_of(mixed));
    Asset sequence;
    sequence.sequence = waving();
    save("sequence", sequence);
    if (sinew::test::has_data()) {
        for (const char* name : {"CesiumMan.glb", "RiggedFigure.glb", "RobotExpressive.glb", "dragon.glb",
                                 "human_male.glb", "SimpleSkin.gltf"}) {
            save(name, read_data(name));
        }
    }
    const std::string log = (folder / "log").string();
    EXPECT_EQ(std::system((command + " > '" + log + "' 2>&1").c_str()), 0) << sinew::test::read_text(log);
}

}  // namespace gltf_write_test
}  // namespace sinew::io::test
