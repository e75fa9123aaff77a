// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"
#include "sinew/io/interchange.h"
#include "sinew/io/mesh/mesh_file.h"
#include "sinew/io/mesh/mesh_formats.h"
#include "sinew/io/mesh/mtl.h"
#include "sinew/io/mesh/ply_header.h"
#include "sinew/io/text/parallel_in_order.h"

namespace sinew::io {
namespace {

// The vertex element of a PLY file.

using geometry::Mesh;
using math::Vec2f;
using math::Vec3f;
using math::Vec4f;

/// The role of a property of a vertex.
enum Role { px, py, pz, nx, ny, nz, tu, tv, red, green, blue, alpha, role_count };

/// Index of the property with each role, or -1.
using Columns = std::array<int, role_count>;

Columns find_columns(const PlyElement& element, const std::string& location) {
    Columns columns = {element.find({"x"}),
                       element.find({"y"}),
                       element.find({"z"}),
                       element.find({"nx", "normal_x"}),
                       element.find({"ny", "normal_y"}),
                       element.find({"nz", "normal_z"}),
                       element.find({"s", "u", "texture_u", "texture_s"}),
                       element.find({"t", "v", "texture_v", "texture_t"}),
                       element.find({"red", "r", "diffuse_red"}),
                       element.find({"green", "g", "diffuse_green"}),
                       element.find({"blue", "b", "diffuse_blue"}),
                       element.find({"alpha", "a", "diffuse_alpha"})};
    for (int& column : columns) {
        if (column >= 0 && element.properties[static_cast<std::size_t>(column)].is_list()) column = -1;
    }
    const auto drop_unless_whole = [&](Role first, Role behind) {
        const auto begin = columns.begin() + first;
        const auto end = columns.begin() + behind;
        if (std::find(begin, end, -1) != end) std::fill(begin, end, -1);
    };
    drop_unless_whole(px, nx);
    drop_unless_whole(nx, tu);
    drop_unless_whole(tu, red);
    drop_unless_whole(red, alpha);
    if (columns[red] < 0) columns[alpha] = -1;
    if (columns[px] < 0) fail(location, "the vertices have no x, y and z");
    return columns;
}

/// A colour channel: integers are sRGB over their full range, floating point is linear.
float channel(double value, PlyType type, bool is_alpha) {
    if (is_float(type)) return static_cast<float>(value);
    if (type == PlyType::uint8 && !is_alpha)
        return linear_from_byte(static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0)));
    const double largest = type == PlyType::uint16 ? 65535 : 255;
    const float share = static_cast<float>(std::clamp(value, 0.0, largest)) / static_cast<float>(largest);
    return is_alpha ? share : linear_from_srgb(share);
}

/// Reads vertices value by value: for any order, any types, and lists between them.
template <class Source>
class RowReader {
  public:
    RowReader(Source& source, const PlyElement& element, const Columns& columns, Mesh& mesh)
        : source_(source),
          element_(element),
          columns_(columns),
          mesh_(mesh),
          role_(element.properties.size(), -1) {
        for (int role = 0; role < role_count; ++role) {
            if (columns[static_cast<std::size_t>(role)] >= 0)
                role_[static_cast<std::size_t>(columns[static_cast<std::size_t>(role)])] = role;
        }
    }

    void run() {
        values_[alpha] = 1;
        for (std::uint64_t row = 0; row < element_.count; ++row) {
            read_row(row);
            store();
        }
    }

  private:
    void read_row(std::uint64_t row) {
        for (std::size_t i = 0; i < element_.properties.size(); ++i) {
            const PlyProperty& property = element_.properties[i];
            if (property.is_list()) {
                const std::int64_t count = source_.integer(*property.count_type);
                if (count < 0) fail(source_.location(), "a list of {} items", count);
                source_.skip(property.type, static_cast<std::size_t>(count));
            } else if (role_[i] < 0) {
                source_.skip(property.type, 1);
            } else {
                const double value =
                    role_[i] == tv ? source_.wide(property.type) : source_.real(property.type);
                if (!(std::abs(value) <= std::numeric_limits<float>::max())) {
                    fail(source_.location(), "vertex {}: {} is not a finite number", row, property.name);
                }
                values_[static_cast<std::size_t>(role_[i])] = value;
            }
        }
    }

    void store() {
        const auto value = [&](Role role) { return static_cast<float>(values_[role]); };
        mesh_.positions.emplace_back(value(px), value(py), value(pz));
        if (columns_[nx] >= 0) mesh_.normals.emplace_back(value(nx), value(ny), value(nz));
        if (columns_[tu] >= 0) mesh_.uvs[0].emplace_back(value(tu), flipped(values_[tv]));
        if (columns_[red] >= 0)
            mesh_.colors.emplace_back(color(red), color(green), color(blue), color(alpha));
    }

    float color(Role role) const {
        if (columns_[role] < 0) return 1;
        return channel(values_[role], element_.properties[static_cast<std::size_t>(columns_[role])].type,
                       role == alpha);
    }

    Source& source_;
    const PlyElement& element_;
    const Columns& columns_;
    Mesh& mesh_;
    std::vector<int> role_;
    std::array<double, role_count> values_{};
};

/// Tests two floats at a time: adding one to the exponent overflows into the sign bit only if all its bits
/// are 1.
bool is_finite(const float* values, std::size_t count) {
    constexpr std::uint64_t exponents = 0x7F8000007F800000u;
    constexpr std::uint64_t ones = 0x0080000000800000u;
    std::uint64_t carries = 0;
    std::size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        std::uint64_t pair;
        std::memcpy(&pair, values + i, sizeof(pair));
        carries |= (pair & exponents) + ones;
    }
    return (carries & 0x8000000080000000u) == 0 && (i == count || std::isfinite(values[i]));
}

/// Copies whole vectors, block by block on all threads: for little-endian rows of fixed size whose floats
/// have the layout of ours. Colours must be bytes.
class RowBlockReader {
  public:
    RowBlockReader(std::string_view rows, const PlyElement& element, const Columns& columns, Mesh& mesh)
        : rows_(rows.data()),
          element_(element),
          stride_(element.min_bytes()),
          columns_(columns),
          mesh_(mesh) {}

    bool possible() const {
        const auto run_of = [&](Role first, int count, PlyType type) {
            if (columns_[first] < 0) return true;
            for (int i = 0; i < count; ++i) {
                const int column = columns_[static_cast<std::size_t>(first + i)];
                if (column != columns_[first] + i ||
                    element_.properties[static_cast<std::size_t>(column)].type != type)
                    return false;
            }
            return true;
        };
        return !element_.has_lists() && run_of(px, 3, PlyType::float32) && run_of(nx, 3, PlyType::float32) &&
               run_of(tu, 2, PlyType::float32) && run_of(red, columns_[alpha] < 0 ? 3 : 4, PlyType::uint8);
    }

    void run(const std::string& name, std::size_t start) {
        const std::size_t count = element_.count;
        mesh_.positions.resize(count);
        if (columns_[nx] >= 0) mesh_.normals.resize(count);
        if (columns_[tu] >= 0) mesh_.uvs[0].resize(count);
        if (columns_[red] >= 0) mesh_.colors.resize(count);
        constexpr std::size_t block = 16384;
        parallel_in_order((count + block - 1) / block, [&](std::size_t i) {
            const std::size_t begin = i * block;
            const std::size_t end = std::min(count, begin + block);
            const bool finite = copy(px, begin, end, mesh_.positions) &&
                                copy(nx, begin, end, mesh_.normals) && copy(tu, begin, end, mesh_.uvs[0]);
            if (!finite) find_bad_vertex(begin, end, name, start);
            for (std::size_t v = begin; v < end && columns_[tu] >= 0; ++v)
                mesh_.uvs[0][v][1] = flipped(mesh_.uvs[0][v][1]);
            if (columns_[red] >= 0) copy_colors(begin, end);
        });
    }

  private:
    /// False when a number is not finite.
    template <class Vector>
    bool copy(Role first, std::size_t begin, std::size_t end, std::vector<Vector>& out) const {
        if (columns_[first] < 0) return true;
        const char* from = rows_ + begin * stride_ + element_.offset(columns_[first]);
        if (stride_ == sizeof(Vector)) {
            std::memcpy(static_cast<void*>(out.data() + begin), from, (end - begin) * sizeof(Vector));
        } else {
            for (std::size_t v = begin; v < end; ++v, from += stride_)
                std::memcpy(static_cast<void*>(&out[v]), from, sizeof(Vector));
        }
        return is_finite(out[begin].data(), (end - begin) * sizeof(Vector) / sizeof(float));
    }

    void copy_colors(std::size_t begin, std::size_t end) {
        const char* from = rows_ + begin * stride_ + element_.offset(columns_[red]);
        for (std::size_t v = begin; v < end; ++v, from += stride_) {
            const auto byte = [&](int i) { return static_cast<std::uint8_t>(from[i]); };
            const float opacity = columns_[alpha] < 0 ? 1.0f : static_cast<float>(byte(3)) / 255;
            mesh_.colors[v] = {linear_from_byte(byte(0)), linear_from_byte(byte(1)),
                               linear_from_byte(byte(2)), opacity};
        }
    }

    [[noreturn]] void find_bad_vertex(std::size_t begin, std::size_t end, const std::string& name,
                                      std::size_t start) const {
        std::size_t v = begin;
        const auto good = [&](const auto& values) { return values.empty() || values[v].allFinite(); };
        while (v + 1 < end && good(mesh_.positions) && good(mesh_.normals) && good(mesh_.uvs[0])) ++v;
        fail(fmt::format("{}: byte {}", name, start + v * stride_),
             "vertex {} has a number that is not finite", v);
    }

    const char* rows_;
    const PlyElement& element_;
    std::size_t stride_;
    const Columns& columns_;
    Mesh& mesh_;
};

/// Reads all rows of a vertex element, whose count was compared with the size of the file. \throws Error
/// naming a vertex that is not finite.
template <class Source>
void read_ply_vertices(Source& source, const PlyElement& element, Mesh& mesh, const std::string& name,
                       Monitor& monitor) {
    const Columns columns = find_columns(element, name);
    step(monitor, "reading", 0);
    if constexpr (std::is_same_v<Source, PlyBinarySource<false>>) {
        RowBlockReader blocks(source.rest(), element, columns, mesh);
        if (blocks.possible()) {
            blocks.run(name, source.position());
            source.advance(element.count * element.min_bytes());
            return;
        }
    }
    mesh.positions.reserve(element.count);
    RowReader<Source>(source, element, columns, mesh).run();
}

// The face and tristrips elements of a PLY file.

using geometry::Triangle;

template <class Source>
class FaceReader {
  public:
    FaceReader(Source& source, const PlyElement& element, std::span<const Vec3f> shape,
               std::vector<Triangle>& triangles)
        : source_(source),
          element_(element),
          shape_(shape),
          triangles_(triangles),
          strips_(element.name == "tristrips") {
        list_ = element.find({"vertex_indices", "vertex_index"});
        if (list_ >= 0 && !property(list_).is_list()) list_ = -1;
        if (list_ < 0) fail(source.location(), "the faces have no list \"vertex_indices\"");
    }

    void run(const std::string& name, Monitor& monitor) {
        std::uint64_t row = 0;
        if constexpr (std::is_same_v<Source, PlyBinarySource<false>>) row = read_plain_triangles();
        for (; row < element_.count; ++row) read_row(row);
        const auto tell = [&](std::size_t count, std::string_view code, std::string_view what) {
            if (count > 0) warn(monitor, code, "{}: {} {}", name, count, what);
        };
        tell(short_, "ply-short-faces", "faces with fewer than three corners were left out");
        tell(fans_, "ply-large-polygons", "large polygons that are not convex were cut as fans");
        tell(element_.find({"texcoord"}) >= 0 ? element_.count : 0, "ply-wedge-uvs",
             "faces have texture coordinates of their own, which were left out");
    }

  private:
    const PlyProperty& property(int i) const { return element_.properties[static_cast<std::size_t>(i)]; }

    /// The fast path for the common case: rows that consist of a byte 3 and three 32-bit indices. Returns the
    /// number of rows before the first other row.
    std::uint64_t read_plain_triangles() {
        const bool plain = !strips_ && element_.properties.size() == 1 &&
                           size_of(*property(list_).count_type) == 1 && size_of(property(list_).type) == 4 &&
                           !is_float(property(list_).type);
        if (!plain) return 0;
        const std::string_view rows = source_.rest();
        const std::size_t count = std::min<std::uint64_t>(element_.count, rows.size() / stride);
        triangles_.reserve(triangles_.size() + count);
        std::size_t row = 0;
        while (row < count) {
            const std::size_t taken = take_block(rows.data() + row * stride, std::min(block, count - row),
                                                 rows.size() - row * stride);
            row += taken;
            if (taken == 0) break;
        }
        source_.advance(row * stride);
        return row;
    }

    static constexpr std::size_t stride = 13;
    static constexpr std::size_t block = 512;

    /// Four indices at once: GCC's and Clang's portable vectors.
    using Four = std::uint32_t __attribute__((vector_size(16)));

    /// Appends a block of triangles if all are valid, and returns their number. One test for the whole block
    /// avoids branches in the loop; the slow path reads a block with invalid triangles. A row is copied as 16
    /// bytes, 4 of which belong to the next row: `readable` is the number of available bytes.
    std::size_t take_block(const char* at, std::size_t count, std::size_t readable) {
        if (readable < count * stride + 4) --count;  // the last row of the file has no next row
        std::array<Triangle, block + 1> triangles;
        Four largest = {};
        int other_counts = 0;
        for (std::size_t i = 0; i < count; ++i, at += stride) {
            Four indices;
            std::memcpy(&indices, at + 1, 16);
            std::memcpy(triangles.data() + i, &indices, 16);
            largest = indices > largest ? indices : largest;
            other_counts |= *at ^ 3;
        }
        const std::uint32_t highest = std::max({largest[0], largest[1], largest[2]});
        if (count == 0 || other_counts != 0 || highest >= shape_.size()) return 0;
        triangles_.insert(triangles_.end(), triangles.begin(),
                          triangles.begin() + static_cast<std::ptrdiff_t>(count));
        return count;
    }

    void read_row(std::uint64_t row) {
        for (int i = 0; i < static_cast<int>(element_.properties.size()); ++i) {
            const std::int64_t count = property(i).is_list() ? source_.integer(*property(i).count_type) : 1;
            if (count < 0) fail(source_.location(), "face {} has a list of {} items", row, count);
            const auto items = static_cast<std::size_t>(count);
            if (items > source_.bytes_left() / Source::min_bytes(property(i).type, 1)) {
                fail(source_.location(), "face {} announces {} items, more than the file holds", row, items);
            }
            i == list_ ? read_indices(items, row) : source_.skip(property(i).type, items);
        }
        strips_ ? cut_strip() : cut_polygon();
    }

    void read_indices(std::size_t count, std::uint64_t row) {
        corners_.clear();
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t index = source_.integer(property(list_).type);
            const bool restart = strips_ && index == -1;
            if (!restart && (index < 0 || index >= static_cast<std::int64_t>(shape_.size()))) {
                fail(source_.location(), "face {} names vertex {} of {}", row, index, shape_.size());
            }
            corners_.push_back(static_cast<std::uint32_t>(index));
        }
    }

    void cut_polygon() {
        if (corners_.size() == 3) {
            triangles_.push_back({corners_[0], corners_[1], corners_[2]});
        } else if (corners_.size() < 3) {
            ++short_;
        } else if (!triangulate(corners_, shape_, triangles_)) {
            ++fans_;
        }
    }

    /// Every corner from the third on forms a triangle with the two before it, and every second triangle is
    /// reversed; -1 starts a new strip. Triangles with equal corners only connect strips and are omitted.
    void cut_strip() {
        std::size_t start = 0;
        for (std::size_t i = 0; i < corners_.size(); ++i) {
            if (corners_[i] == static_cast<std::uint32_t>(-1)) start = i + 1;
            if (i < start + 2) continue;
            const bool flipped = (i - start) % 2 == 1;
            const Triangle t = {corners_[flipped ? i - 1 : i - 2], corners_[flipped ? i - 2 : i - 1],
                                corners_[i]};
            if (t[0] != t[1] && t[1] != t[2] && t[0] != t[2]) triangles_.push_back(t);
        }
    }

    Source& source_;
    const PlyElement& element_;
    std::span<const Vec3f> shape_;
    std::vector<Triangle>& triangles_;
    bool strips_;
    int list_ = -1;
    std::vector<std::uint32_t> corners_;
    std::size_t short_ = 0;
    std::size_t fans_ = 0;
};

/// Reads all rows of an element of faces or triangle strips. `shape` are the positions that determine the
/// triangulation of polygons. \throws Error with the location of an index that is out of range.
template <class Source>
void read_ply_faces(Source& source, const PlyElement& element, std::span<const Vec3f> shape,
                    std::vector<Triangle>& triangles, const std::string& name, Monitor& monitor) {
    FaceReader<Source>(source, element, shape, triangles).run(name, monitor);
}

/// All data that determine the meaning of the bytes after the vertices.
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
            if (count < 0) fail(source.location(), "a list of {} items", count);
            source.skip(property.type, static_cast<std::size_t>(count));
        }
    }
}

template <class Source>
void read_elements(Source& source, const PlyHeader& header, const std::string& name, Monitor& monitor,
                   const MeshFile* first, MeshFile& file) {
    for (const PlyElement& element : header.elements) {
        check_count(element.count, source.row_bytes(element), source.bytes_left(),
                    fmt::format("\"{}\" elements", element.name), source.location());
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
            if (file.file_vertices == 0)
                fail(source.location(), "faces before the vertices are not supported");
            read_ply_faces(source, element, first != nullptr ? first->mesh.positions : file.mesh.positions,
                           file.mesh.triangles, name, monitor);
        } else {
            skip_element(source, element);
        }
    }
}

void load_texture(Mesh& mesh, const std::string& texture, const std::filesystem::path& path,
                  const ReadOptions& options, Monitor& monitor) {
    if (texture.empty() || mesh.uvs[0].empty()) return;
    const int image =
        load_picture(mesh, companions_of(path, options), path.parent_path(), texture, path.string(), monitor);
    if (image < 0) return;
    mesh.materials.emplace_back().name = "material";
    mesh.materials.back().base_color_texture.image = image;
    mesh.parts.push_back({"", 0, static_cast<std::uint32_t>(mesh.triangles.size()), 0});
}

}  // namespace

MeshFile read_ply_mesh(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                       Monitor& monitor, const MeshFile* first) {
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
    load_texture(mesh, header.texture, path, options, monitor);
    return file;
}

Asset read_ply(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    return mesh_asset(read_ply_mesh(bytes, path, options, monitor, nullptr), path);
}

}  // namespace sinew::io
