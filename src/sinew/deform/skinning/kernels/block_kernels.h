// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The block kernel: vertices of one influence set are processed by SIMD in blocks of 16, without gathers. A
/// method is a rule that converts blended coefficients to an affine map; loading, blending, applying and
/// storing are one loop.

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::deform::kernels {

/// Vertices in a block; every vector width divides it.
inline constexpr std::size_t block = 16;

/// Sets with this number of joints have packed weights (see PackedTriple), and the largest packed number.
inline constexpr std::size_t packed_joints = 4;
inline constexpr float packed_one = 1048575;

/// How a kernel uses coefficients; the number per joint is in brackets.
enum class Rule : std::uint8_t {
    affine,        ///< [12] matrix by rows; vectors by the linear part, made unit
    affine_exact,  ///< [12] the same; vectors by the cofactors, made unit
    dual,          ///< [8] dual quaternion: x y z w, then the dual part
    centered,      ///< [7] quaternion, moved centre; constants: rest centre
    weighted,      ///< [25] quaternion, matrix, D^T D, D^T tau (see set_coefficients.cpp); constants: anchor
    own_center,    ///< [16] quaternion, matrix; the centre is an attribute of the vertex
    logarithm,     ///< [6] half rotation vector, dual part
    iterative,     ///< [16] dual quaternion of the blend, and of every joint; constants: model size
    heaviest,      ///< [12] matrix of the largest weight
};
inline constexpr std::size_t rule_count = 9;

/// Coefficients of a dual quaternion.
inline constexpr std::size_t dual_count = 8;
/// Coefficients of a joint under a rule.
std::size_t coefficient_count(Rule rule);
/// Additional coefficients of a rigid rule with a stretch: the matrix that is applied before the rigid blend.
inline constexpr std::size_t stretch_count = 12;
/// Number of floats of one joint of a set. At least a matrix, because a single joint moves by its matrix
/// under every rule.
constexpr std::size_t joint_stride(std::size_t coefficients, bool stretch) {
    return (coefficients > 12 ? coefficients : 12) + (stretch ? stretch_count : 0);
}

/// A sequence of blocks of one set. A block contains x y z, then the packed x y z of each vector, then x y z
/// of the centre if the layout has centres, then the weights of the joints from the second on (packed for
/// sets of four), for 16 vertices each. The first joint has the remaining weight.
struct Job {
    const float* data = nullptr;
    /// Per joint: those of the first, then the differences of the others to it.
    const float* coefficients = nullptr;
    const float* constants = nullptr;  ///< three floats
    std::size_t first = 0;             ///< index of the first block's vertices in the arrays
    std::size_t vertices = 0;  ///< number of vertices; the rest of the last vector is computed but is padding
};

/// Data shared by all jobs of a run.
struct Call {
    Rule rule = Rule::affine;
    bool stretch = false;
    int vectors = 1;        ///< 0 positions only, 1 with normals, 2 with normals and tangents
    int block_vectors = 1;  ///< vectors stored in the blocks; a call may use fewer
    bool centers = false;   ///< blocks carry a centre
    std::size_t joints = 1;
    std::size_t stride = 0;       ///< floats of a block
    float* const* out = nullptr;  ///< 3 + 3 * vectors arrays
};

/// Runs jobs with the best instruction set of this machine. Returns the number of degenerate vertices (their
/// joints cancelled), which followed their heaviest joint.
std::size_t run(const Call& call, std::span<const Job> jobs);

/// Name of the instruction set in use.
const char* target_name();

/// Three values from -1 to 1 in two words, 21 bits each. Normals, and the weights of the usual four joints,
/// need no higher precision, and memory bandwidth determines the time of a frame.
struct PackedTriple {
    std::uint32_t first, second;
};
PackedTriple pack(float a, float b, float c);

}  // namespace sinew::deform::kernels
