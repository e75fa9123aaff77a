// SPDX-License-Identifier: MIT
// What real files bring: nothing that moves, nothing that has an extent, twins, points without triangles, one
// frame, places far away. Every method gives finite numbers or says what is wrong.

#include "fit/sequences.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/fit/decomposition/clusters.h"
#include "sinew/fit/decomposition/corrections.h"
#include "sinew/fit/decomposition/decomposition.h"
#include "sinew/fit/fit.h"
#include "sinew/fit/proxy/proxy.h"

namespace sinew::fit {
namespace {

using model::MeshSequence;

struct NamedFit {
    std::string name;
    FitResult fit;
};

/// Every method on one sequence.
std::vector<NamedFit> every_fit(const MeshSequence& sequence, int bones) {
    std::vector<NamedFit> fits;
    const std::pair<const char*, DualMethod> duals[] = {{"published", DualMethod::published},
                                                        {"reference", DualMethod::reference},
                                                        {"newton", DualMethod::newton}};
    for (const auto& [name, method] : duals) {
        ProxyOptions options;
        options.joints = bones;
        options.dual.method = method;
        fits.push_back({name, fit_proxy(sequence, options)});
    }
    ProxyOptions affine;
    affine.joints = bones;
    affine.rigid = false;
    fits.push_back({"affine", fit_proxy(sequence, affine)});
    for (const bool rigid : {true, false}) {
        DecompositionOptions options;
        options.bones = bones;
        options.rigid = rigid;
        options.sweeps = 4;
        fits.push_back({rigid ? "SSDR" : "affine SSDR", fit_decomposition(sequence, options)});
    }
    ClusterOptions clusters;
    clusters.bones = bones;
    if (sequence.rest.triangles.empty()) {
        EXPECT_THROW(fit_clusters(sequence, clusters), Error);
        return fits;
    }
    fits.push_back({"clusters", fit_clusters(sequence, clusters)});
    return fits;
}

void expect_finite(const MeshSequence& sequence, const FitResult& fit) {
    EXPECT_GT(fit.bone_count(), 0u);
    for (std::size_t f = 0; f < sequence.frames.size(); ++f) {
        for (const Vec3d& p : deformed(fit, f)) ASSERT_TRUE(p.allFinite()) << "frame " << f;
    }
    FitResult corrected = fit;
    corrected.corrections = eigen_displacements(fit, sequence, 2);
    EXPECT_TRUE(corrected.corrections.shapes.allFinite());
    EXPECT_TRUE(corrected.corrections.amounts.allFinite());
    EXPECT_LE(fit_error(sequence, corrected).rms, fit_error(sequence, fit).rms * (1 + 1e-9) + 1e-12);
}

TEST(HardInput, AStillSequenceGivesTheIdentity) {
    // T3
    const MeshSequence still = test::played(test::sheet(8, 0.2), 3, [](const Vec3d& p, double) { return p; });
    const double size = test::diagonal(still.rest);
    for (const NamedFit& f : every_fit(still, 5)) {
        SCOPED_TRACE(f.name);
        for (const auto& frame : still.frames) {
            const std::vector<Vec3d> played = deformed(f.fit, 0);
            for (std::size_t v = 0; v < frame.size(); ++v)
                ASSERT_LT((played[v] - frame[v].cast<double>()).norm(), 1e-10 * size);
        }
        for (std::size_t v = 0; v < still.rest.positions.size(); ++v) {
            const Mat34d blend = blended_matrix(f.fit.weights.of(v), f.fit.frames[1]);
            ASSERT_LT((blend.leftCols<3>() - math::Mat3d::Identity()).norm(), 1e-6);
        }
        EXPECT_TRUE(fit_error(still, f.fit).still);
    }
    const Fitted chosen = fit(still, {.bones = 3});
    EXPECT_TRUE(chosen.error.still);
    EXPECT_LT(chosen.error.rms, 1e-10 * size);
}

TEST(HardInput, EveryMethodOnEveryOddMesh) {
    // Twins, loose points, triangles without area, one frame, a line, far from the origin.
    const auto sequence = [](const geometry::Mesh& mesh, std::size_t frames) {
        return test::played(mesh, frames, test::rolled);
    };
    geometry::Mesh twins = test::sheet(6, 0.2);
    geometry::append(twins, test::sheet(6, 0.2));
    geometry::Mesh loose = test::sheet(6, 0.2);
    for (int i = 0; i < 5; ++i) loose.positions.push_back({2, 0.3f * static_cast<float>(i), 1});
    geometry::Mesh empty_triangles = test::sheet(6, 0.2);
    for (std::uint32_t v = 0; v < 5; ++v) empty_triangles.triangles.push_back({v, v, v + 1});
    geometry::Mesh line = test::sheet(6);
    for (auto& p : line.positions) p = math::Vec3f(p.x() + 0.1f * p.y(), 0, 0);
    geometry::Mesh points = test::sheet(5, 0.2);
    points.triangles.clear();
    const std::pair<const char*, MeshSequence> cases[] = {
        {"twins", sequence(twins, 3)},
        {"loose points", sequence(loose, 3)},
        {"triangles without area", sequence(empty_triangles, 3)},
        {"one frame", sequence(test::sheet(6, 0.2), 1)},
        {"flat", sequence(test::sheet(6), 3)},
        {"on a line", sequence(line, 3)},
        {"no triangles", sequence(points, 3)}};
    for (const auto& [name, motion] : cases) {
        for (const NamedFit& f : every_fit(motion, 4)) {
            SCOPED_TRACE(fmt::format("{} by {}", name, f.name));
            expect_finite(motion, f.fit);
        }
    }
}

TEST(HardInput, FarFromTheOriginTheNumbersStayFinite) {
    MeshSequence far = test::played(test::sheet(6, 0.2), 3, test::rolled);
    const math::Vec3f offset = 1e6f * static_cast<float>(test::diagonal(far.rest)) * math::Vec3f(1, -1, 0);
    for (auto& frame : far.frames) {
        for (auto& p : frame) p += offset;
    }
    for (const NamedFit& f : every_fit(far, 4)) {
        SCOPED_TRACE(f.name);
        expect_finite(far, f.fit);
        EXPECT_LT(fit_error(far, f.fit).max, 2);
    }
}

TEST(HardInput, AsManyJointsAsVerticesAndMore) {
    const MeshSequence sequence = test::played(test::sheet(4, 0.2), 3, test::rolled);
    for (const int bones : {16, 40}) {
        for (const bool rigid : {true, false}) {
            ProxyOptions options;
            options.joints = bones;
            options.rigid = rigid;
            Collector monitor;
            const FitResult fit = fit_proxy(sequence, options, monitor);
            EXPECT_EQ(fit.bone_count(), 16u);
            EXPECT_EQ(monitor.has("fit-fewer-bones"), bones > 16);
            EXPECT_LT(fit_error(sequence, fit).max, 1e-6);
        }
    }
}

TEST(HardInput, FortyOneShellsHaveJointsOfTheirOwn) {
    MeshSequence shells = test::played(test::bar(4), 3, test::hinged);
    for (int s = 1; s < 41; ++s) {
        geometry::Mesh shell = test::bar(4);
        for (auto& p : shell.positions) p += math::Vec3f(0, 0, static_cast<float>(s));
        geometry::append(shells.rest, shell);
        for (std::size_t f = 0; f < 3; ++f) {
            for (const auto& p : shell.positions)
                shells.frames[f].push_back(p + math::Vec3f(0, 0.1f * static_cast<float>(s * f), 0));
        }
    }
    ProxyOptions options;
    options.joints = 41;
    options.placement.metric = JointMetric::surface;
    const FitResult fit = fit_proxy(shells, options);
    ASSERT_EQ(fit.bone_count(), 41u);
    for (std::size_t v = 0; v < fit.rest.positions.size(); ++v) {
        for (const BoneWeight& w : fit.weights.of(v))
            EXPECT_NEAR(fit.centers[w.bone].z(), static_cast<double>(fit.rest.positions[v].z()), 0.3);
    }
    for (const NamedFit& f : every_fit(shells, 8)) {
        SCOPED_TRACE(f.name);
        expect_finite(shells, f.fit);
    }
}

TEST(HardInput, ABrokenFrameIsNamedByEveryMethod) {
    MeshSequence sequence = test::played(test::sheet(5), 4, test::rolled);
    sequence.frames[2][3].y() = std::numeric_limits<float>::infinity();
    const std::function<void()> fits[] = {
        [&] { fit_proxy(sequence, {}); }, [&] { fit_decomposition(sequence, {.bones = 2}); },
        [&] { fit_clusters(sequence, {}); }, [&] { fit(sequence, {.bones = 2}); }};
    for (const auto& run : fits) {
        try {
            run();
            FAIL() << "infinity was accepted";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("frame 2"), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace sinew::fit
