// SPDX-License-Identifier: MIT
#include "sinew/fit/decomposition/products.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/fit/decomposition/products.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace sinew::fit::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
/// Its length divides the padding on every processor.
using Doubles = hn::CappedTag<double, 8>;

/// Two vectors of a result column at a time for four columns: `right` is read once for both.
void multiply(const double* left, std::size_t padded, std::size_t depth, const double* right,
              std::size_t columns, double* result) {
    const Doubles d;
    const std::size_t lanes = hn::Lanes(d);
    const auto column = [&](std::size_t c) { return right + std::min(c, columns - 1) * depth; };
    for (std::size_t c = 0; c < columns; c += 4) {
        const double *r0 = column(c), *r1 = column(c + 1), *r2 = column(c + 2), *r3 = column(c + 3);
        for (std::size_t i = 0; i < padded; i += 2 * lanes) {
            const std::size_t j = i + lanes < padded ? i + lanes : i;
            auto a0 = hn::Zero(d), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
            const double* row = left;
            for (std::size_t k = 0; k < depth; ++k, row += padded) {
                const auto a = hn::LoadU(d, row + i), b = hn::LoadU(d, row + j);
                const auto s0 = hn::Set(d, r0[k]), s1 = hn::Set(d, r1[k]), s2 = hn::Set(d, r2[k]),
                           s3 = hn::Set(d, r3[k]);
                a0 = hn::Add(a0, hn::Mul(a, s0));
                b0 = hn::Add(b0, hn::Mul(b, s0));
                a1 = hn::Add(a1, hn::Mul(a, s1));
                b1 = hn::Add(b1, hn::Mul(b, s1));
                a2 = hn::Add(a2, hn::Mul(a, s2));
                b2 = hn::Add(b2, hn::Mul(b, s2));
                a3 = hn::Add(a3, hn::Mul(a, s3));
                b3 = hn::Add(b3, hn::Mul(b, s3));
            }
            const auto store = [&](std::size_t of, auto first, auto second) {
                if (of >= columns) return;
                hn::StoreU(first, d, result + of * padded + i);
                hn::StoreU(second, d, result + of * padded + j);
            };
            store(c, a0, b0);
            store(c + 1, a1, b1);
            store(c + 2, a2, b2);
            store(c + 3, a3, b3);
        }
    }
}

/// Adds `goals` times four factors to four columns, by weight. Rounded in the same manner as the moments, so
/// that vertices that do not move cancel.
void add_columns(const double* goals, std::size_t count, const double* factors, double weight,
                 double* columns) {
    const Doubles d;
    const std::size_t lanes = hn::Lanes(d);
    const auto x = hn::Set(d, factors[0]), y = hn::Set(d, factors[1]), z = hn::Set(d, factors[2]),
               w = hn::Set(d, factors[3]), share = hn::Set(d, weight);
    double *at_x = columns, *at_y = columns + count, *at_z = at_y + count, *at_w = at_z + count;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto g = hn::LoadU(d, goals + i);
        hn::StoreU(hn::Add(hn::LoadU(d, at_x + i), hn::Mul(share, hn::Mul(g, x))), d, at_x + i);
        hn::StoreU(hn::Add(hn::LoadU(d, at_y + i), hn::Mul(share, hn::Mul(g, y))), d, at_y + i);
        hn::StoreU(hn::Add(hn::LoadU(d, at_z + i), hn::Mul(share, hn::Mul(g, z))), d, at_z + i);
        hn::StoreU(hn::Add(hn::LoadU(d, at_w + i), hn::Mul(share, hn::Mul(g, w))), d, at_w + i);
    }
    for (; i < count; ++i) {
        at_x[i] += weight * (goals[i] * factors[0]);
        at_y[i] += weight * (goals[i] * factors[1]);
        at_z[i] += weight * (goals[i] * factors[2]);
        at_w[i] += weight * (goals[i] * factors[3]);
    }
}

}  // namespace sinew::fit::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::fit {

using Eigen::Index;

HWY_EXPORT(multiply);
HWY_EXPORT(add_columns);

PaddedRows::PaddedRows(const Eigen::MatrixXd& matrix) : columns_(matrix.cols()) {
    rows_.setZero((columns_ + 7) / 8 * 8, matrix.rows());
    rows_.topRows(columns_) = matrix.transpose();
}

void PaddedRows::transposed_times(const Eigen::MatrixXd& right, Eigen::MatrixXd& result) const {
    result.resize(rows_.rows(), right.cols());
    HWY_DYNAMIC_DISPATCH(multiply)
    (rows_.data(), static_cast<std::size_t>(rows_.rows()), static_cast<std::size_t>(rows_.cols()),
     right.data(), static_cast<std::size_t>(right.cols()), result.data());
    if (result.rows() != columns_) result.conservativeResize(columns_, Eigen::NoChange);
}

void add_cross(std::span<const BoneWeight> weights, const math::Vec4d& rest, std::span<const double> goals,
               Eigen::MatrixXd& cross) {
    for (const BoneWeight& w : weights) {
        HWY_DYNAMIC_DISPATCH(add_columns)
        (goals.data(), goals.size(), rest.data(), w.weight, cross.col(4 * static_cast<Index>(w.bone)).data());
    }
}

}  // namespace sinew::fit
#endif
