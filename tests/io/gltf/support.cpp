// SPDX-License-Identifier: MIT
#include "io/gltf/support.h"

#include <cmath>

#include "support/data.h"

#include "sinew/io/interchange.h"

namespace sinew::io::test {
namespace {

void put_u32(std::string& text, std::size_t value) {
    const auto number = static_cast<std::uint32_t>(value);
    text.append(reinterpret_cast<const char*>(&number), 4);
}

}  // namespace

std::string make_glb(const std::string& json, const std::string& binary) {
    std::string text = json, data = binary;
    text.append((4 - text.size() % 4) % 4, ' ');
    data.append((4 - data.size() % 4) % 4, '\0');
    std::string file = "glTF";
    put_u32(file, 2);
    put_u32(file, 12 + 8 + text.size() + (data.empty() ? 0 : 8 + data.size()));
    put_u32(file, text.size());
    file += "JSON" + text;
    if (!data.empty()) {
        put_u32(file, data.size());
        file += std::string("BIN\0", 4) + data;
    }
    return file;
}

std::string make_glb(const Json& json, const std::string& binary) {
    return make_glb(json.dump(), binary);
}

int FileMaker::add_view(const std::string& bytes) {
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", bytes.size()}});
    binary += bytes;
    binary.append((4 - binary.size() % 4) % 4, '\0');
    return static_cast<int>(json["bufferViews"].size()) - 1;
}

std::string FileMaker::glb() {
    json["buffers"] = Json::array({{{"byteLength", binary.size()}}});
    return make_glb(json, binary);
}

FileMaker triangle() {
    FileMaker file;
    const int positions = file.add<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}, 5126, "VEC3", 3);
    const int indices = file.add<std::uint16_t>({0, 1, 2}, 5123, "SCALAR", 1);
    file.json["meshes"] = Json::array(
        {{{"primitives", Json::array({{{"attributes", {{"POSITION", positions}}}, {"indices", indices}}})}}});
    file.json["nodes"] = Json::array({{{"mesh", 0}}});
    file.json["scenes"] = Json::array({{{"nodes", {0}}}});
    return file;
}

FileMaker skinned_triangle() {
    FileMaker file = triangle();
    const int joints = file.add<std::uint8_t>({0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}, 5121, "VEC4", 4);
    const int weights = file.add<float>({1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 1, 0, 0, 0}, 5126, "VEC4", 4);
    Json& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_0"] = joints;
    attributes["WEIGHTS_0"] = weights;
    file.json["nodes"][0]["skin"] = 0;
    file.json["nodes"].push_back({{"name", "root"}, {"children", {2}}});
    file.json["nodes"].push_back({{"name", "tip"}, {"translation", {0, 1, 0}}});
    file.json["scenes"][0]["nodes"] = {0, 1};
    file.json["skins"] = Json::array({{{"joints", {1, 2}}}});
    const float half = std::sqrt(0.5f);
    const int times = file.add<float>({0, 1, 3}, 5126, "SCALAR", 1);
    const int values = file.add<float>({0, 0, 0, 1, 0, 0, half, half, 0, 0, 0, 1}, 5126, "VEC4", 4);
    file.json["animations"] = Json::array(
        {{{"name", "wave"},
          {"channels", Json::array({{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}})},
          {"samplers", Json::array({{{"input", times}, {"output", values}}})}}});
    return file;
}

Asset read(const std::string& bytes, Monitor& monitor, const std::string& name) {
    return read_gltf(as_bytes(bytes), name, {}, monitor);
}

Asset read_data(const std::string& name, Monitor& monitor) {
    const std::filesystem::path path = sinew::test::data("gltf/" + name);
    const FileView file(path);
    return read_gltf(file.bytes(), path, {}, monitor);
}

geometry::Mesh grid(int cells) {
    geometry::Mesh mesh;
    for (int y = 0; y <= cells; ++y) {
        for (int x = 0; x <= cells; ++x) {
            const float u = static_cast<float>(x) / static_cast<float>(cells);
            const float v = static_cast<float>(y) / static_cast<float>(cells);
            mesh.positions.emplace_back(u, v, 0.1f * std::sin(3 * u + 2 * v));
            mesh.uvs[0].emplace_back(u, 1 - v);
        }
    }
    const auto at = [&](int x, int y) { return static_cast<std::uint32_t>(y * (cells + 1) + x); };
    for (int y = 0; y < cells; ++y) {
        for (int x = 0; x < cells; ++x) {
            mesh.triangles.push_back({at(x, y), at(x + 1, y), at(x + 1, y + 1)});
            mesh.triangles.push_back({at(x, y), at(x + 1, y + 1), at(x, y + 1)});
        }
    }
    mesh.normals = geometry::vertex_normals(mesh.positions, mesh.triangles);
    return mesh;
}

model::Character chain_character(int influences) {
    model::Character character;
    character.name = "chain";
    character.mesh = grid(6);
    const int joints = std::max(3, influences);
    for (int j = 0; j < joints; ++j) {
        model::Joint joint;
        joint.name = "bone" + std::to_string(j);
        joint.parent = j - 1;
        joint.rest.translation = {0.1, j == 0 ? 0 : 0.3, 0};
        joint.rest.rotation = math::axis_angle<double>(math::Vec3d::UnitZ(), 0.1 * j);
        character.skeleton.joints.push_back(joint);
    }
    character.skeleton.joints.back().tip = math::Vec3d(0, 0.25, 0);
    character.skin.joints = model::bind_at_rest(character.skeleton);
    for (std::size_t v = 0; v < character.mesh.positions.size(); ++v) {
        std::vector<model::Influence> list;
        for (int i = 0; i < influences; ++i) {
            list.push_back({static_cast<std::uint32_t>(i),
                            1.0f + static_cast<float>((v * 7 + static_cast<std::size_t>(i) * 3) % 5)});
        }
        character.skin.push_vertex(list);
    }
    model::clean(character.skin);
    model::Clip clip;
    clip.name = "all kinds";
    model::Track root;
    root.joint = 0;
    root.translation.times = model::KeyTimes::even(0, 1.0 / 30, 4);
    root.translation.values = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.5f}};
    root.scale.mode = model::Interpolation::step;
    root.scale.times = model::KeyTimes::listed({0, 0.5f, 2});
    root.scale.values = {{1, 1, 1}, {2, 2, 2}, {1, 2, 3}};
    clip.tracks.push_back(root);
    model::Track cubic;
    cubic.joint = 2;
    cubic.rotation.mode = model::Interpolation::cubic;
    cubic.rotation.times = model::KeyTimes::listed({0, 0.25f, 2});
    for (int k = 0; k < 3; ++k) {
        cubic.rotation.values.emplace_back(0.0f, 0.1f, 0.0f, 0.3f);
        cubic.rotation.values.push_back(
            math::axis_angle<float>(math::Vec3f::UnitX(), 0.4f * static_cast<float>(k)));
        cubic.rotation.values.emplace_back(0.0f, 0.0f, 0.2f, 0.1f);
    }
    clip.tracks.push_back(cubic);
    character.clips.push_back(clip);
    return character;
}

std::vector<std::byte> tiny_png() {
    return *decode_base64(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP43+AAAARBAcAM0e2RAAAAAElFTkSuQmCC");
}

}  // namespace sinew::io::test
