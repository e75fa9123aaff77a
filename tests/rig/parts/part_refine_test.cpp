// SPDX-License-Identifier: MIT
#include "support/random.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sinew/rig/parts/part_piece.h"

namespace sinew::rig {
namespace {

using math::radians;

Vec3d leaning(double degrees) {
    return {std::cos(radians(degrees)), std::sin(radians(degrees)), 0};
}

double off_degrees(const Vec3d& line, const Vec3d& direction) {
    return math::degrees(std::atan2(line.cross(direction).norm(), std::abs(line.dot(direction))));
}

double orthonormality(const Mat3d& axes) {
    return (axes.transpose() * axes - Mat3d::Identity()).norm() + std::abs(axes.determinant() - 1);
}

TEST(PartsRefine, WeightsSumToOne) {
    EXPECT_EQ(opening_weights(3, true), (std::vector<double>{0.5, 0.25, 0.25}));
    EXPECT_EQ(opening_weights(1, true), (std::vector<double>{1}));
    EXPECT_EQ(opening_weights(4, false), (std::vector<double>(4, 0.25)));
    EXPECT_TRUE(opening_weights(0, false).empty());
}

TEST(PartsRefine, AnAxisTurnsOntoTheOnlyOpening) {
    for (const LocalRefinement rule : {LocalRefinement::sequential, LocalRefinement::procrustes}) {
        PartRefineOptions options;
        options.local = rule;
        const std::vector<Vec3d> near{3 * leaning(12)}, far{3 * leaning(25)}, back{-2 * leaning(12)};
        const double exact = rule == LocalRefinement::sequential ? 1e-9 : 1e-3;
        EXPECT_NEAR(off_degrees(refine_locally({}, near, true, 0, options).axes.col(0), leaning(12)), 0,
                    exact);
        EXPECT_NEAR(off_degrees(refine_locally({}, back, true, 0, options).axes.col(0), leaning(12)), 0,
                    exact);
        EXPECT_LT((refine_locally({}, far, true, 0, options).axes - Mat3d::Identity()).norm(), 1e-12);
        EXPECT_LT((refine_locally({}, near, true, 10, options).axes - Mat3d::Identity()).norm(), 1e-12);
    }
    PartRefineOptions off;
    off.local = LocalRefinement::off;
    const std::vector<Vec3d> near{leaning(12)};
    EXPECT_EQ(refine_locally({}, near, true, 0, off).axes, Mat3d::Identity());
}

TEST(PartsRefine, ThePrincipalAxisIsChosenAnew) {
    const std::vector<Vec3d> one{{0.1, 2, 0}};
    EXPECT_EQ(refine_locally({}, one, true, 0).main_axis, 1);
    const std::vector<Vec3d> several{{2, 0, 0}, {-2, 0.1, 0}, {0, 0.1, 3}};
    EXPECT_EQ(refine_locally({Mat3d::Identity(), 1}, several, true, 0).main_axis, 0);
    // As much weight on both sides keeps what there is.
    const std::vector<Vec3d> equal{{2, 0, 0}, {0, 2, 0}};
    EXPECT_EQ(refine_locally({Mat3d::Identity(), 1}, equal, false, 0).main_axis, 1);
}

RC_GTEST_PROP(PartsRefine, FramesStayOrthonormal, ()) {
    test::Random random(*rc::gen::arbitrary<unsigned>());
    PartFrame frame{random.rotation().toRotationMatrix(), random.integer(0, 2)};
    std::vector<Vec3d> ways;
    for (int i = 0; i < random.integer(1, 6); ++i) ways.push_back(random.vector());
    PartRefineOptions options;
    options.max = random.uniform(0, 1.5);
    for (const LocalRefinement rule : {LocalRefinement::sequential, LocalRefinement::procrustes}) {
        options.local = rule;
        RC_ASSERT(orthonormality(refine_locally(frame, ways, true, 1e-6, options).axes) < 1e-12);
    }
    const PartFrame parent{random.rotation().toRotationMatrix(), 0};
    RC_ASSERT(orthonormality(refine_by_parent(frame, parent, unlimited_angle).axes) < 1e-12);
}

RC_GTEST_PROP(PartsRefine, ProcrustesIsNeverWorseThanOneByOne, ()) {
    test::Random random(*rc::gen::arbitrary<unsigned>());
    const Mat3d axes = random.rotation().toRotationMatrix();
    std::vector<Vec3d> ways;
    for (int i = 0; i < 3; ++i) ways.push_back(random.rotation(radians(15)) * axes.col(i));
    PartRefineOptions options;
    options.max = radians(30);
    const auto error = [&](LocalRefinement rule) {
        options.local = rule;
        const PartFrame frame = refine_locally({axes, 0}, ways, true, 0, options);
        const double weights[] = {0.5, 0.25, 0.25};
        double sum = 0;
        for (int i = 0; i < 3; ++i) {
            const Vec3d& way = ways[static_cast<std::size_t>(i)];
            sum += weights[i] *
                   std::min((frame.axes.col(i) - way).squaredNorm(), (frame.axes.col(i) + way).squaredNorm());
        }
        return sum;
    };
    RC_ASSERT(error(LocalRefinement::procrustes) <= error(LocalRefinement::sequential) + 1e-9);
}

RC_GTEST_PROP(PartsRefine, AChildNearItsParentBecomesParallel, ()) {
    test::Random random(*rc::gen::arbitrary<unsigned>());
    const PartFrame parent{random.rotation().toRotationMatrix(), 0};
    Mat3d permuted;  // the child may call its directions by other names
    permuted << parent.axes.col(1), parent.axes.col(2), parent.axes.col(0);
    const PartFrame child{random.rotation(radians(5)) * permuted, random.integer(0, 2)};
    const PartFrame once = refine_by_parent(child, parent);
    const Mat3d overlap = (parent.axes.transpose() * once.axes).cwiseAbs();
    for (int c = 0; c < 3; ++c) RC_ASSERT(std::abs(overlap.col(c).maxCoeff() - 1) < 1e-9);
    RC_ASSERT((refine_by_parent(once, parent).axes - once.axes).norm() < 1e-9);
}

TEST(PartsRefine, ParentRefinementHasAGate) {
    const PartFrame parent;
    const PartFrame child{Eigen::AngleAxisd(radians(30), Vec3d::UnitZ()).toRotationMatrix(), 0};
    EXPECT_LT((refine_by_parent(child, parent).axes - child.axes).norm(), 1e-12);
    EXPECT_LT((refine_by_parent(child, parent, unlimited_angle).axes - Mat3d::Identity()).norm(), 1e-9);
}

}  // namespace
}  // namespace sinew::rig
