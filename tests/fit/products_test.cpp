// SPDX-License-Identifier: MIT
#include "sinew/fit/decomposition/products.h"

#include "support/random.h"
#include <gtest/gtest.h>

namespace sinew::fit {
namespace {

using Eigen::MatrixXd;
using sinew::test::Random;

MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
    MatrixXd matrix(rows, columns);
    for (double& value : matrix.reshaped()) value = random.normal();
    return matrix;
}

TEST(Products, EqualPlainOnesForEverySize) {
    Random random(4);
    for (const Eigen::Index columns : {1, 4, 8, 12, 20, 36}) {
        for (const Eigen::Index right_columns : {1, 3, 4, 9}) {
            const MatrixXd left = random_matrix(random, 15, columns),
                           right = random_matrix(random, 15, right_columns);
            MatrixXd result;
            PaddedRows(left).transposed_times(right, result);
            ASSERT_EQ(result.rows(), columns);
            ASSERT_EQ(result.cols(), right_columns);
            EXPECT_LT((result - left.transpose() * right).cwiseAbs().maxCoeff(), 1e-13);
        }
    }
}

TEST(Products, CrossSumsOfAVertexGoToItsBones) {
    Random random(5);
    const std::vector<BoneWeight> weights{{0, 0.25}, {2, 0.75}};
    const math::Vec4d rest(0.3, -2, 0.7, 1);
    for (const Eigen::Index frames : {1, 5, 8}) {
        const MatrixXd goals = random_matrix(random, 3 * frames, 1),
                       before = random_matrix(random, 3 * frames, 12);
        MatrixXd cross = before, expected = before;
        add_cross(weights, rest, {goals.data(), static_cast<std::size_t>(goals.size())}, cross);
        for (const BoneWeight& w : weights)
            expected.middleCols<4>(4 * w.bone) += w.weight * goals * rest.transpose();
        EXPECT_LT((cross - expected).cwiseAbs().maxCoeff(), 1e-13);
    }
}

}  // namespace
}  // namespace sinew::fit
