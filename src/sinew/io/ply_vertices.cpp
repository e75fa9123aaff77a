#include "sinew/io/ply_vertices.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "sinew/io/mesh/mesh_file.h"
#include "sinew/io/text/parallel_in_order.h"

namespace sinew::io {
namespace {

using geometry::Mesh;
using geometry::Vec2f;
using geometry::Vec3f;
using geometry::Vec4f;

/// What a property of a vertex means to us.
enum Role { px, py, pz, nx, ny, nz, tu, tv, red, green, blue, alpha, role_count };

/// Place of the property with each role, or -1.
using Columns = std::array<int, role_count>;

Columns find_columns(const PlyElement& element, const std::string& place) {
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
    if (columns[px] < 0) fail(place, "the vertices have no x, y and z");
    return columns;
}

/// A colour channel: whole numbers are sRGB of their full range, floating point is linear.
float channel(double value, PlyType type, bool is_alpha) {
    if (is_float(type)) return static_cast<float>(value);
    if (type == PlyType::uint8 && !is_alpha)
        return linear_from_byte(static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0)));
    const double largest = type == PlyType::uint16 ? 65535 : 255;
    const float share = static_cast<float>(std::clamp(value, 0.0, largest)) / static_cast<float>(largest);
    return is_alpha ? share : linear_from_srgb(share);
}

/// Takes vertices value by value: any order, any types, lists between them.
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
                if (count < 0) fail(source_.place(), "a list of {} items", count);
                source_.skip(property.type, static_cast<std::size_t>(count));
            } else if (role_[i] < 0) {
                source_.skip(property.type, 1);
            } else {
                const double value =
                    role_[i] == tv ? source_.wide(property.type) : source_.real(property.type);
                if (!(std::abs(value) <= std::numeric_limits<float>::max())) {
                    fail(source_.place(), "vertex {}: {} is not a finite number", row, property.name);
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

/// Two floats at a time: an exponent of ones, and no other, carries into the place of the sign when one is
/// added.
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

/// Takes whole vectors at once, block by block on all threads: little-endian rows of fixed size whose floats
/// lie as ours do. Colours must be bytes.
class RowBlockReader {
  public:
    RowBlockReader(std::string_view rows, const PlyElement& element, const Columns& columns, Mesh& mesh)
        : rows_(rows.data()),
          element_(element),
          stride_(element.least_bytes()),
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

}  // namespace

template <class Source>
void read_ply_vertices(Source& source, const PlyElement& element, Mesh& mesh, const std::string& name,
                       Monitor& monitor) {
    const Columns columns = find_columns(element, name);
    step(monitor, "reading", 0);
    if constexpr (std::is_same_v<Source, PlyBinarySource<false>>) {
        RowBlockReader blocks(source.rest(), element, columns, mesh);
        if (blocks.possible()) {
            blocks.run(name, source.position());
            source.advance(element.count * element.least_bytes());
            return;
        }
    }
    mesh.positions.reserve(element.count);
    RowReader<Source>(source, element, columns, mesh).run();
}

template void read_ply_vertices(PlyTextSource&, const PlyElement&, Mesh&, const std::string&, Monitor&);
template void read_ply_vertices(PlyBinarySource<false>&, const PlyElement&, Mesh&, const std::string&,
                                Monitor&);
template void read_ply_vertices(PlyBinarySource<true>&, const PlyElement&, Mesh&, const std::string&,
                                Monitor&);

}  // namespace sinew::io
