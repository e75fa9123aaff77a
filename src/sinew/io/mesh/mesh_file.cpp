// SPDX-License-Identifier: MIT

#include "sinew/io/mesh/mesh_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/io/text/scan.h"

namespace sinew::io {

using geometry::Mesh;
using math::Vec3f;
using math::Vec4f;

Asset mesh_asset(MeshFile file, const std::filesystem::path& path) {
    Asset asset;
    asset.character.mesh = std::move(file.mesh);
    asset.character.name = path.stem().string();
    if (asset.character.mesh.name.empty()) asset.character.mesh.name = asset.character.name;
    return asset;
}

void warn_lost(const Mesh& mesh, const std::string& location, const MeshFormatTraits& traits,
               Monitor& monitor) {
    const auto lost = [&](bool really, std::string_view code, std::string_view what) {
        if (really) warn(monitor, code, "{}: {} files hold no {}", location, traits.name, what);
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
                 std::string_view location) {
    if (bytes_each > 0 && count > bytes_left / bytes_each) {
        fail(location, "{} {} are announced, but the {} bytes that follow hold at most {}", count, what,
             bytes_left, bytes_left / bytes_each);
    }
}

void complete_normals(Mesh& mesh, std::string_view location, Monitor& monitor) {
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
             location, missing, mesh.normals.size());
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

CornerTable::CornerTable(std::size_t position_count, std::span<const geometry::Triangle> plain)
    : uses_(position_count, Use{unused, unused}), positions_(position_count) {
    for (const geometry::Triangle& triangle : plain) {
        for (const std::uint32_t corner : triangle) uses_[corner] = {none, none};
    }
}

std::uint32_t CornerTable::vertex(std::uint32_t position, std::int32_t uv, std::int32_t normal) {
    Use& first = uses_[position];
    const Use use{uv, normal};
    if (first == use) return position;
    if (first.uv == unused) {
        first = use;
        return position;
    }
    return split(position, use);
}

std::uint32_t CornerTable::split(std::uint32_t position, Use use) {
    if (sources_.size() * 2 >= buckets_.size()) grow();
    std::size_t slot = bucket(position, use);
    for (; buckets_[slot] != 0; slot = (slot + 1) & (buckets_.size() - 1)) {
        const std::size_t number = buckets_[slot] - 1;
        if (sources_[number] == position && uses_[positions_ + number] == use) {
            return static_cast<std::uint32_t>(positions_ + number);
        }
    }
    sources_.push_back(position);
    uses_.push_back(use);
    buckets_[slot] = static_cast<std::uint32_t>(sources_.size());
    return static_cast<std::uint32_t>(uses_.size() - 1);
}

std::size_t CornerTable::bucket(std::uint32_t position, Use use) const {
    std::uint64_t hash = position * 0x9E3779B97F4A7C15u;
    hash = (hash ^ static_cast<std::uint32_t>(use.uv)) * 0xC2B2AE3D27D4EB4Fu;
    hash = (hash ^ (hash >> 29) ^ static_cast<std::uint32_t>(use.normal)) * 0x9E3779B97F4A7C15u;
    return (hash >> 32) & (buckets_.size() - 1);
}

void CornerTable::grow() {
    buckets_.assign(std::max<std::size_t>(64, buckets_.size() * 2), 0);
    for (std::size_t number = 0; number < sources_.size(); ++number) {
        std::size_t slot = bucket(sources_[number], uses_[positions_ + number]);
        while (buckets_[slot] != 0) slot = (slot + 1) & (buckets_.size() - 1);
        buckets_[slot] = static_cast<std::uint32_t>(number + 1);
    }
}

namespace {

using geometry::Triangle;
using math::Vec3d;

struct Point {
    double x = 0;
    double y = 0;
};

/// Twice the signed area of a triangle.
double area(const Point& a, const Point& b, const Point& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The polygon projected along its Newell normal (sum of the cross products of neighbouring corners): the
/// axis with the largest component of the normal is dropped. Anticlockwise as a whole.
void flatten(std::span<const Vec3f> corners, std::span<Point> points) {
    Vec3d normal = Vec3d::Zero();
    const Vec3d origin = corners[0].cast<double>();
    Vec3d last = corners.back().cast<double>() - origin;
    for (const Vec3f& corner : corners) {
        const Vec3d next = corner.cast<double>() - origin;
        normal += last.cross(next);
        last = next;
    }
    int axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    const double sign = normal[axis] < 0 ? -1 : 1;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec3d p = corners[i].cast<double>() - origin;
        points[i] = {p[(axis + 1) % 3], sign * p[(axis + 2) % 3]};
    }
}

/// True when no corner turns right and the corners make a single revolution: the edges change between left
/// and right at most twice.
bool convex(std::span<const Point> points) {
    const std::size_t count = points.size();
    int changes = 0;
    double direction = points[0].x - points[count - 1].x;
    for (std::size_t i = 0; i < count; ++i) {
        const Point& next = points[i + 1 < count ? i + 1 : 0];
        if (area(points[i], next, points[i + 2 < count ? i + 2 : i + 2 - count]) < 0) return false;
        const double along = next.x - points[i].x;
        if (along == 0) continue;
        if (direction != 0 && (along < 0) != (direction < 0)) ++changes;
        direction = along;
    }
    return changes <= 2;
}

/// Ear clipping over a ring of the remaining corners.
class Clipper {
  public:
    explicit Clipper(std::span<const Point> points) : points_(points), ring_(points.size()) {
        for (std::size_t i = 0; i < ring_.size(); ++i) ring_[i] = static_cast<std::uint32_t>(i);
    }

    void run(std::vector<Triangle>& triangles) {
        std::size_t start = 0;
        while (ring_.size() > 3) {
            const std::size_t ear = find_ear(start);
            triangles.push_back({before(ear), ring_[ear], after(ear)});
            ring_.erase(ring_.begin() + static_cast<std::ptrdiff_t>(ear));
            start = ear == 0 ? 0 : ear - 1;
        }
        triangles.push_back({ring_[0], ring_[1], ring_[2]});
    }

  private:
    std::uint32_t before(std::size_t i) const { return ring_[i == 0 ? ring_.size() - 1 : i - 1]; }
    std::uint32_t after(std::size_t i) const { return ring_[i + 1 == ring_.size() ? 0 : i + 1]; }

    /// The first ear from `start` on; if a polygon has none (it intersects itself), the first corner that
    /// turns left.
    std::size_t find_ear(std::size_t start) const {
        std::size_t fallback = ring_.size();
        for (std::size_t k = 0; k < ring_.size(); ++k) {
            const std::size_t i = (start + k) % ring_.size();
            if (area(points_[before(i)], points_[ring_[i]], points_[after(i)]) <= 0) continue;
            if (is_empty(i)) return i;
            if (fallback == ring_.size()) fallback = i;
        }
        return fallback == ring_.size() ? start % ring_.size() : fallback;
    }

    /// True when no other corner is in the triangle at ring position i or on its border. Corners at the
    /// position of one of its own corners (the two ends of a bridge to a hole) do not count.
    bool is_empty(std::size_t i) const {
        const Point& a = points_[before(i)];
        const Point& b = points_[ring_[i]];
        const Point& c = points_[after(i)];
        const auto same = [](const Point& p, const Point& q) { return p.x == q.x && p.y == q.y; };
        for (const std::uint32_t other : ring_) {
            const Point& p = points_[other];
            if (same(p, a) || same(p, b) || same(p, c)) continue;
            if (area(a, b, p) >= 0 && area(b, c, p) >= 0 && area(c, a, p) >= 0) return false;
        }
        return true;
    }

    std::span<const Point> points_;
    std::vector<std::uint32_t> ring_;
};

}  // namespace

bool triangulate(std::span<const Vec3f> corners, std::vector<Triangle>& triangles) {
    bool fan = corners.size() == 3;
    bool clipped = false;
    if (!fan) {
        // Nearly all polygons are small and need no allocation.
        std::array<Point, 8> few;
        std::vector<Point> many(corners.size() > few.size() ? corners.size() : 0);
        const std::span<Point> points = many.empty() ? std::span<Point>(few).first(corners.size()) : many;
        flatten(corners, points);
        fan = convex(points);
        clipped = !fan && corners.size() <= max_clipped_corners;
        if (clipped) Clipper(points).run(triangles);
    }
    if (!clipped) {
        for (std::uint32_t i = 2; i < corners.size(); ++i) triangles.push_back({0, i - 1, i});
    }
    return fan || clipped;
}

bool triangulate(std::span<const std::uint32_t> vertices, std::span<const Vec3f> positions,
                 std::vector<Triangle>& triangles) {
    std::vector<Vec3f> corners;
    corners.reserve(vertices.size());
    for (const std::uint32_t vertex : vertices) corners.push_back(positions[vertex]);
    const std::size_t first = triangles.size();
    const bool good = triangulate(corners, triangles);
    for (std::size_t t = first; t < triangles.size(); ++t) {
        for (std::uint32_t& corner : triangles[t]) corner = vertices[corner];
    }
    return good;
}

}  // namespace sinew::io
