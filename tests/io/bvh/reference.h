// SPDX-License-Identifier: MIT
#pragma once
// A second BVH evaluator to compare with: recursive, with 4x4 matrices, straight from the grammar, no
// repairs.

#include <memory>
#include <string>
#include <vector>

#include "sinew/math/types.h"

namespace sinew::test {

struct BvhNode {
    std::string name;  ///< empty for an End Site
    math::Vec3d offset;
    std::vector<std::string> channels;
    std::vector<std::unique_ptr<BvhNode>> children;
};

struct BvhReference {
    std::vector<std::unique_ptr<BvhNode>> roots;
    std::size_t frames = 0;
    double frame_time = 0;
    std::size_t channels = 0;
    std::vector<double> values;

    explicit BvhReference(const std::string& text);
    /// World positions of joints in the order of the file, End Sites left out; roots add positions to OFFSET,
    /// and `replace` says what other joints do.
    std::vector<math::Vec3d> joints(std::size_t frame, bool replace = true) const;
    /// The same for End Sites.
    std::vector<math::Vec3d> tips(std::size_t frame, bool replace = true) const;
};

}  // namespace sinew::test
