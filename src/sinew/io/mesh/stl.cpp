// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/mesh/mesh_formats.h"
#include "sinew/io/text/scan.h"

namespace sinew::io {
namespace {

using geometry::Mesh;
using geometry::Part;
using geometry::Triangle;
using math::Vec3f;

constexpr std::size_t stl_header_bytes = 84;
constexpr std::size_t facet_bytes = 50;

/// Gives corners at the same position (-0 equals 0) the same vertex, in the order of first use.
class Welder {
  public:
    explicit Welder(std::vector<Vec3f>& positions) : positions_(positions) {}

    std::uint32_t vertex(const Vec3f& position) {
        if (positions_.size() * 2 >= buckets_.size()) grow();
        std::size_t location = bucket(position);
        for (; buckets_[location] != 0; location = (location + 1) & (buckets_.size() - 1)) {
            if (positions_[buckets_[location] - 1] == position) return buckets_[location] - 1;
        }
        positions_.push_back(position);
        buckets_[location] = static_cast<std::uint32_t>(positions_.size());
        return buckets_[location] - 1;
    }

  private:
    std::size_t bucket(const Vec3f& position) const {
        std::uint64_t hash = 0;
        for (const float coordinate : {position[0], position[1], position[2]}) {
            hash = (hash ^ std::bit_cast<std::uint32_t>(coordinate + 0.0f)) *
                   0x9E3779B97F4A7C15u;  // -0 + 0 is 0
            hash ^= hash >> 32;
        }
        return hash & (buckets_.size() - 1);
    }

    void grow() {
        buckets_.assign(std::max<std::size_t>(64, buckets_.size() * 2), 0);
        for (std::size_t v = 0; v < positions_.size(); ++v) {
            std::size_t location = bucket(positions_[v]);
            while (buckets_[location] != 0) location = (location + 1) & (buckets_.size() - 1);
            buckets_[location] = static_cast<std::uint32_t>(v + 1);
        }
    }

    std::vector<Vec3f>& positions_;
    std::vector<std::uint32_t> buckets_;  ///< 1 + vertex, or 0; open addressing, a power of two
};

/// Collects the facets.
class Facets {
  public:
    explicit Facets(Mesh& mesh) : mesh_(mesh), welder_(mesh.positions) {}

    void add(const Vec3f& a, const Vec3f& b, const Vec3f& c) {
        const Triangle triangle = {welder_.vertex(a), welder_.vertex(b), welder_.vertex(c)};
        if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[0] == triangle[2]) {
            ++degenerate_;
        } else {
            mesh_.triangles.push_back(triangle);
        }
    }

    void finish(const std::string& name, Monitor& monitor) const {
        if (mesh_.positions.empty()) fail(name, "holds no facets");
        if (degenerate_ == 0) return;
        warn(monitor, "stl-degenerate", "{}: {} facets with two corners at the same position were left out",
             name, degenerate_);
    }

  private:
    Mesh& mesh_;
    Welder welder_;
    std::size_t degenerate_ = 0;
};

std::uint32_t facet_count(std::string_view content) {
    std::uint32_t count = 0;
    std::memcpy(&count, content.data() + 80, 4);
    return count;
}

/// Binary if the file has the length of a binary one, or if it cannot be text.
bool is_binary(std::string_view content) {
    if (content.size() >= stl_header_bytes &&
        content.size() == stl_header_bytes + facet_bytes * std::uint64_t{facet_count(content)}) {
        return true;
    }
    const std::string_view start = content.substr(0, 1024);
    const char* const word = skip_white(start.data(), start.data() + start.size());
    const std::string_view text(word, start.data() + start.size());
    return text.size() < 5 || !equal_ignoring_case(text.substr(0, 5), "solid") ||
           text.find('\0') != std::string_view::npos;
}

void read_binary(std::string_view content, const std::string& name, Mesh& mesh, Monitor& monitor) {
    if (content.size() < stl_header_bytes)
        fail(name, "is not an STL file: {} bytes are too few", content.size());
    const std::size_t count = facet_count(content);
    check_count(count, facet_bytes, content.size() - stl_header_bytes, "facets", name);
    if (content.size() > stl_header_bytes + count * facet_bytes) {
        warn(monitor, "stl-trailing", "{}: {} bytes after the last facet were left out", name,
             content.size() - stl_header_bytes - count * facet_bytes);
    }
    mesh.triangles.reserve(count);
    Facets facets(mesh);
    for (std::size_t f = 0; f < count; ++f) {
        if (f % 65536 == 0) step(monitor, "reading", static_cast<double>(f) / static_cast<double>(count));
        const std::size_t offset = stl_header_bytes + f * facet_bytes;
        Vec3f corners[3];
        std::memcpy(static_cast<void*>(corners), content.data() + offset + 12, sizeof(corners));
        for (const Vec3f& corner : corners) {
            if (!corner.allFinite())
                fail(fmt::format("{}: byte {}", name, offset), "facet {} has a corner that is not finite", f);
        }
        facets.add(corners[0], corners[1], corners[2]);
    }
    facets.finish(name, monitor);
}

/// Words of the text form, in upper or lower case.
class TextReader {
  public:
    TextReader(std::string_view text, const std::string& name, Mesh& mesh)
        : text_(with_line_feeds(text, storage_)),
          name_(name),
          at_(text_.data()),
          end_(text_.data() + text_.size()),
          mesh_(mesh),
          facets_(mesh) {}

    void run(Monitor& monitor) {
        while (accept("solid")) solid(monitor);
        if (!word().empty()) fail(location(), "expected \"solid\", found {}", found_at(at_, end_));
        facets_.finish(name_, monitor);
        const bool bare = mesh_.parts.size() == 1 && mesh_.parts[0].name.empty();
        if (bare) mesh_.parts.clear();
    }

  private:
    void solid(Monitor& monitor) {
        const char* const line_end = find_line_end(at_, end_);
        std::string part(trim({at_, static_cast<std::size_t>(line_end - at_)}));
        at_ = line_end;
        const std::size_t first = mesh_.triangles.size();
        while (accept("facet")) facet();
        if (word().empty()) {
            warn(monitor, "stl-no-end", "{}: the last solid has no \"endsolid\"", location());
        } else {
            expect("endsolid");
            at_ = find_line_end(at_, end_);
        }
        const std::size_t count = mesh_.triangles.size() - first;
        if (count > 0)
            mesh_.parts.push_back(
                {std::move(part), static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count), -1});
    }

    void facet() {
        expect("normal");
        for (int i = 0; i < 3; ++i)
            word(), at_ = skip_word(at_, end_);  // computed from the corners: some files have none
        expect("outer");
        expect("loop");
        Vec3f corners[3];
        for (Vec3f& corner : corners) {
            expect("vertex");
            for (float& coordinate : corner) coordinate = number();
        }
        expect("endloop");
        expect("endfacet");
        facets_.add(corners[0], corners[1], corners[2]);
    }

    /// The next word, without consuming it.
    std::string_view word() {
        at_ = skip_white(at_, end_);
        return {at_, static_cast<std::size_t>(skip_word(at_, end_) - at_)};
    }

    bool accept(std::string_view expected) {
        const bool found = equal_ignoring_case(word(), expected);
        if (found) at_ += expected.size();
        return found;
    }

    void expect(std::string_view expected) {
        if (!accept(expected)) fail(location(), "expected \"{}\", found {}", expected, found_at(at_, end_));
    }

    float number() {
        word();
        float value = 0;
        const char* const behind = scan_float(at_, end_, value);
        if (behind == nullptr || !at_word_end(behind, end_))
            fail(location(), "expected a number, found {}", found_at(at_, end_));
        if (!std::isfinite(value)) {
            fail(location(), "a corner of facet {} is not a finite number: {}", mesh_.triangles.size(),
                 found_at(at_, end_));
        }
        at_ = behind;
        return value;
    }

    std::string location() const {
        return location_at(text_, static_cast<std::size_t>(at_ - text_.data()), name_);
    }

    std::string storage_;
    std::string_view text_;
    const std::string& name_;
    const char* at_;
    const char* end_;
    Mesh& mesh_;
    Facets facets_;
};

Vec3f facet_normal(const Mesh& mesh, const Triangle& triangle) {
    const auto corner = [&](std::size_t i) { return mesh.positions[triangle[i]].cast<double>().eval(); };
    const geometry::Vec3d normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    const double length = normal.norm();
    return length > 0 ? (normal / length).cast<float>().eval() : Vec3f(Vec3f::Zero());
}

std::string write_binary(const Mesh& mesh, const std::string& location) {
    if (mesh.triangles.size() > 0xFFFFFFFFu) fail(location, "STL files hold at most 2^32 - 1 facets");
    // A binary header must not start with "solid", as text files do.
    std::string content = "sinew";
    content.resize(80, ' ');
    content.reserve(stl_header_bytes + facet_bytes * mesh.triangles.size());
    const auto append = [&](const void* data, std::size_t size) {
        content.append(static_cast<const char*>(data), size);
    };
    const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
    append(&count, 4);
    for (const Triangle& triangle : mesh.triangles) {
        const Vec3f normal = facet_normal(mesh, triangle);
        append(normal.data(), 12);
        for (const std::uint32_t corner : triangle) append(mesh.positions[corner].data(), 12);
        content.append(2, '\0');
    }
    return content;
}

std::string write_text(const Mesh& mesh) {
    std::string text;
    const auto out = std::back_inserter(text);
    for (const Part& part : geometry::parts_of(mesh)) {
        fmt::format_to(out, "solid {}\n", part.name);
        for (std::size_t t = part.first; t < part.first + std::size_t{part.count}; ++t) {
            const Vec3f n = facet_normal(mesh, mesh.triangles[t]);
            fmt::format_to(out, "  facet normal {} {} {}\n    outer loop\n", n[0], n[1], n[2]);
            for (const std::uint32_t corner : mesh.triangles[t]) {
                const Vec3f& p = mesh.positions[corner];
                fmt::format_to(out, "      vertex {} {} {}\n", p[0], p[1], p[2]);
            }
            fmt::format_to(out, "    endloop\n  endfacet\n");
        }
        fmt::format_to(out, "endsolid {}\n", part.name);
    }
    return text;
}

}  // namespace

Asset read_stl(Bytes bytes, const std::filesystem::path& path, const ReadOptions&, Monitor& monitor) {
    const std::string name = path.string();
    const std::string_view content = as_text(bytes);
    if (content.empty()) fail(name, "the file is empty");
    MeshFile file;
    if (is_binary(content)) {
        read_binary(content, name, file.mesh, monitor);
    } else {
        std::string converted;
        TextReader(as_utf8(content, converted), name, file.mesh).run(monitor);
    }
    return mesh_asset(std::move(file), path);
}

std::string write_stl(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor) {
    const MeshFormatTraits traits = {
        .name = "STL", .parts = !options.binary, .colors = false, .uvs = false, .normals = false};
    const Mesh& mesh = mesh_to_write(asset, path, traits, monitor);
    if (mesh.triangles.empty()) fail(path.string(), "STL files hold triangles, and the mesh has none");
    return options.binary ? write_binary(mesh, path.string()) : write_text(mesh);
}

}  // namespace sinew::io
