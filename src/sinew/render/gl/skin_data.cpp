// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/deform/blend.h"
#include "sinew/math/transform.h"
#include "sinew/render/gl/skin.h"

namespace sinew::render::gl {
namespace {

using deform::FrameData;
using deform::JointMotion;
using deform::LayoutSet;
using deform::Mat34f;
using deform::Method;
using deform::SkinLayout;
using math::Vec3d;
using math::Vec4f;

Vec4f texel(const math::Quatd& q) {
    return q.coeffs().cast<float>();
}

Vec4f texel(const Vec3d& v) {
    return Vec4f(static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z()), 0);
}

bool needs_stretch(std::span<const Mat34f> palettes) {
    return std::ranges::any_of(palettes, [](const Mat34f& matrix) {
        return !math::is_rigid(deform::to_mat4(matrix), deform::rigid_tolerance);
    });
}

/// Writes the texels of a frame in order.
class Writer {
  public:
    Writer(GpuPalettes& out, const SkinLayout& layout, const FrameData& frame)
        : out_(out), layout_(layout), frame_(frame) {}

    void matrices(std::span<const Mat34f> palette) {
        for (const Mat34f& matrix : palette)
            for (const auto& row : matrix.rows) put(Vec4f(row[0], row[1], row[2], row[3]));
    }

    void sets() {
        for (const LayoutSet& set : layout_.sets)
            for (std::uint32_t slot = 0; slot < set.joint_count; ++slot) {
                if (set.joint_count == 1)
                    put_motion(motion(set, 0));
                else
                    put_coefficients(set, slot);
                if (out_.stretch) put_stretch(set, slot);
            }
        for (std::size_t i = 0; i < out_.centers; ++i)
            put(Vec4f(center(i, 0), center(i, 1), center(i, 2), 0));
    }

  private:
    void put(const Vec4f& values) { out_.texels.push_back(values); }
    float center(std::size_t set, std::size_t axis) const { return frame_.constants[set * 3 + axis]; }
    std::uint32_t joint(const LayoutSet& set, std::uint32_t slot) const {
        return layout_.joints[set.first_joint + slot];
    }
    const JointMotion& motion(const LayoutSet& set, std::uint32_t slot) const {
        return frame_.motions[joint(set, slot)];
    }

    /// A single joint: its sign does not matter, and the centre of its set is the origin.
    void put_motion(const JointMotion& motion) {
        put(texel(motion.dual.real));
        put(out_.entry == GpuEntry::dual ? texel(motion.dual.dual) : texel(motion.rigid.translation));
    }

    /// The values that the CPU kernels blend: those of the first joint, then differences from it.
    void put_coefficients(const LayoutSet& set, std::uint32_t slot) {
        const std::size_t stride = deform::coefficient_stride(frame_);
        const float* const first = frame_.coefficients.data() + set.first_joint * stride;
        const auto value = [&](std::uint32_t coefficient) {
            return slot == 0 ? first[coefficient] : first[coefficient] + first[slot * stride + coefficient];
        };
        put(Vec4f(value(0), value(1), value(2), value(3)));
        put(Vec4f(value(4), value(5), value(6), out_.entry == GpuEntry::dual ? value(7) : 0));
    }

    /// About the rest position b of the joint: b + P (v - b).
    void put_stretch(const LayoutSet& set, std::uint32_t slot) {
        const math::Mat3d& stretch = motion(set, slot).stretch;
        const Vec3d& b = frame_.centers[joint(set, slot)];
        const Vec3d move = b - stretch * b;
        for (int r = 0; r < 3; ++r) {
            Vec4f row = texel(Vec3d(stretch.row(r).transpose()));
            row.w() = static_cast<float>(move[r]);
            put(row);
        }
    }

    GpuPalettes& out_;
    const SkinLayout& layout_;
    const FrameData& frame_;
};

void set_sizes(GpuPalettes& out, const SkinLayout& layout, std::span<const Mat34f> palettes) {
    const bool linear = out.entry == GpuEntry::matrix;
    out.stretch = !linear && needs_stretch(palettes);
    out.frames = palettes.size() / layout.palette_size;
    out.entries = linear ? layout.palette_size : layout.joints.size();
    out.centers = out.entry == GpuEntry::centered ? layout.sets.size() : 0;
    out.texels.reserve(out.frames * out.frame_texels());
}

}  // namespace

GpuEntry gpu_entry(Method method) {
    switch (method) {
        case Method::lbs:
            return GpuEntry::matrix;
        case Method::dqs:
            return GpuEntry::dual;
        case Method::sbs:
        case Method::qlb:
            return GpuEntry::centered;
        default:
            fail("GPU skinning", "the method {} has no shader: lbs, dqs, sbs and qlb have",
                 deform::name(method));
    }
}

GpuPalettes make_gpu_palettes(const SkinLayout& layout, FrameData& frame, std::span<const Mat34f> palettes,
                              Method method) {
    GpuPalettes out;
    out.entry = gpu_entry(method);
    const std::size_t joints = layout.palette_size;
    if (palettes.empty() || palettes.size() % joints != 0)
        fail("GPU skinning", "{} matrices are not whole palettes of {} joints", palettes.size(), joints);
    set_sizes(out, layout, palettes);
    Writer writer(out, layout, frame);
    for (std::size_t k = 0; k < out.frames; ++k) {
        const std::span<const Mat34f> palette = palettes.subspan(k * joints, joints);
        deform::fill(frame, layout, palette, method, true);  // also checks the numbers
        if (out.entry == GpuEntry::matrix)
            writer.matrices(palette);
        else
            writer.sets();
    }
    return out;
}

namespace {

constexpr std::size_t lanes = 4;  // influences per stream
constexpr std::size_t max_influences = 2 * lanes;

/// Colour of each vertex: its own colour times that of the material of its part.
std::vector<math::Vec4f> vertex_colors(const geometry::Mesh& mesh) {
    std::vector<math::Vec4f> colors(mesh.vertex_count(), math::Vec4f(0.36f, 0.375f, 0.40f, 1));  // clay
    if (!mesh.colors.empty()) colors = mesh.colors;
    for (const geometry::Part& part : geometry::parts_of(mesh)) {
        if (part.material < 0) continue;
        const math::Vec4f& base = mesh.materials[at(part.material)].base_color;
        for (std::uint32_t t = part.first; t < part.first + part.count; ++t)
            for (const std::uint32_t v : mesh.triangles[t])
                colors[v] = mesh.colors.empty() ? base : math::Vec4f(mesh.colors[v].cwiseProduct(base));
    }
    return colors;
}

/// Four values per vertex, from influence `first` on; `values(v)` returns those of all its influences.
template <class T, class Values>
std::vector<std::array<T, lanes>> stream_of(const model::Skin& skin, std::size_t first,
                                            const Values& values) {
    std::vector<std::array<T, lanes>> stream(skin.vertex_count(), std::array<T, lanes>{});
    for (std::size_t v = 0; v < stream.size(); ++v) {
        const std::array<T, max_influences> all = values(skin.of(v));
        std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(first), lanes, stream[v].begin());
    }
    return stream;
}

using Influences = std::span<const model::Influence>;

std::array<std::uint16_t, max_influences> joints_of(Influences influences) {
    std::array<std::uint16_t, max_influences> joints{};
    std::ranges::transform(influences, joints.begin(),
                           [](const model::Influence& i) { return static_cast<std::uint16_t>(i.joint); });
    return joints;
}

std::array<float, max_influences> weights_of(Influences influences) {
    std::array<float, max_influences> weights{};
    std::ranges::transform(influences, weights.begin(), &model::Influence::weight);
    return weights;
}

std::array<std::uint16_t, max_influences> quantized_weights_of(Influences influences) {
    const std::array<float, max_influences> weights = weights_of(influences);
    std::array<std::uint16_t, max_influences> quantized{};
    quantize_weights({weights.data(), influences.size()}, {quantized.data(), influences.size()});
    return quantized;
}

}  // namespace

void quantize_weights(std::span<const float> weights, std::span<std::uint16_t> out) {
    constexpr double one = 65535;
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::array<double, max_influences> rest{};
    int left = 65535;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double exact = static_cast<double>(weights[i]) / sum * one;
        out[i] = static_cast<std::uint16_t>(std::min(std::floor(exact), one));
        rest[i] = exact - out[i];
        left -= out[i];
    }
    for (; left > 0; --left) {
        const auto largest =
            std::max_element(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(weights.size()));
        ++out[at(largest - rest.begin())];
        *largest -= 1;
    }
}

SkinStreams::SkinStreams(const geometry::Mesh& mesh, const model::Skin& skin,
                         const deform::SkinLayout& layout, WeightFormat weights)
    : influences_(layout.max_set_joints > lanes ? 8 : 4),
      vertex_count_(static_cast<GLsizei>(mesh.vertex_count())),
      index_count_(static_cast<GLsizei>(mesh.triangles.size() * 3)),
      array_(make_vertex_array()),
      instances_(make_buffer()),
      indices_(make_buffer()) {
    glBindVertexArray(array_.id());
    add(skin_position, std::span<const math::Vec3f>(mesh.positions), {3});
    const std::vector<math::Vec3f> normals =
        mesh.normals.empty() ? geometry::vertex_normals(mesh.positions, mesh.triangles) : mesh.normals;
    add(skin_normal, std::span<const math::Vec3f>(normals), {3});
    const std::vector<math::Vec4f> colors = vertex_colors(mesh);
    add(skin_color, std::span<const math::Vec4f>(colors), {4});
    add_joints(skin);
    add_weights(skin, weights);
    add_sets(layout);
    upload(GL_ELEMENT_ARRAY_BUFFER, indices_, std::span<const geometry::Triangle>(mesh.triangles),
           GL_STATIC_DRAW);
    memory_ += mesh.triangles.size() * sizeof(geometry::Triangle);
    glBindVertexArray(0);
    check_errors("uploading a skinned mesh");
}

template <class T>
void SkinStreams::add(GLuint location, std::span<const T> items, const AttributeFormat& format) {
    buffers_.push_back(upload_attribute(location, items, format, GL_STATIC_DRAW));
    memory_ += items.size_bytes();
}

void SkinStreams::add_joints(const model::Skin& skin) {
    for (GLuint s = 0; s < static_cast<GLuint>(influences_) / lanes; ++s) {
        const auto stream = stream_of<std::uint16_t>(skin, s * lanes, joints_of);
        add(skin_joints + s, std::span(stream), {4, GL_UNSIGNED_SHORT, AttributeKind::integer});
    }
}

void SkinStreams::add_weights(const model::Skin& skin, WeightFormat format) {
    for (GLuint s = 0; s < static_cast<GLuint>(influences_) / lanes; ++s) {
        if (format == WeightFormat::float32) {
            const auto stream = stream_of<float>(skin, s * lanes, weights_of);
            add(skin_weights + s, std::span(stream), {4});
        } else {
            const auto stream = stream_of<std::uint16_t>(skin, s * lanes, quantized_weights_of);
            add(skin_weights + s, std::span(stream), {4, GL_UNSIGNED_SHORT, AttributeKind::fraction});
        }
    }
}

void SkinStreams::add_sets(const deform::SkinLayout& layout) {
    std::vector<std::array<std::uint32_t, 2>> slots(layout.vertex_count());
    for (std::uint32_t s = 0; s < layout.sets.size(); ++s) {
        const deform::LayoutSet& set = layout.sets[s];
        for (std::uint32_t slot = 0; slot < set.blocks * deform::layout_block; ++slot)
            slots[layout.vertices[set.first_slot + slot]] = {s, set.first_joint};
    }
    add(skin_set, std::span<const std::array<std::uint32_t, 2>>(slots),
        {2, GL_UNSIGNED_INT, AttributeKind::integer});
}

void SkinStreams::set_instances(std::span<const CrowdMember> crowd) {
    instance_count_ = static_cast<GLsizei>(crowd.size());
    glBindVertexArray(array_.id());
    upload(GL_ARRAY_BUFFER, instances_, crowd, GL_STREAM_DRAW);
    constexpr GLsizei stride = sizeof(CrowdMember);
    for (GLuint column = 0; column < 4; ++column) {
        point_attribute(skin_placement + column, {4}, stride,
                        offsetof(CrowdMember, placement) + column * sizeof(math::Vec4f));
        glVertexAttribDivisor(skin_placement + column, 1);
    }
    point_attribute(skin_frame, {1, GL_INT, AttributeKind::integer}, stride, offsetof(CrowdMember, frame));
    glVertexAttribDivisor(skin_frame, 1);
    glBindVertexArray(0);
}

void SkinStreams::draw_points() const {
    glBindVertexArray(array_.id());
    glDrawArraysInstanced(GL_POINTS, 0, vertex_count_, instance_count_);
    glBindVertexArray(0);
}

void SkinStreams::draw_triangles() const {
    glBindVertexArray(array_.id());
    glDrawElementsInstanced(GL_TRIANGLES, index_count_, GL_UNSIGNED_INT, nullptr, instance_count_);
    glBindVertexArray(0);
}

}  // namespace sinew::render::gl
