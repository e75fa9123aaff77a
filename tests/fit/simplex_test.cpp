// SPDX-License-Identifier: MIT
#include "sinew/fit/decomposition/simplex.h"

#include <algorithm>

#include "support/random.h"
#include <gtest/gtest.h>

namespace sinew::fit {
namespace {

using Eigen::MatrixXd;
using sinew::test::Random;

/// Gram matrix of differences a_j - g in a space of `rows` numbers.
MatrixXd random_gram(Random& random, int bones, int rows) {
    MatrixXd a(rows, bones);
    Eigen::VectorXd goal(rows);
    for (int r = 0; r < rows; ++r) {
        goal(r) = random.uniform(-1, 1);
        for (int j = 0; j < bones; ++j) a(r, j) = goal(r) + random.normal();
    }
    a.colwise() -= goal;
    return a.transpose() * a;
}

Support all_of(int bones) {
    Support support;
    for (int j = 0; j < bones; ++j) {
        support.bones[static_cast<std::size_t>(j)] = j;
        support.weights[static_cast<std::size_t>(j)] = 1.0 / bones;
    }
    support.count = bones;
    return support;
}

TEST(Simplex, IsNeverWorseThanAGridAndMeetsTheOptimalityConditions) {
    Random random(3);
    for (int trial = 0; trial < 20; ++trial) {
        const MatrixXd gram = random_gram(random, 3, 5);
        Support support = all_of(3);
        solve_on_simplex(gram, support);
        double best = std::numeric_limits<double>::infinity();
        for (int i = 0; i <= 1000; ++i) {
            for (int j = 0; i + j <= 1000; ++j) {
                const Eigen::Vector3d w(i / 1000.0, j / 1000.0, (1000 - i - j) / 1000.0);
                best = std::min(best, w.dot(gram.topLeftCorner<3, 3>() * w));
            }
        }
        EXPECT_LE(support.error, best + 1e-12);
        Eigen::VectorXd w = Eigen::VectorXd::Zero(3);
        double sum = 0;
        for (std::size_t a = 0; a < static_cast<std::size_t>(support.count); ++a) {
            EXPECT_GE(support.weights[a], 0);
            w(support.bones[a]) = support.weights[a];
            sum += support.weights[a];
        }
        EXPECT_NEAR(sum, 1, 1e-12);
        const Eigen::VectorXd slope = gram * w;
        for (int j = 0; j < 3; ++j) {
            if (w(j) > 0) {
                EXPECT_NEAR(slope(j), support.error, 1e-9 * gram.norm());
            }
            EXPECT_GE(slope(j), support.error - 1e-9 * gram.norm());
        }
    }
}

TEST(Simplex, FourOfEightAreNearlyAsGoodAsTheBestFour) {
    Random random(5);
    std::vector<double> ratios;
    for (int trial = 0; trial < 60; ++trial) {
        const MatrixXd gram = random_gram(random, 8, 6);
        Support support = best_single(gram);
        const double before = support.error;
        improve_support(gram, 4, support);
        EXPECT_LE(support.count, 4);
        EXPECT_LE(support.error, before);
        double best = std::numeric_limits<double>::infinity();
        for (int mask = 0; mask < 256; ++mask) {
            if (__builtin_popcount(static_cast<unsigned>(mask)) != 4) continue;
            Support four;
            for (int j = 0; j < 8; ++j) {
                if ((mask & (1 << j)) == 0) continue;
                four.bones[static_cast<std::size_t>(four.count)] = j;
                four.weights[static_cast<std::size_t>(four.count++)] = 0.25;
            }
            solve_on_simplex(gram, four);
            best = std::min(best, four.error);
        }
        EXPECT_GE(support.error, best - 1e-9);
        ratios.push_back(support.error / std::max(best, 1e-300));
    }
    std::sort(ratios.begin(), ratios.end());
    EXPECT_LE(ratios[ratios.size() / 2], 1.1);
}

TEST(Simplex, EqualBonesAreNoTrouble) {
    MatrixXd gram = MatrixXd::Constant(4, 4, 2.0);
    Support support = all_of(4);
    solve_on_simplex(gram, support);
    EXPECT_NEAR(support.error, 2, 1e-9);
    gram.setZero();
    support = all_of(4);
    solve_on_simplex(gram, support);
    EXPECT_EQ(support.error, 0);
}

}  // namespace
}  // namespace sinew::fit
