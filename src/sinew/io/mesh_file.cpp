#include "sinew/io/mesh/mesh_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/io/text/scan.h"

namespace sinew::io {

using geometry::Mesh;
using geometry::Vec3f;
using geometry::Vec4f;

Asset mesh_asset(MeshFile file, const std::filesystem::path& path) {
    Asset asset;
    asset.character.mesh = std::move(file.mesh);
    asset.character.name = path.stem().string();
    if (asset.character.mesh.name.empty()) asset.character.mesh.name = asset.character.name;
    return asset;
}

void warn_lost(const Mesh& mesh, const std::string& place, const MeshFormatTraits& traits, Monitor& monitor) {
    const auto lost = [&](bool really, std::string_view code, std::string_view what) {
        if (really) warn(monitor, code, "{}: {} files hold no {}", place, traits.name, what);
    };
    lost(!mesh.morphs.empty(), "lost-morphs", "morphs: the shape at rest was written");
    lost(!traits.materials && !mesh.materials.empty(), "lost-materials", "materials");
    lost(!traits.parts && mesh.parts.size() > 1, "lost-parts", "parts");
    lost(!traits.colors && !mesh.colors.empty(), "lost-colors", "colours");
    lost(!traits.normals && !mesh.normals.empty(), "lost-normals", "normals at vertices");
    lost(!traits.uvs && !mesh.uvs[0].empty(), "lost-uvs", "texture coordinates");
    lost(traits.uvs && !mesh.uvs[1].empty(), "lost-uvs", "second texture coordinates");
}

const Mesh& mesh_to_write(const Asset& asset, const std::filesystem::path& path,
                          const MeshFormatTraits& traits, Monitor& monitor) {
    const model::Character& character = asset.character;
    const bool has_sequence = !asset.sequence.rest.empty();
    if (!character.has_mesh() && !has_sequence) {
        fail(path.string(), "{} files hold a mesh, and there is none to write", traits.name);
    }
    if (character.has_skeleton() || !character.clips.empty()) {
        warn(monitor, "lost-rig",
             "{}: {} files hold no skeleton, weights or motion: the mesh at rest was written", path.string(),
             traits.name);
    }
    if (asset.sequence.frames.size() > 0) {
        warn(monitor, "lost-frames",
             "{}: {} files hold one mesh: the rest shape was written, {} frames were not", path.string(),
             traits.name, asset.sequence.frames.size());
    }
    const Mesh& mesh = character.has_mesh() ? character.mesh : asset.sequence.rest;
    warn_lost(mesh, path.string(), traits, monitor);
    return mesh;
}

void check_count(std::uint64_t count, std::uint64_t bytes_each, std::size_t bytes_left, std::string_view what,
                 std::string_view place) {
    if (bytes_each > 0 && count > bytes_left / bytes_each) {
        fail(place, "{} {} are announced, but the {} bytes that follow hold at most {}", count, what,
             bytes_left, bytes_left / bytes_each);
    }
}

void complete_normals(Mesh& mesh, std::string_view place, Monitor& monitor) {
    std::vector<Vec3f> computed;
    std::size_t missing = 0;
    for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
        Vec3f& normal = mesh.normals[v];
        const double length = normal.cast<double>().norm();
        if (length > 0 && std::abs(length - 1) > 1e-3)
            normal = (normal.cast<double>() / length).cast<float>();
        if (length > 0) continue;
        if (computed.empty()) computed = geometry::vertex_normals(mesh.positions, mesh.triangles);
        normal = computed[v];
        ++missing;
    }
    if (missing > 0) {
        warn(monitor, "missing-normals", "{}: {} of {} vertices have no normal: computed from the triangles",
             place, missing, mesh.normals.size());
    }
}

std::string flipped_text(float v) {
    std::string text = fmt::format("{}", flipped(v));
    double read = 0;
    scan_double(text.data(), text.data() + text.size(), read);
    return flipped(read) == v ? text : fmt::format("{}", 1.0 - static_cast<double>(v));
}

float linear_from_srgb(float value) {
    const double v = value;
    return static_cast<float>(v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4));
}

float srgb_from_linear(float value) {
    const double v = value;
    return static_cast<float>(v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055);
}

float linear_from_byte(std::uint8_t value) {
    static const std::array<float, 256> table = [] {
        std::array<float, 256> values{};
        for (std::size_t i = 0; i < 256; ++i) values[i] = linear_from_srgb(static_cast<float>(i) / 255);
        return values;
    }();
    return table[value];
}

std::uint8_t byte_from_linear(float value) {
    const float byte = srgb_from_linear(std::clamp(value, 0.0f, 1.0f)) * 255;
    return static_cast<std::uint8_t>(std::lround(std::clamp(byte, 0.0f, 255.0f)));
}

bool fits_bytes(const std::vector<Vec4f>& colors) {
    return std::all_of(colors.begin(), colors.end(), [](const Vec4f& color) {
        const float alpha = std::round(color[3] * 255);
        if (!(alpha >= 0 && alpha <= 255) || alpha / 255 != color[3]) return false;
        for (int i = 0; i < 3; ++i) {
            if (linear_from_byte(byte_from_linear(color[i])) != color[i]) return false;
        }
        return true;
    });
}

}  // namespace sinew::io
