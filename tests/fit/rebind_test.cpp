// SPDX-License-Identifier: MIT
#include "fit/sequences.h"
#include <gtest/gtest.h>

#include "sinew/fit/decomposition/corrections.h"
#include "sinew/fit/fit.h"
#include "sinew/fit/proxy/proxy.h"

namespace sinew::fit {
namespace rebind_test {

using model::MeshSequence;

MeshSequence rolling(std::size_t frames = 6) {
    return test::played(test::sheet(12, 0.2), frames, test::rolled);
}

FitResult some_fit(const MeshSequence& sequence, int refinements, bool rigid = true) {
    ProxyOptions options;
    options.joints = 9;
    options.rigid = rigid;
    options.refinements = refinements;
    FitResult fit = fit_proxy(sequence, options);
    fit.corrections = eigen_displacements(fit, sequence, 2);
    return fit;
}

/// Every triangle cut into four; the old vertices come first.
geometry::Mesh subdivided(const geometry::Mesh& mesh) {
    geometry::Mesh fine;
    fine.positions = mesh.positions;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
        const auto [location, added] = middles.try_emplace(std::minmax(a, b), fine.positions.size());
        if (added) fine.positions.push_back((mesh.positions[a] + mesh.positions[b]) / 2);
        return location->second;
    };
    for (const auto& t : mesh.triangles) {
        const std::uint32_t ab = middle(t[0], t[1]), bc = middle(t[1], t[2]), ca = middle(t[2], t[0]);
        fine.triangles.insert(fine.triangles.end(),
                              {{t[0], ab, ca}, {ab, t[1], bc}, {ca, bc, t[2]}, {ab, bc, ca}});
    }
    return fine;
}

TEST(Rebind, TheSameMeshKeepsItsWeightsBitForBit) {
    const MeshSequence sequence = rolling();
    for (const int refinements : {0, 1}) {
        const FitResult fit = some_fit(sequence, refinements);
        EXPECT_EQ(fit.hat_reach > 0, refinements == 0);
        const FitResult again = rebound(fit, sequence.rest);
        EXPECT_EQ(again.weights, fit.weights);
        EXPECT_EQ(again.corrections.shapes, fit.corrections.shapes);
    }
}

TEST(Rebind, ARefinedMeshKeepsItsOldVerticesAndGetsConvexWeights) {
    const MeshSequence sequence = rolling();
    for (const int refinements : {0, 1}) {
        const FitResult fit = some_fit(sequence, refinements);
        const FitResult fine = rebound(fit, subdivided(sequence.rest));
        const std::vector<Vec3d> old = deformed(fit, 3), now = deformed(fine, 3);
        ASSERT_GT(now.size(), 3 * old.size());
        for (std::size_t v = 0; v < old.size(); ++v) EXPECT_EQ(now[v], old[v]);
        for (std::size_t v = 0; v < now.size(); ++v) {
            double sum = 0;
            for (const BoneWeight& w : fine.weights.of(v)) sum += w.weight;
            EXPECT_NEAR(sum, 1, 1e-9);
            if (v >= old.size()) {
                EXPECT_LT(std::abs(now[v].x()), 2);
            }
        }
    }
}

TEST(Levels, FewerInfluencesAreMadeUpForByTheTransformations) {
    const MeshSequence sequence = rolling();
    for (const bool rigid : {true, false}) {
        const FitResult fit = some_fit(sequence, 0, rigid);
        DetailLevel level;
        level.influences = 2;
        level.corrections = 1;
        const FitResult cut = at_level(fit, level);
        const FitResult fitted = at_level(fit, level, &sequence);
        EXPECT_EQ(cut.weights.limit(), 2u);
        EXPECT_EQ(cut.corrections.count(), 1u);
        // A limit before the fit is never worse than one behind it.
        EXPECT_LE(fit_error(sequence, fitted, 0).rms, fit_error(sequence, cut, 0).rms);
        EXPECT_LE(fit_error(sequence, fitted).rms, fit_error(sequence, fitted, 0).rms);
    }
}

}  // namespace rebind_test
}  // namespace sinew::fit
