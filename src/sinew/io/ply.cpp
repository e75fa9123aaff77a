#include "sinew/io/mesh/mesh_formats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "sinew/io/mesh/mtl.h"
#include "sinew/io/ply_faces.h"
#include "sinew/io/mesh/ply_header.h"
#include "sinew/io/ply_vertices.h"

namespace sinew::io {
namespace {

using geometry::Mesh;

/// Everything that decides what the bytes behind the vertices mean.
std::size_t digest(const PlyHeader& header) {
    std::string text = fmt::format("{}", static_cast<int>(header.encoding));
    for (const PlyElement& element : header.elements) {
        text += fmt::format("|{} {}", element.name, element.count);
        if (element.name == "vertex") continue;
        for (const PlyProperty& property : element.properties) {
            text += fmt::format(" {} {} {}", property.name, static_cast<int>(property.type),
                                property.is_list() ? static_cast<int>(*property.count_type) : -1);
        }
    }
    return std::hash<std::string>()(text);
}

template <class Source>
void skip_element(Source& source, const PlyElement& element) {
    if (element.properties.empty()) return;
    for (std::uint64_t row = 0; row < element.count; ++row) {
        for (const PlyProperty& property : element.properties) {
            const std::int64_t count = property.is_list() ? source.integer(*property.count_type) : 1;
            if (count < 0) fail(source.place(), "a list of {} items", count);
            source.skip(property.type, static_cast<std::size_t>(count));
        }
    }
}

template <class Source>
void read_elements(Source& source, const PlyHeader& header, const std::string& name, Monitor& monitor,
                   const MeshFile* first, MeshFile& file) {
    for (const PlyElement& element : header.elements) {
        check_count(element.count, source.row_bytes(element), source.bytes_left(),
                    fmt::format("\"{}\" elements", element.name), source.place());
        const bool faces = element.name == "face" || element.name == "tristrips";
        if (element.name == "vertex" && file.file_vertices == 0) {
            read_ply_vertices(source, element, file.mesh, name, monitor);
            file.file_vertices = file.mesh.positions.size();
            file.face_text = source.rest();
            if (first == nullptr) continue;
            if (first->file_vertices != file.file_vertices) return;
            file.same_faces = file.face_text == first->face_text && file.other_counts == first->other_counts;
            if (file.same_faces) return;
        } else if (faces && element.count > 0) {
            if (file.file_vertices == 0) fail(source.place(), "faces before the vertices are not supported");
            read_ply_faces(source, element, first != nullptr ? first->mesh.positions : file.mesh.positions,
                           file.mesh.triangles, name, monitor);
        } else {
            skip_element(source, element);
        }
    }
}

void load_texture(Mesh& mesh, const std::string& texture, const std::filesystem::path& path,
                  Monitor& monitor) {
    if (texture.empty() || mesh.uvs[0].empty()) return;
    const int image = load_picture(mesh, path.parent_path(), texture, path.string(), monitor);
    if (image < 0) return;
    mesh.materials.emplace_back().name = "material";
    mesh.materials.back().base_color_texture.image = image;
    mesh.parts.push_back({"", 0, static_cast<std::uint32_t>(mesh.triangles.size()), 0});
}

}  // namespace

MeshFile read_ply_mesh(Bytes bytes, const std::filesystem::path& path, Monitor& monitor,
                       const MeshFile* first) {
    const std::string name = path.string();
    const std::string_view text = as_text(bytes);
    const PlyHeader header = read_ply_header(text, name);
    const bool has_vertices =
        std::any_of(header.elements.begin(), header.elements.end(),
                    [](const PlyElement& element) { return element.name == "vertex" && element.count > 0; });
    if (!has_vertices) fail(name, "holds no vertices");
    MeshFile file;
    file.other_counts = digest(header);
    const auto read_with = [&](auto source) { read_elements(source, header, name, monitor, first, file); };
    switch (header.encoding) {
        case PlyEncoding::text:
            read_with(PlyTextSource(text, header.size, name));
            break;
        case PlyEncoding::little:
            read_with(PlyBinarySource<false>(text, header.size, name));
            break;
        case PlyEncoding::big:
            read_with(PlyBinarySource<true>(text, header.size, name));
            break;
    }
    if (first != nullptr) return file;
    Mesh& mesh = file.mesh;
    complete_normals(mesh, name, monitor);
    if (mesh.triangles.empty()) warn(monitor, "no-faces", "{}: the mesh has vertices but no faces", name);
    load_texture(mesh, header.texture, path, monitor);
    return file;
}

Asset read_ply(Bytes bytes, const std::filesystem::path& path, const ReadOptions&, Monitor& monitor) {
    return mesh_asset(read_ply_mesh(bytes, path, monitor, nullptr), path);
}

}  // namespace sinew::io
