// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What a method costs by its formulas: floating point operations and memory, apart from any machine.

#include <cstddef>

#include "sinew/deform/method.h"

namespace sinew::deform {

/// Additions, multiplications, divisions and square roots count 1, sines, cosines and arc tangents 20. A
/// vertex is a position and a normal, the normal by the blended linear part; a joint starts from its matrix.
struct MethodCost {
    double joint_flops = 0;        ///< once a frame for each palette entry
    double set_flops = 0;          ///< once a frame for each influence set
    double vertex_flops = 0;       ///< for each vertex
    std::size_t joint_bytes = 0;   ///< what a palette entry needs while vertices are blended, in floats
    std::size_t set_bytes = 0;     ///< what an influence set needs besides
    std::size_t vertex_bytes = 0;  ///< what a vertex needs besides position, normal and weights
};

struct CostOptions {
    int influences = 4;     ///< of each vertex, and joints of each set
    double iterations = 3;  ///< steps of Method::dib a vertex
};

MethodCost cost(Method method, const CostOptions& options = {});

}  // namespace sinew::deform
