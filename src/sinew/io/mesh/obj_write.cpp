// SPDX-License-Identifier: MIT

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/compile.h>

#include "sinew/base/error.h"
#include "sinew/io/mesh/mesh_formats.h"
#include "sinew/io/mesh/mtl.h"

namespace sinew::io {
namespace {

using geometry::Mesh;
using geometry::Part;

namespace fs = std::filesystem;

/// A name that fits on one line: without control characters, and without a backslash at its end, which would
/// continue the line.
std::string one_line(std::string name) {
    for (char& c : name) {
        if (static_cast<unsigned char>(c) < ' ' || c == 127) c = '_';
    }
    if (name.ends_with('\\')) name.back() = '_';
    return name;
}

/// A file name that is valid on any system.
std::string file_name(std::string name) {
    for (char& c : name) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           c == '-' || c == '_' || (c & 0x80) != 0;
        if (!plain) c = '_';
    }
    return name;
}

/// Makes the names of a list unique: "a", "a" becomes "a", "a_2".
std::vector<std::string> distinct(std::vector<std::string> names, std::string_view fallback) {
    std::set<std::string> taken;
    for (std::string& name : names) {
        if (name.empty()) name = fallback;
        const std::string base = name;
        for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{}_{}", base, n);
    }
    return names;
}

std::vector<std::string> material_names(const Mesh& mesh) {
    std::vector<std::string> names;
    for (const geometry::Material& material : mesh.materials) names.push_back(one_line(material.name));
    return distinct(std::move(names), "material");
}

/// Writes the material file and its pictures beside the OBJ file; returns the name of the material file.
std::string write_companions(const Mesh& mesh, std::span<const std::string> names, const fs::path& path) {
    std::vector<std::string> pictures;
    for (const geometry::Image& image : mesh.images) {
        pictures.push_back(file_name(path.stem().string()) + "_" + file_name(image.name));
    }
    pictures = distinct(std::move(pictures), "picture");
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        pictures[i] += mesh.images[i].mime_type == "image/jpeg" ? ".jpg" : ".png";
        write_file(path.parent_path() / pictures[i], Bytes(mesh.images[i].bytes));
    }
    const fs::path library = fs::path(path).replace_extension(".mtl");
    write_file(library, write_mtl(mesh, names, pictures));
    return library.filename().string();
}

class ObjWriter {
  public:
    ObjWriter(const Mesh& mesh, std::string& out) : mesh_(mesh), out_(std::back_inserter(out)) {}

    void vertices() {
        for (std::size_t v = 0; v < mesh_.positions.size(); ++v) {
            const auto& p = mesh_.positions[v];
            fmt::format_to(out_, FMT_COMPILE("v {} {} {}"), p[0], p[1], p[2]);
            if (!mesh_.colors.empty()) color(mesh_.colors[v]);
            fmt::format_to(out_, FMT_COMPILE("\n"));
        }
        for (const auto& uv : mesh_.uvs[0])
            fmt::format_to(out_, FMT_COMPILE("vt {} {}\n"), uv[0], flipped_text(uv[1]));
        for (const auto& n : mesh_.normals)
            fmt::format_to(out_, FMT_COMPILE("vn {} {} {}\n"), n[0], n[1], n[2]);
    }

    void faces(std::span<const std::string> materials) {
        std::string name;
        int material = -1;
        for (const Part& part : geometry::parts_of(mesh_)) {
            if (part.name != name) fmt::format_to(out_, "o {}\n", one_line(part.name));
            if (part.material != material) {
                fmt::format_to(out_, "usemtl {}\n",
                               part.material < 0 ? "" : materials[static_cast<std::size_t>(part.material)]);
            }
            name = part.name;
            material = part.material;
            for (std::size_t t = part.first; t < part.first + std::size_t{part.count}; ++t)
                face(mesh_.triangles[t]);
        }
    }

  private:
    void color(const geometry::Vec4f& c) {
        const auto srgb = [&](int i) { return srgb_from_linear(c[i]); };
        fmt::format_to(out_, FMT_COMPILE(" {} {} {}"), srgb(0), srgb(1), srgb(2));
        if (c[3] != 1) fmt::format_to(out_, FMT_COMPILE(" {}"), c[3]);
    }

    void face(const geometry::Triangle& triangle) {
        const std::uint32_t a = triangle[0] + 1;
        const std::uint32_t b = triangle[1] + 1;
        const std::uint32_t c = triangle[2] + 1;
        const bool uvs = !mesh_.uvs[0].empty();
        const bool normals = !mesh_.normals.empty();
        if (uvs && normals) {
            fmt::format_to(out_, FMT_COMPILE("f {0}/{0}/{0} {1}/{1}/{1} {2}/{2}/{2}\n"), a, b, c);
        } else if (uvs) {
            fmt::format_to(out_, FMT_COMPILE("f {0}/{0} {1}/{1} {2}/{2}\n"), a, b, c);
        } else if (normals) {
            fmt::format_to(out_, FMT_COMPILE("f {0}//{0} {1}//{1} {2}//{2}\n"), a, b, c);
        } else {
            fmt::format_to(out_, FMT_COMPILE("f {} {} {}\n"), a, b, c);
        }
    }

    const Mesh& mesh_;
    std::back_insert_iterator<std::string> out_;
};

}  // namespace

std::string write_obj(const Asset& asset, const fs::path& path, const WriteOptions&, Monitor& monitor) {
    const Mesh& mesh = mesh_to_write(asset, path, {.name = "OBJ", .materials = true, .parts = true}, monitor);
    const std::vector<std::string> names = material_names(mesh);
    std::string text = "# sinew\n";
    if (is_standard_output(path) && !names.empty())
        warn(monitor, "lost-materials",
             "standard output holds the mesh alone: its materials are not written");
    else if (!names.empty())
        text += fmt::format("mtllib {}\n", write_companions(mesh, names, path));
    ObjWriter writer(mesh, text);
    writer.vertices();
    writer.faces(names);
    return text;
}

}  // namespace sinew::io
