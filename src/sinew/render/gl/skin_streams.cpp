#include "sinew/render/gl/skin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>


namespace sinew::render::gl {
namespace {

constexpr std::size_t lanes = 4;  // influences in a stream
constexpr std::size_t most_influences = 2 * lanes;

/// Colour of each vertex: its own, times that of the material of a part it belongs to.
std::vector<math::Vec4f> vertex_colors(const geometry::Mesh& mesh) {
    std::vector<math::Vec4f> colors(mesh.vertex_count(), math::Vec4f(0.36f, 0.375f, 0.40f, 1));  // clay
    if (!mesh.colors.empty()) colors = mesh.colors;
    for (const geometry::Part& part : geometry::parts_of(mesh)) {
        if (part.material < 0) continue;
        const math::Vec4f& base = mesh.materials[static_cast<std::size_t>(part.material)].base_color;
        for (std::uint32_t t = part.first; t < part.first + part.count; ++t)
            for (const std::uint32_t v : mesh.triangles[t])
                colors[v] = mesh.colors.empty() ? base : math::Vec4f(mesh.colors[v].cwiseProduct(base));
    }
    return colors;
}

/// Four values for each vertex, from influence `first` on; `values(v)` are those of all its influences.
template <class T, class Values>
std::vector<std::array<T, lanes>> stream_of(const model::Skin& skin, std::size_t first,
                                            const Values& values) {
    std::vector<std::array<T, lanes>> stream(skin.vertex_count(), std::array<T, lanes>{});
    for (std::size_t v = 0; v < stream.size(); ++v) {
        const std::array<T, most_influences> all = values(skin.of(v));
        std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(first), lanes, stream[v].begin());
    }
    return stream;
}

using Influences = std::span<const model::Influence>;

std::array<std::uint16_t, most_influences> joints_of(Influences influences) {
    std::array<std::uint16_t, most_influences> joints{};
    std::ranges::transform(influences, joints.begin(),
                           [](const model::Influence& i) { return static_cast<std::uint16_t>(i.joint); });
    return joints;
}

std::array<float, most_influences> weights_of(Influences influences) {
    std::array<float, most_influences> weights{};
    std::ranges::transform(influences, weights.begin(), &model::Influence::weight);
    return weights;
}

std::array<std::uint16_t, most_influences> quantized_weights_of(Influences influences) {
    const std::array<float, most_influences> weights = weights_of(influences);
    std::array<std::uint16_t, most_influences> quantized{};
    quantize_weights({weights.data(), influences.size()}, {quantized.data(), influences.size()});
    return quantized;
}

}  // namespace

void quantize_weights(std::span<const float> weights, std::span<std::uint16_t> out) {
    constexpr double one = 65535;
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::array<double, most_influences> rest{};
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
        ++out[static_cast<std::size_t>(largest - rest.begin())];
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
    check_errors("uploaded a skinned mesh");
}

template <class T>
void SkinStreams::add(GLuint place, std::span<const T> items, const AttributeFormat& format) {
    buffers_.push_back(upload_attribute(place, items, format, GL_STATIC_DRAW));
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
    std::vector<std::array<std::uint32_t, 2>> places(layout.vertex_count());
    for (std::uint32_t s = 0; s < layout.sets.size(); ++s) {
        const deform::LayoutSet& set = layout.sets[s];
        for (std::uint32_t slot = 0; slot < set.blocks * deform::kernels::block; ++slot)
            places[layout.vertices[set.first_slot + slot]] = {s, set.first_joint};
    }
    add(skin_set, std::span<const std::array<std::uint32_t, 2>>(places),
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
