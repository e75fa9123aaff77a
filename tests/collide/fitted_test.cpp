// SPDX-License-Identifier: MIT
// Fitted sequences: proxy joints, affine or rigid, and corrections as displacements within a bound.

#include "reference/collide/brute_force.h"
#include "scenes.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/fit/decomposition/corrections.h"
#include "sinew/fit/proxy/proxy.h"
#include "sinew/sample/sequences.h"

namespace sinew::collide {
namespace {

using deform::Method;

/// A fit with corrections, and its tree.
struct Fitted {
    fit::FitResult result;
    SphereTree tree;

    Fitted() {
        const auto cloth = sample::make_sequence("curtain", {.vertices = 500, .frames = 8});
        fit::ProxyOptions options;
        options.joints = 20;
        options.rigid = false;
        result = fit::fit_proxy(cloth, options);
        result.corrections = fit::eigen_displacements(result, cloth, 3);
        tree = build_tree(result.rest, fit::to_skin(result.weights, result.centers), nullptr);
    }

    std::vector<Mat34f> palette(std::size_t frame) const {
        std::vector<Mat34f> matrices;
        for (const fit::Mat34d& m : result.frames[frame].matrices) {
            Mat4d whole = Mat4d::Identity();
            whole.topRows<3>() = m;
            matrices.push_back(deform::to_mat34(whole));
        }
        return matrices;
    }
};

/// What the corrections add to every vertex of a frame, and the longest of it.
std::pair<std::vector<Vec3f>, double> displacements(const fit::FitResult& result, std::size_t frame) {
    const auto with = fit::deformed(result, frame), without = fit::deformed(result, frame, 0);
    std::vector<Vec3f> vectors;
    double bound = 0;
    for (std::size_t v = 0; v < with.size(); ++v) {
        vectors.push_back((with[v] - without[v]).cast<float>());
        bound = std::max(bound, vectors.back().cast<double>().norm());
    }
    return {vectors, bound};
}

TEST(Fitted, CorrectedSequencesCollideLikeTheirDecodedMeshes) {
    const Fitted fitted;
    const SphereTree& tree = fitted.tree;
    const SphereTree sphere_tree = build_tree(test::torus(), {}, nullptr);
    Body body(tree), prop(sphere_tree);
    QueryScratch scratch;
    std::size_t found = 0, moved_most = 0;
    for (std::size_t frame = 0; frame < fitted.result.frames.size(); ++frame) {
        const auto [vectors, bound] = displacements(fitted.result, frame);
        moved_most += bound > 0;
        body.set_pose(fitted.palette(frame), {vectors, bound * (1 + 1e-6)});
        const auto decoded = fit::deformed(fitted.result, frame);
        const geometry::Box box = geometry::bounds(fitted.result.rest.positions);
        Mat4d location = Mat4d::Identity();
        location.topRightCorner<3, 1>() =
            ((box.low + box.high) / 2).cast<double>() + Vec3d(0.1 * static_cast<double>(frame), 0, 0);
        prop.set_rigid_pose(deform::to_mat34(location));
        for (std::uint32_t n = 0; n < tree.data().nodes.size(); ++n) {
            const Sphere sphere = body.sphere(n, scratch);
            const Node& node = tree.data().nodes[n];
            for (std::uint32_t v = node.first_vertex; v < node.first_vertex + node.vertex_count; ++v) {
                const Vec3d& p = decoded[tree.data().vertex_ids[v]];
                ASSERT_LE((p - sphere.center).norm(), sphere.radius);
                ASSERT_LE((p - body.vertex(v, scratch).cast<double>()).norm(), 1e-5);
            }
        }
        std::vector<Contact> contacts;
        find_contacts(body, prop, contacts, scratch);
        ASSERT_EQ(contacts, brute_force_contacts(body, prop)) << frame;
        found += contacts.size();
    }
    EXPECT_GT(moved_most, 0u);
    EXPECT_GT(found, 0u);
}

}  // namespace
}  // namespace sinew::collide
