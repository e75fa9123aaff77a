#include "sinew/io/mesh/mesh_formats.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/mesh/mesh_file.h"
#include "sinew/io/mesh/mtl.h"
#include "sinew/io/obj_faces.h"
#include "sinew/io/mesh/obj_vertices.h"
#include "sinew/io/text/parallel_in_order.h"

namespace sinew::io {
namespace {

using geometry::Mesh;
using geometry::Part;
using geometry::Triangle;
using geometry::Vec2f;
using geometry::Vec3f;

/// Runs of triangles between the statements that name them.
class PartList {
  public:
    void apply(const ObjEvent& event, std::size_t triangle) {
        switch (event.kind) {
            case ObjEvent::Kind::name:
                begin(std::string(event.text), material_, triangle);
                break;
            case ObjEvent::Kind::material:
                begin(name_, material(event.text), triangle);
                break;
            case ObjEvent::Kind::library:
                if (std::find(libraries_.begin(), libraries_.end(), event.text) == libraries_.end()) {
                    libraries_.push_back(event.text);
                }
                break;
        }
    }

    /// The parts of `triangles` triangles; none when they are one part without name and material.
    std::vector<Part> finish(std::size_t triangles) {
        close(triangles);
        const bool bare = parts_.size() == 1 && parts_[0].name.empty() && parts_[0].material < 0;
        return bare ? std::vector<Part>() : std::move(parts_);
    }

    /// Names that `usemtl` mentioned, in the order of first use; parts hold places in this list.
    const std::vector<std::string>& materials() const { return materials_; }
    const std::vector<std::string_view>& libraries() const { return libraries_; }

  private:
    void begin(std::string name, int material, std::size_t triangle) {
        if (name == name_ && material == material_) return;
        close(triangle);
        name_ = std::move(name);
        material_ = material;
    }

    void close(std::size_t triangle) {
        if (triangle > start_) {
            parts_.push_back({name_, static_cast<std::uint32_t>(start_),
                              static_cast<std::uint32_t>(triangle - start_), material_});
        }
        start_ = triangle;
    }

    int material(std::string_view name) {
        if (name.empty() || name == "(null)") return -1;
        const auto [place, added] =
            numbers_.try_emplace(std::string(name), static_cast<int>(materials_.size()));
        if (added) materials_.emplace_back(name);
        return place->second;
    }

    std::string name_;
    int material_ = -1;
    std::size_t start_ = 0;
    std::vector<Part> parts_;
    std::vector<std::string> materials_;
    std::map<std::string, int> numbers_;
    std::vector<std::string_view> libraries_;
};

/// Puts the faces of the pieces together, in the order of the file.
struct Assembly {
    std::vector<Triangle> triangles;
    std::unique_ptr<CornerTable> corners;  ///< null as long as no corner has a texture coordinate or normal
    PartList parts;
    ObjOddities oddities;

    void add(const ObjFaces& faces, std::size_t position_count) {
        for (const ObjEvent& event : faces.events) parts.apply(event, triangles.size() + event.triangle);
        oddities.add(faces.oddities);
        if (!faces.attributes.empty() && !corners)
            corners = std::make_unique<CornerTable>(position_count, triangles);
        if (!corners) {
            triangles.insert(triangles.end(), faces.triangles.begin(), faces.triangles.end());
            return;
        }
        const auto attributes = [&](std::size_t corner) {
            return faces.attributes.empty() ? ObjFaces::Attributes{-1, -1} : faces.attributes[corner];
        };
        for (std::size_t t = 0; t < faces.triangles.size(); ++t) {
            Triangle triangle{};
            for (std::size_t i = 0; i < 3; ++i) {
                const auto [uv, normal] = attributes(3 * t + i);
                triangle[i] = corners->vertex(faces.triangles[t][i], uv, normal);
            }
            triangles.push_back(triangle);
        }
    }
};

/// Pieces are parsed side by side in waves, so that no more than a wave of them is held before it is put in
/// place.
Assembly assemble(const ObjText& text, std::span<const Vec3f> shape, Monitor& monitor) {
    constexpr std::size_t wave = 32;
    Assembly result;
    result.triangles.reserve(text.counts().faces);
    std::vector<ObjFaces> faces(std::min(wave, text.pieces().size()));
    for (std::size_t start = 0; start < text.pieces().size(); start += wave) {
        step(monitor, "reading", static_cast<double>(start) / static_cast<double>(text.pieces().size()));
        const std::size_t count = std::min(wave, text.pieces().size() - start);
        parallel_in_order(
            count, [&](std::size_t i) { read_obj_faces(text, text.pieces()[start + i], shape, faces[i]); });
        for (std::size_t i = 0; i < count; ++i) result.add(faces[i], text.counts().positions);
    }
    return result;
}

void warn_oddities(const ObjText& text, const ObjOddities& oddities, Monitor& monitor) {
    const auto tell = [&](const ObjOddity& oddity, std::string_view code, std::string_view what) {
        if (oddity.count > 0) warn(monitor, code, "{}: {} {}", text.place(oddity.first), oddity.count, what);
    };
    tell(oddities.short_faces, "obj-short-faces", "faces with fewer than three corners were left out");
    tell(oddities.fans, "obj-large-polygons", "large polygons that are not convex were cut as fans");
    tell(oddities.lines_points, "obj-lines-points", "line and point elements were left out");
    tell(oddities.free_form, "obj-free-form", "statements of free-form curves and surfaces were left out");
    tell(oddities.unknown, "obj-unknown", "statements are unknown and were left out");
}

/// Positions, texture coordinates and normals of all vertices, splits included.
void fill_vertices(MeshFile& file, ObjVertices& vertices, CornerTable& corners, const ObjText& text,
                   Monitor& monitor) {
    Mesh& mesh = file.mesh;
    const std::vector<std::uint32_t>& sources = corners.sources();
    const auto extend = [&](auto& values) {
        values.reserve(corners.vertex_count());
        for (const std::uint32_t source : sources) values.push_back(values[source]);
    };
    extend(mesh.positions);
    if (!mesh.colors.empty()) extend(mesh.colors);
    std::size_t with_uv = 0;
    std::size_t with_normal = 0;
    for (std::size_t v = 0; v < corners.vertex_count(); ++v) {
        with_uv += corners.uv(v) >= 0 ? 1 : 0;
        with_normal += corners.normal(v) >= 0 ? 1 : 0;
    }
    if (with_uv > 0) {
        if (with_uv < corners.vertex_count()) {
            warn(monitor, "missing-uvs", "{}: {} of {} vertices have no texture coordinate: they got 0 0",
                 text.name(), corners.vertex_count() - with_uv, corners.vertex_count());
        }
        mesh.uvs[0].reserve(corners.vertex_count());
        for (std::size_t v = 0; v < corners.vertex_count(); ++v) {
            const std::int32_t uv = corners.uv(v);
            mesh.uvs[0].push_back(uv < 0 ? Vec2f(Vec2f::Zero()) : vertices.uvs[static_cast<std::size_t>(uv)]);
        }
    }
    if (with_normal > 0) {
        mesh.normals.reserve(corners.vertex_count());
        for (std::size_t v = 0; v < corners.vertex_count(); ++v) {
            const std::int32_t n = corners.normal(v);
            mesh.normals.push_back(n < 0 ? Vec3f(Vec3f::Zero())
                                         : vertices.normals[static_cast<std::size_t>(n)]);
        }
        complete_normals(mesh, text.name(), monitor);
    }
    file.split_source = corners.take_sources();
}

/// Digest of the counts that relative indices depend on.
std::size_t digest(const ObjCounts& counts) {
    return counts.positions * 1000003u + counts.uvs * 10007u + counts.normals;
}

}  // namespace

MeshFile read_obj_mesh(Bytes bytes, const std::filesystem::path& path, Monitor& monitor,
                       const MeshFile* first) {
    std::string converted;
    const ObjText text(as_utf8(as_text(bytes), converted), path.string());
    if (text.counts().positions == 0) fail(text.name(), "is not an OBJ mesh: no vertex (v) in it");
    const ObjCounts& counts = text.counts();
    if (std::max({counts.positions, counts.uvs, counts.normals, counts.faces}) > 0x7FFFFFFFu) {
        fail(text.name(), "too large: more than 2^31 statements of one kind");
    }
    MeshFile file;
    file.file_vertices = text.counts().positions;
    file.other_counts = digest(text.counts());
    if (converted.empty()) file.face_text = text.face_text();
    ObjVertices vertices = read_obj_vertices(text, first != nullptr, monitor);
    file.mesh.positions = std::move(vertices.positions);
    file.mesh.colors = std::move(vertices.colors);
    if (first != nullptr) {
        if (first->file_vertices != file.file_vertices) return file;
        file.same_faces = !file.face_text.empty() && file.other_counts == first->other_counts &&
                          file.face_text == first->face_text;
        if (file.same_faces) return file;
    }
    Assembly assembly =
        assemble(text, first != nullptr ? first->mesh.positions : file.mesh.positions, monitor);
    file.mesh.triangles = std::move(assembly.triangles);
    if (first != nullptr) {
        if (assembly.corners) file.split_source = assembly.corners->take_sources();
        return file;
    }
    if (assembly.corners) fill_vertices(file, vertices, *assembly.corners, text, monitor);
    file.mesh.parts = assembly.parts.finish(file.mesh.triangles.size());
    warn_oddities(text, assembly.oddities, monitor);
    if (file.mesh.triangles.empty())
        warn(monitor, "no-faces", "{}: the mesh has vertices but no faces", text.name());
    load_obj_materials(file.mesh, assembly.parts.libraries(), assembly.parts.materials(), path, monitor);
    return file;
}

Asset read_obj(Bytes bytes, const std::filesystem::path& path, const ReadOptions&, Monitor& monitor) {
    return mesh_asset(read_obj_mesh(bytes, path, monitor, nullptr), path);
}

}  // namespace sinew::io
