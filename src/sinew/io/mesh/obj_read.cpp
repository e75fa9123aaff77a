// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/geometry/mesh.h"
#include "sinew/io/mesh/mesh_file.h"
#include "sinew/io/mesh/mesh_formats.h"
#include "sinew/io/mesh/mtl.h"
#include "sinew/io/mesh/obj_vertices.h"
#include "sinew/io/text/parallel_in_order.h"

namespace sinew::io {
namespace {

// The f statements of an OBJ file, and the statements that group faces.

/// A statement that applies to the faces after it.
struct ObjEvent {
    enum class Kind : std::uint8_t { name, material, library };
    Kind kind = Kind::name;
    std::string_view text;
    std::uint32_t triangle = 0;  ///< triangles of the piece before it
    const char* at = nullptr;
};

/// As WarningTally: the count, and the location of the first.
struct ObjOddity {
    std::size_t count = 0;
    const char* first = nullptr;
    void add(const char* at) {
        if (count++ == 0) first = at;
    }
    void add(const ObjOddity& later) {
        if (count == 0) first = later.first;
        count += later.count;
    }
};

struct ObjOddities {
    ObjOddity short_faces;   ///< with fewer than three corners
    ObjOddity fans;          ///< large non-convex polygons that were triangulated as fans
    ObjOddity lines_points;  ///< l and p elements
    ObjOddity free_form;     ///< curves and surfaces
    ObjOddity unknown;
    void add(const ObjOddities& later);
};

/// Triangles of one piece of the file.
struct ObjFaces {
    /// Texture coordinate and normal of a corner, -1 for none.
    using Attributes = std::array<std::int32_t, 2>;

    std::vector<geometry::Triangle> triangles;  ///< of positions
    std::vector<Attributes> attributes;         ///< three for each triangle, or empty when no corner has any
    std::vector<ObjEvent> events;
    ObjOddities oddities;

    void clear();
};

/// Parses the faces of a piece. `shape` are the positions that determine the triangulation of polygons.
/// \throws Error with the line of an index that is broken or out of range.
void read_obj_faces(const ObjText& text, const ObjPiece& piece, std::span<const geometry::Vec3f> shape,
                    ObjFaces& out);

using geometry::Triangle;
using math::Vec3f;

constexpr ObjFaces::Attributes no_attributes = {-1, -1};

class FaceParser {
  public:
    FaceParser(const ObjText& text, const ObjPiece& piece, std::span<const Vec3f> shape, ObjFaces& out)
        : text_(text), piece_(piece), end_(piece.end), seen_(piece.before), shape_(shape), out_(out) {}

    void run() {
        const char* at = piece_.begin;
        while (at < end_) {
            at = skip_blanks(at, end_);
            at = find_line_end(statement(at), end_);
            if (at < end_) ++at;
        }
    }

  private:
    struct Corner {
        std::uint32_t position = 0;
        ObjFaces::Attributes attributes = no_attributes;
        bool is_plain() const { return attributes[0] < 0 && attributes[1] < 0; }
    };

    const char* statement(const char* at) {
        switch (scan_obj_word(at, end_)) {
            case ObjWord::face:
                return face(at);
            case ObjWord::position:
                ++seen_.positions;
                return at;
            case ObjWord::uv:
                ++seen_.uvs;
                return at;
            case ObjWord::normal:
                ++seen_.normals;
                return at;
            case ObjWord::other:
                other(at);
                return at;
        }
        return at;
    }

    const char* face(const char* at) {
        const char* const start = at;
        if (const char* const behind = plain_triangle(at)) return behind;
        corners_.clear();
        for (at = skip_blanks(at, end_); at < end_ && *at != '\n' && *at != '#'; at = skip_blanks(at, end_)) {
            at = corner(at);
        }
        if (corners_.size() < 3) {
            out_.oddities.short_faces.add(start);
        } else if (corners_.size() == 3) {
            add_triangle(corners_[0], corners_[1], corners_[2]);
        } else {
            add_polygon(start);
        }
        return at;
    }

    /// Almost all faces are three positive numbers separated by single blanks. Returns the end of the line,
    /// or null for any other face, also for an invalid one.
    const char* plain_triangle(const char* at) {
        constexpr int max_digits = 9;
        if (end_ - at < 3 * (max_digits + 1) + 2) return nullptr;
        const std::size_t total = text_.counts().positions;
        Triangle triangle;
        for (std::uint32_t& corner : triangle) {
            if (*at++ != ' ' || !is_digit(*at)) return nullptr;
            std::uint32_t number = static_cast<std::uint32_t>(*at++ - '0');
            for (int digits = 1; is_digit(*at); ++at) {
                if (++digits > max_digits) return nullptr;
                number = number * 10 + static_cast<std::uint32_t>(*at - '0');
            }
            corner = number - 1;
            if (corner >= total) return nullptr;
        }
        if (*at == '\r') ++at;
        if (*at != '\n') return nullptr;
        out_.triangles.push_back(triangle);
        if (!out_.attributes.empty()) out_.attributes.resize(3 * out_.triangles.size(), no_attributes);
        return at;
    }

    const char* corner(const char* at) {
        Corner corner;
        const char* behind =
            index(at, seen_.positions, text_.counts().positions, "position", corner.position);
        for (std::size_t i = 0; i < 2 && behind < end_ && *behind == '/'; ++i) {
            ++behind;
            if (behind < end_ && (*behind == '/' || is_blank(*behind) || *behind == '\n')) continue;
            const bool uv = i == 0;
            std::uint32_t value = 0;
            behind = index(behind, uv ? seen_.uvs : seen_.normals,
                           uv ? text_.counts().uvs : text_.counts().normals,
                           uv ? "texture coordinate" : "normal", value);
            corner.attributes[i] = static_cast<std::int32_t>(value);
        }
        if (behind < end_ && !is_blank(*behind) && *behind != '\n') bad_corner(at);
        corners_.push_back(corner);
        return behind;
    }

    /// An index counts from 1; a negative one counts backwards from the latest.
    const char* index(const char* at, std::size_t seen, std::size_t total, const char* what,
                      std::uint32_t& value) {
        std::int64_t number = 0;
        const char* const behind = scan_integer(at, end_, number);
        if (behind == nullptr) bad_corner(at);
        const std::int64_t slot = number < 0 ? static_cast<std::int64_t>(seen) + number : number - 1;
        if (slot < 0 || slot >= static_cast<std::int64_t>(total)) {
            fail(text_.location(at), "face names {} {}, but there are {}", what, number,
                 number < 0 ? seen : total);
        }
        value = static_cast<std::uint32_t>(slot);
        return behind;
    }

    [[noreturn]] void bad_corner(const char* at) const {
        fail(text_.location(at), "expected a corner of a face (v, v/vt, v//vn or v/vt/vn), found {}",
             found_at(at, end_));
    }

    void add_triangle(const Corner& a, const Corner& b, const Corner& c) {
        out_.triangles.push_back({a.position, b.position, c.position});
        const bool plain = a.is_plain() && b.is_plain() && c.is_plain();
        if (plain && out_.attributes.empty()) return;
        out_.attributes.resize(3 * (out_.triangles.size() - 1), no_attributes);
        for (const Corner* corner : {&a, &b, &c}) out_.attributes.push_back(corner->attributes);
    }

    void add_polygon(const char* start) {
        polygon_.clear();
        cut_.clear();
        for (const Corner& corner : corners_) polygon_.push_back(shape_[corner.position]);
        if (!triangulate(polygon_, cut_)) out_.oddities.fans.add(start);
        for (const Triangle& t : cut_) add_triangle(corners_[t[0]], corners_[t[1]], corners_[t[2]]);
    }

    void event(ObjEvent::Kind kind, const char* at, const char* behind) {
        const std::string_view text(behind, static_cast<std::size_t>(find_line_end(behind, end_) - behind));
        out_.events.push_back({kind, trim(text), static_cast<std::uint32_t>(out_.triangles.size()), at});
    }

    void other(const char* at) {
        if (at == end_ || *at == '\n' || *at == '#') return;
        const char* const behind = skip_word(at, end_);
        const std::string_view word(at, static_cast<std::size_t>(behind - at));
        static constexpr std::string_view ignored[] = {
            "s", "lod", "bevel", "c_interp", "d_interp", "usemap", "maplib", "shadow_obj", "trace_obj", "mg"};
        static constexpr std::string_view free_form[] = {"vp",    "cstype", "deg",  "bmat",  "step", "curv",
                                                         "curv2", "surf",   "parm", "trim",  "hole", "scrv",
                                                         "sp",    "end",    "con",  "ctech", "stech"};
        const auto is_in = [&](const auto& list) {
            return std::find(std::begin(list), std::end(list), word) != std::end(list);
        };
        if (word == "o" || word == "g") {
            event(ObjEvent::Kind::name, at, behind);
        } else if (word == "usemtl") {
            event(ObjEvent::Kind::material, at, behind);
        } else if (word == "mtllib") {
            event(ObjEvent::Kind::library, at, behind);
        } else if (word == "l" || word == "p") {
            out_.oddities.lines_points.add(at);
        } else if (is_in(free_form)) {
            out_.oddities.free_form.add(at);
        } else if (!is_in(ignored)) {
            out_.oddities.unknown.add(at);
        }
    }

    const ObjText& text_;
    const ObjPiece& piece_;
    const char* end_;
    ObjCounts seen_;
    std::span<const Vec3f> shape_;
    ObjFaces& out_;
    std::vector<Corner> corners_;
    std::vector<Vec3f> polygon_;
    std::vector<Triangle> cut_;
};

void ObjOddities::add(const ObjOddities& later) {
    short_faces.add(later.short_faces);
    fans.add(later.fans);
    lines_points.add(later.lines_points);
    free_form.add(later.free_form);
    unknown.add(later.unknown);
}

void ObjFaces::clear() {
    triangles.clear();
    attributes.clear();
    events.clear();
    oddities = {};
}

void read_obj_faces(const ObjText& text, const ObjPiece& piece, std::span<const Vec3f> shape, ObjFaces& out) {
    out.clear();
    if (piece.counts.faces + piece.counts.others == 0) return;
    FaceParser(text, piece, shape, out).run();
}

using geometry::Mesh;
using geometry::Part;
using math::Vec2f;

/// Ranges of triangles between the grouping statements.
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

    /// The parts of `triangles` triangles; empty when they form one part without name and material.
    std::vector<Part> finish(std::size_t triangles) {
        close(triangles);
        const bool bare = parts_.size() == 1 && parts_[0].name.empty() && parts_[0].material < 0;
        return bare ? std::vector<Part>() : std::move(parts_);
    }

    /// Names in `usemtl` statements, in the order of first use; parts hold indices into this list.
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
        const auto [slot, added] =
            numbers_.try_emplace(std::string(name), static_cast<int>(materials_.size()));
        if (added) materials_.emplace_back(name);
        return slot->second;
    }

    std::string name_;
    int material_ = -1;
    std::size_t start_ = 0;
    std::vector<Part> parts_;
    std::vector<std::string> materials_;
    std::map<std::string, int> numbers_;
    std::vector<std::string_view> libraries_;
};

/// Joins the faces of the pieces in the order of the file.
struct Assembly {
    std::vector<Triangle> triangles;
    std::unique_ptr<CornerTable> corners;  ///< null until a corner has a texture coordinate or normal
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

/// Pieces are parsed in parallel, a limited number at a time, so that no more than these are in memory before
/// they are joined.
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
        if (oddity.count > 0)
            warn(monitor, code, "{}: {} {}", text.location(oddity.first), oddity.count, what);
    };
    tell(oddities.short_faces, "obj-short-faces", "faces with fewer than three corners were left out");
    tell(oddities.fans, "obj-large-polygons", "large polygons that are not convex were cut as fans");
    tell(oddities.lines_points, "obj-lines-points", "line and point elements were left out");
    tell(oddities.free_form, "obj-free-form", "statements of free-form curves and surfaces were left out");
    tell(oddities.unknown, "obj-unknown", "statements are unknown and were left out");
}

/// Positions, texture coordinates and normals of all vertices, including splits.
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

/// Hash of the counts on which relative indices depend.
std::size_t digest(const ObjCounts& counts) {
    return counts.positions * 1000003u + counts.uvs * 10007u + counts.normals;
}

}  // namespace

MeshFile read_obj_mesh(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                       Monitor& monitor, const MeshFile* first) {
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
    load_obj_materials(file.mesh, assembly.parts.libraries(), assembly.parts.materials(), path, options,
                       monitor);
    return file;
}

Asset read_obj(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    return mesh_asset(read_obj_mesh(bytes, path, options, monitor, nullptr), path);
}

}  // namespace sinew::io
