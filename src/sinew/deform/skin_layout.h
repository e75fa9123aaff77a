#pragma once
/// \file
/// A mesh and its skin in the order in which kernels stream them: set by set, in blocks of 16 vertices.

#include <cstdint>
#include <vector>

#include "sinew/base/array.h"
#include "sinew/geometry/mesh.h"
#include "sinew/model/skin.h"

namespace sinew::deform {

/// The blocks of one influence set.
struct LayoutSet {
    std::uint32_t first_joint = 0;  ///< into SkinLayout::joints and the lists beside it
    std::uint32_t joint_count = 0;
    std::uint32_t first_slot = 0;  ///< slot of its first vertex, a multiple of 16
    std::uint32_t blocks = 0;
    std::size_t data = 0;      ///< float of its first block
    std::uint32_t stride = 0;  ///< floats of a block
};

/// What goes into the blocks besides positions and weights.
struct LayoutOptions {
    bool normals = true;                   ///< when the mesh has them
    bool tangents = false;                 ///< when the mesh has normals and tangents
    std::span<const math::Vec3f> centers;  ///< per-vertex centres of rotation, or none
};

/// Three values from -1 to 1 in two words, 21 bits each: normals, and the weights of the usual four joints,
/// need no more, and what is streamed is what a frame costs.
struct PackedTriple {
    std::uint32_t first, second;
};
PackedTriple pack(float a, float b, float c);

/// A slot is a place in the streamed order. Padding slots at the end of a set repeat its last vertex.
struct SkinLayout {
    std::vector<LayoutSet> sets;
    std::vector<std::uint32_t> joints;       ///< palette indices of the sets
    std::vector<std::int32_t> sign_parents;  ///< beside `joints`: see InfluenceSets::sign_parent
    std::vector<std::uint32_t> sign_order;   ///< beside `joints`: leaders before followers
    std::vector<std::uint32_t> vertices;     ///< vertex of each slot; padding repeats the one before
    std::vector<std::uint32_t> slots;        ///< slot of each vertex
    std::vector<float> handedness;           ///< of the tangents, per vertex; empty without tangents
    AlignedVector<float> data;
    std::size_t palette_size = 0;
    std::size_t max_set_joints = 0;
    int vectors = 0;
    bool centers = false;

    std::size_t slot_count() const { return vertices.size(); }
    std::size_t vertex_count() const { return slots.size(); }
};

SkinLayout make_layout(const geometry::Mesh& mesh, const model::Skin& skin, const model::InfluenceSets& sets,
                       const LayoutOptions& options = {});

/// Bytes held by a layout.
std::size_t memory_of(const SkinLayout& layout);

}  // namespace sinew::deform
