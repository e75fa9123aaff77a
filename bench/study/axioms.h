// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What a blend of rigid transformations should obey (Kavan 2007, 4.1), measured on random inputs.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/study/blend_table.h"

#include "sinew/deform/method.h"

namespace sinew::deform {

enum class Axiom {
    interpolation,  ///< all weight on one input gives that input
    rigidity,       ///< the result is rigid
    permutation,    ///< the order of the inputs does not matter
    left,           ///< U blend(M_i) = blend(U M_i): moving the pose moves the skin
    right,          ///< blend(M_i) U = blend(M_i U): coordinates of the rest pose do not matter
    coordinate,     ///< U blend(M_i) U^-1 = blend(U M_i U^-1)
    angular_speed,  ///< of two: the angle grows evenly with the weight
    pitch_speed,    ///< of two: so does the slide along the axis
    shortest_path,  ///< of two: the screw axis stays, and the whole turn is at most half a turn
};
inline constexpr std::size_t axiom_count = 9;

std::string_view name(Axiom axiom);

struct AxiomOptions {
    int samples = 200;
    std::uint64_t seed = 1;
    int max_inputs = 6;
    double spread = math::radians(150);  ///< largest rotation between two inputs
};

/// Largest violation of each axiom over all samples: entries of matrices, radians, lengths of scale 1.
struct AxiomRow {
    std::string name;
    std::array<double, axiom_count> residuals{};

    double operator[](Axiom axiom) const { return residuals[static_cast<std::size_t>(axiom)]; }
    bool holds(Axiom axiom, double tolerance = 1e-9) const { return (*this)[axiom] <= tolerance; }
};

/// `pairs_only` for blends of two transformations.
AxiomRow check_axioms(std::string_view name, const math::BlendFunction& blend, bool pairs_only = false,
                      const AxiomOptions& options = {});

/// One row for every blend of the library.
std::vector<AxiomRow> axiom_table(const AxiomOptions& options = {});

/// A skinning method as a blend, by the code that skins. Method::cor has a centre per vertex and is none.
math::BlendFunction blend_of(Method method);

/// The table as text, + or - for each axiom with its residual.
std::string to_text(const std::vector<AxiomRow>& rows, double tolerance = 1e-9);

}  // namespace sinew::deform
