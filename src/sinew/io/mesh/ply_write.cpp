// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include <fmt/compile.h>

#include "sinew/io/mesh/mesh_formats.h"

namespace sinew::io {
namespace {

using geometry::Mesh;
using geometry::Triangle;
using math::Vec4f;

/// How the values of a mesh are stored.
struct RowLayout {
    bool normals = false;
    bool uvs = false;
    bool wide_v = false;  ///< 1 - v needs a double
    bool colors = false;
    bool byte_colors = false;
};

RowLayout layout_of(const Mesh& mesh) {
    const auto& uvs = mesh.uvs[0];
    return {
        .normals = !mesh.normals.empty(),
        .uvs = !uvs.empty(),
        .wide_v = !std::all_of(uvs.begin(), uvs.end(), [](const auto& uv) { return flips_exactly(uv[1]); }),
        .colors = !mesh.colors.empty(),
        .byte_colors = fits_bytes(mesh.colors)};
}

std::string header(const Mesh& mesh, const RowLayout& layout, const WriteOptions& options) {
    std::string text = fmt::format("ply\nformat {} 1.0\ncomment sinew\nelement vertex {}\n",
                                   options.binary ? "binary_little_endian" : "ascii", mesh.positions.size());
    text += "property float x\nproperty float y\nproperty float z\n";
    if (layout.normals) text += "property float nx\nproperty float ny\nproperty float nz\n";
    if (layout.uvs)
        text += fmt::format("property float s\nproperty {} t\n", layout.wide_v ? "double" : "float");
    if (layout.colors) {
        for (const char* channel : {"red", "green", "blue", "alpha"}) {
            text += fmt::format("property {} {}\n", layout.byte_colors ? "uchar" : "float", channel);
        }
    }
    text += fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n",
                        mesh.triangles.size());
    return text;
}

/// Appends values as little-endian bytes.
class BinaryOut {
  public:
    explicit BinaryOut(std::string& out) : out_(out) {}
    template <class Value>
    void operator()(Value value) {
        char raw[sizeof(Value)];
        std::memcpy(raw, &value, sizeof(Value));
        out_.append(raw, sizeof(Value));
    }
    void end_row() {}

  private:
    std::string& out_;
};

/// Appends values as words, rows as lines.
class TextOut {
  public:
    explicit TextOut(std::string& out) : out_(out) {}
    template <class Value>
    void operator()(Value value) {
        if (!first_) out_ += ' ';
        first_ = false;
        fmt::format_to(std::back_inserter(out_), FMT_COMPILE("{}"), value);
    }
    void end_row() {
        out_ += '\n';
        first_ = true;
    }

  private:
    std::string& out_;
    bool first_ = true;
};

template <class Out>
void write_color(const Vec4f& color, bool bytes, Out& out) {
    for (int i = 0; i < 4; ++i) {
        if (!bytes) {
            out(color[i]);
        } else {
            out(i < 3 ? byte_from_linear(color[i]) : static_cast<std::uint8_t>(std::lround(color[i] * 255)));
        }
    }
}

template <class Out>
void write_rows(const Mesh& mesh, const RowLayout& layout, Out out) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        for (int i = 0; i < 3; ++i) out(mesh.positions[v][i]);
        for (int i = 0; i < 3 && layout.normals; ++i) out(mesh.normals[v][i]);
        if (layout.uvs) {
            const auto& uv = mesh.uvs[0][v];
            out(uv[0]);
            layout.wide_v ? out(1.0 - static_cast<double>(uv[1])) : out(flipped(uv[1]));
        }
        if (layout.colors) write_color(mesh.colors[v], layout.byte_colors, out);
        out.end_row();
    }
    for (const Triangle& triangle : mesh.triangles) {
        out(std::uint8_t{3});
        for (const std::uint32_t corner : triangle) out(corner);
        out.end_row();
    }
}

}  // namespace

std::string write_ply(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor) {
    const Mesh& mesh = mesh_to_write(asset, path, {.name = "PLY"}, monitor);
    const RowLayout layout = layout_of(mesh);
    std::string content = header(mesh, layout, options);
    options.binary ? write_rows(mesh, layout, BinaryOut(content))
                   : write_rows(mesh, layout, TextOut(content));
    return content;
}

}  // namespace sinew::io
