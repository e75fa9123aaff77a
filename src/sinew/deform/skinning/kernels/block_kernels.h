// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The block kernel: vertices of one influence set stream through SIMD in blocks of 16, with no gathers. A
/// method is a rule that turns blended coefficients into an affine map; loading, blending, applying and
/// storing are one loop.

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::deform::kernels {

/// Vertices in a block; every vector width divides it.
inline constexpr std::size_t block = 16;

/// Sets of this many joints keep their weights packed (see PackedTriple), and the largest packed number.
inline constexpr std::size_t packed_joints = 4;
inline constexpr float packed_one = 1048575;

/// What a kernel makes of the coefficients, of which a joint has as many as the brackets say.
enum class Rule : std::uint8_t {
    affine,        ///< [12] matrix by rows; vectors by the linear part, made unit
    affine_exact,  ///< [12] the same; vectors by the cofactors, made unit
    dual,          ///< [8] dual quaternion: x y z w, then the dual part
    centered,      ///< [7] quaternion, moved centre; constants: rest centre
    weighted,      ///< [25] quaternion, matrix, D^T D, D^T tau (see set_coefficients.h); constants: anchor
    own_center,    ///< [16] quaternion, matrix; the centre is an attribute of the vertex
    logarithm,     ///< [6] half rotation vector, dual part
    iterative,     ///< [16] dual quaternion, and the same for every joint by itself; constants: model size
    heaviest,      ///< [12] matrix of the largest weight
};
inline constexpr std::size_t rule_count = 9;

/// Coefficients of a dual quaternion.
inline constexpr std::size_t dual_count = 8;
/// Coefficients of a joint under a rule.
std::size_t coefficient_count(Rule rule);
/// A rigid rule with a stretch has these more, the matrix that acts before the rigid blend.
inline constexpr std::size_t stretch_count = 12;
/// Floats that the coefficients of one joint of a set take. There is always room for a matrix, because one
/// joint alone moves by its matrix under every rule.
constexpr std::size_t joint_stride(std::size_t coefficients, bool stretch) {
    return (coefficients > 12 ? coefficients : 12) + (stretch ? stretch_count : 0);
}

/// A run of blocks of one set. A block is x y z, then the packed x y z of each vector, then x y z of the
/// centre if the layout has one, then the weights of the joints from the second on, packed for sets of four;
/// 16 vertices each. The first joint has what is left of 1.
struct Job {
    const float* data = nullptr;
    /// Joint after joint: those of the first, then the differences of every other to it.
    const float* coefficients = nullptr;
    const float* constants = nullptr;  ///< three floats
    std::size_t first = 0;             ///< where the first block goes in the arrays
    std::size_t vertices = 0;          ///< padding after the last is computed only as far as its vector goes
};

/// What all jobs of a run have in common.
struct Call {
    Rule rule = Rule::affine;
    bool stretch = false;
    int vectors = 1;        ///< 0 positions only, 1 with normals, 2 with normals and tangents
    int block_vectors = 1;  ///< vectors in the blocks; a call may use fewer
    bool centers = false;   ///< blocks carry a centre
    std::size_t joints = 1;
    std::size_t stride = 0;       ///< floats of a block
    float* const* out = nullptr;  ///< 3 + 3 * vectors arrays
};

/// Runs jobs with the best instruction set of this machine. Returns how many vertices were degenerate (their
/// joints cancelled out) and followed their heaviest joint.
std::size_t run(const Call& call, std::span<const Job> jobs);

/// Name of the instruction set in use.
const char* target_name();

/// Three values from -1 to 1 in two words, 21 bits each: normals, and the weights of the usual four joints,
/// need no more, and what is streamed is what a frame costs.
struct PackedTriple {
    std::uint32_t first, second;
};
PackedTriple pack(float a, float b, float c);

}  // namespace sinew::deform::kernels
