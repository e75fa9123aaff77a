// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "sinew/deform/blend.h"
#include "sinew/deform/skinning/kernels/block_kernels.h"

namespace sinew::deform {
namespace {

using kernels::block;

/// Writes rows of a block: each call writes one value of one vertex.
struct BlockWriter {
    float* data;
    std::size_t row = 0;
    std::size_t lane = 0;

    void put(float value) { data[row++ * block + lane] = value; }
    void put(std::uint32_t word) { put(std::bit_cast<float>(word)); }
    void put_packed(float a, float b, float c) {
        const kernels::PackedTriple words = kernels::pack(a, b, c);
        put(words.first);
        put(words.second);
    }
    /// A direction: a length above 1 would not fit, and the length has no meaning.
    void put_direction(const math::Vec3f& v) {
        const math::Vec3f d = v / std::max(1.0f, v.norm());
        put_packed(d.x(), d.y(), d.z());
    }
    void put(const math::Vec3f& v) {
        put(v.x());
        put(v.y());
        put(v.z());
    }
};

void fill_vertex(SkinLayout& layout, const LayoutSet& set, std::uint32_t slot, std::uint32_t vertex,
                 const geometry::Mesh& mesh, std::span<const model::Influence> influences,
                 const LayoutOptions& options) {
    const std::size_t in_set = slot - set.first_slot;
    BlockWriter writer{layout.data.data() + set.data + in_set / block * set.stride, 0, in_set % block};
    writer.put(mesh.positions[vertex]);
    if (layout.vectors > 0) writer.put_direction(mesh.normals[vertex]);
    if (layout.vectors > 1) writer.put_direction(mesh.tangents[vertex].head<3>());
    if (layout.centers) writer.put(options.centers[vertex]);
    // Weights sum to 1 only within rounding: the first joint gets the remainder.
    if (influences.size() == kernels::packed_joints) {
        writer.put_packed(influences[1].weight, influences[2].weight, influences[3].weight);
    } else {
        for (std::size_t i = 1; i < influences.size(); ++i) writer.put(influences[i].weight);
    }
    layout.vertices[slot] = vertex;
}

/// `numbers` has the number of the sign that each step of the layout produces.
LayoutSet make_set(SkinLayout& layout, const model::InfluenceSets& sets, const model::InfluenceSet& from,
                   std::map<SignStep, std::uint32_t>& numbers) {
    LayoutSet set;
    set.first_joint = static_cast<std::uint32_t>(layout.joints.size());
    set.joint_count = from.joint_count;
    set.blocks = (from.vertex_count + block - 1) / block;
    const std::size_t weights = from.joint_count == kernels::packed_joints ? 2 : from.joint_count - 1;
    const std::size_t rows =
        3 + 2 * static_cast<std::size_t>(layout.vectors) + (layout.centers ? 3 : 0) + weights;
    set.stride = static_cast<std::uint32_t>(rows * block);
    const auto joints = sets.joints_of(from);
    const auto parents = sets.sign_parents_of(from);
    layout.joints.insert(layout.joints.end(), joints.begin(), joints.end());
    layout.signs.resize(layout.joints.size());
    std::uint32_t* const signs = layout.signs.data() + set.first_joint;
    for (const std::uint32_t i : model::sign_order(sets, from)) {
        if (parents[i] < 0) {
            signs[i] = joints[i];
            continue;
        }
        const auto leader = static_cast<std::size_t>(parents[i]);
        const SignStep step{joints[i], joints[leader], signs[leader]};
        const auto next = static_cast<std::uint32_t>(layout.palette_size + layout.sign_steps.size());
        const auto [known, fresh] = numbers.try_emplace(step, next);
        if (fresh) layout.sign_steps.push_back(step);
        signs[i] = known->second;
    }
    layout.max_set_joints = std::max<std::size_t>(layout.max_set_joints, set.joint_count);
    return set;
}

}  // namespace

kernels::PackedTriple kernels::pack(float a, float b, float c) {
    const auto bits = [](float value) {
        const float rounded = std::round(std::clamp(value, -1.0f, 1.0f) * kernels::packed_one);
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(rounded)) & 0x1fffff;
    };
    return {bits(a) << 11 | bits(c) >> 10, bits(b) << 11 | (bits(c) & 0x3ff)};
}

SkinLayout make_layout(const geometry::Mesh& mesh, const model::Skin& skin, const model::InfluenceSets& sets,
                       const LayoutOptions& options) {
    SkinLayout layout;
    layout.palette_size = skin.joints.size();
    layout.vectors = !options.normals || mesh.normals.empty()     ? 0
                     : !options.tangents || mesh.tangents.empty() ? 1
                                                                  : 2;
    layout.centers = !options.centers.empty();
    std::size_t slots = 0, floats = 0;
    std::map<SignStep, std::uint32_t> numbers;
    for (const model::InfluenceSet& from : sets.sets) {
        LayoutSet set = make_set(layout, sets, from, numbers);
        set.first_slot = static_cast<std::uint32_t>(slots);
        set.data = floats;
        slots += set.blocks * block;
        floats += std::size_t{set.blocks} * set.stride;
        layout.sets.push_back(set);
    }
    layout.data.resize(floats);
    layout.vertices.resize(slots);
    layout.slots.resize(mesh.vertex_count());
    for (std::size_t s = 0; s < layout.sets.size(); ++s) {
        const LayoutSet& set = layout.sets[s];
        const auto vertices = sets.vertices_of(sets.sets[s]);
        for (std::uint32_t k = 0; k < set.blocks * block; ++k) {
            const std::uint32_t vertex = vertices[std::min<std::size_t>(k, vertices.size() - 1)];
            fill_vertex(layout, set, set.first_slot + k, vertex, mesh, skin.of(vertex), options);
            if (k < vertices.size()) layout.slots[vertex] = set.first_slot + k;
        }
    }
    if (layout.vectors > 1) {
        for (const math::Vec4f& tangent : mesh.tangents) layout.handedness.push_back(tangent.w());
    }
    return layout;
}

std::size_t SkinLayout::memory() const {
    return sets.size() * sizeof(LayoutSet) + joints.size() * 8 + sign_steps.size() * sizeof(SignStep) +
           vertices.size() * 4 + slots.size() * 4 + handedness.size() * 4 + data.size() * sizeof(float);
}

void SkinLayout::set_rest(std::span<const math::Vec3f> positions, std::span<const math::Vec3f> normals) {
    for (const LayoutSet& set : sets) {
        for (std::uint32_t k = 0; k < set.blocks * block; ++k) {
            const std::uint32_t vertex = vertices[set.first_slot + k];
            BlockWriter writer{data.data() + set.data + k / block * set.stride, 0, k % block};
            writer.put(positions[vertex]);
            if (vectors > 0 && !normals.empty()) writer.put_direction(normals[vertex]);
        }
    }
}

}  // namespace sinew::deform
