// SPDX-License-Identifier: MIT
#include "bench/study/blend_table.h"

#include <array>
#include <string>

#include "bench/study/affine_log.h"
#include "bench/study/blend_rigid.h"

#include "sinew/base/error.h"
#include "sinew/math/blend.h"

namespace sinew::math {
namespace {

using Weights = std::span<const double>;
using Transforms = std::span<const Rigidd>;

constexpr IterationLimits to_the_end{1e-14, 1e-14, 1, 200};

std::vector<Rigidd> aligned(Weights w, Transforms m) {
    return with_signs(m, heaviest_signs(w, rotations_of(m)));
}

template <Rigidd (*Blend)(Weights, Transforms)>
Mat4d by_quaternions(Weights w, Transforms m) {
    return Blend(w, aligned(w, m)).matrix();
}

template <DualQuatd (*Blend)(Weights, std::span<const DualQuatd>)>
Mat4d by_dual_quaternions(Weights w, Transforms m) {
    return to_rigid(Blend(w, dual_quaternions_of(aligned(w, m)))).matrix();
}

DualQuatd pair(Weights w, std::span<const DualQuatd> q) {
    return q.size() == 1 ? q[0] : sclerp(w[1], q[0], q[1]);
}

DualQuatd iterative(Weights w, std::span<const DualQuatd> q) {
    return blend_dual_iterative(w, q, to_the_end).motion;
}

DualQuatd split(Weights w, std::span<const DualQuatd> q) {
    return blend_dual_split(w, q, to_the_end).motion;
}

DualQuatd logs(Weights w, std::span<const DualQuatd> q) {
    return blend_logs(w, q).motion;
}

Mat4d linear(Weights w, Transforms m) {
    return blend_matrices(w, m);
}

Mat4d hybrid(Weights w, Transforms m) {
    return blend_hybrid(w, m);
}

Mat4d axis_and_angle(Weights w, Transforms m) {
    if (m.size() == 1) return m[0].matrix();
    return Rigidd{blend_axis_angle(w[1], m[0].rotation, m[1].rotation),
                  w[0] * m[0].translation + w[1] * m[1].translation}
        .matrix();
}

constexpr std::array table = {
    BlendRule{"linear", "sum of matrices", false, linear},
    BlendRule{"qlb", "quaternions and translations, about the origin", false, by_quaternions<blend_direct>},
    BlendRule{"sbs", "quaternions about the centre of the set", false, by_quaternions<blend_spherical>},
    BlendRule{"sbs-svd", "the same centre by SVD of all pairs", false, by_quaternions<blend_spherical_svd>},
    BlendRule{"sbs-weighted", "quaternions about the weighted centre", false,
              by_quaternions<blend_spherical_weighted>},
    BlendRule{"sbs-mean", "spherical mean about the centre of the set", false,
              by_quaternions<blend_spherical_mean>},
    BlendRule{"closest-rotation", "polar factor of the blended matrix, about the centre", false,
              by_quaternions<blend_closest_rotation>},
    BlendRule{"axis-angle", "axis and angle of two rotations apart, about the origin", true, axis_and_angle},
    BlendRule{"log", "sum of logarithms", false, by_dual_quaternions<logs>},
    BlendRule{"log-hybrid", "linear for small, logarithms for large relative rotations", false, hybrid},
    BlendRule{"sclerp", "one screw motion between two", true, by_dual_quaternions<pair>},
    BlendRule{"dlb", "sum of dual quaternions", false, by_dual_quaternions<blend_dual_linear>},
    BlendRule{"dib", "barycentre of screws", false, by_dual_quaternions<iterative>},
    BlendRule{"dib-split", "barycentre: rotation first, then one linear system", false,
              by_dual_quaternions<split>},
    BlendRule{"successive-sclerp", "one screw after the other (depends on the order)", false,
              by_dual_quaternions<successive_sclerp>},
    BlendRule{"screw-parameters", "axis, moment, angle and pitch blended apart (not right-invariant)", false,
              by_dual_quaternions<blend_screw_parameters>},
};

}  // namespace

std::span<const BlendRule> blend_rules() {
    return table;
}

const BlendRule& find_blend_rule(std::string_view name) {
    std::string names;
    for (const BlendRule& rule : table) {
        if (rule.name == name) return rule;
        names += (names.empty() ? "" : ", ") + std::string(rule.name);
    }
    fail("", "\"{}\" is not a blend: choose one of {}", name, names);
}

}  // namespace sinew::math
