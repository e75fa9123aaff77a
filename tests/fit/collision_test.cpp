// SPDX-License-Identifier: MIT
// Fits for dual quaternions collide as they are played: bounds against every vertex, contacts against brute
// force.

#include "fit/sequences.h"
#include "reference/collide/brute_force.h"
#include <gtest/gtest.h>

#include "sinew/collide/body/blend_bounds.h"
#include "sinew/deform/blend.h"
#include "sinew/fit/decomposition/corrections.h"
#include "sinew/fit/proxy/proxy.h"
#include "sinew/sample/sequences.h"

namespace sinew::fit {
namespace {

using collide::Body;
using collide::Sphere;
using collide::SphereTree;
using deform::Mat34f;
using math::DualQuatd;

std::vector<Mat34f> palette(const BonePose& pose) {
    std::vector<Mat34f> matrices;
    for (const DualQuatd& q : pose.duals) {
        math::Mat4d whole = math::Mat4d::Identity();
        whole.topRows<3>() = to_matrix(q);
        matrices.push_back(deform::to_mat34(whole));
    }
    return matrices;
}

/// A fit with unit joints and a few corrections, in a tree of spheres.
struct PlayedFit {
    FitResult result;
    SphereTree tree;

    explicit PlayedFit(const model::MeshSequence& sequence, int joints = 16) {
        ProxyOptions options;
        options.joints = joints;
        options.hats.influences = 4;
        options.refinements = 1;
        result = fit_proxy(sequence, options);
        result.corrections = eigen_displacements(result, sequence, 3);
        tree = collide::build_tree(result.rest, to_skin(result.weights, result.centers), nullptr);
    }
    /// What the corrections add in a frame, and the longest of it.
    std::vector<math::Vec3f> displacements(std::size_t frame, double& bound) const {
        const auto with = deformed(result, frame), without = deformed(result, frame, 0);
        std::vector<math::Vec3f> vectors;
        bound = 0;
        for (std::size_t v = 0; v < with.size(); ++v) {
            vectors.push_back((with[v] - without[v]).cast<float>());
            bound = std::max(bound, vectors.back().cast<double>().norm() * (1 + 1e-6));
        }
        return vectors;
    }
};

/// Every sphere of a pose holds its vertices as the fit itself plays them.
void check_spheres(const PlayedFit& fitted, std::size_t frame, Body& body, collide::QueryScratch& scratch) {
    const SphereTree& tree = fitted.tree;
    const auto decoded = deformed(fitted.result, frame);
    for (std::uint32_t n = 0; n < tree.data().nodes.size(); ++n) {
        const Sphere sphere = body.sphere(n, scratch);
        const auto& node = tree.data().nodes[n];
        for (std::uint32_t v = node.first_vertex; v < node.first_vertex + node.vertex_count; ++v) {
            const Vec3d& p = decoded[tree.data().vertex_ids[v]];
            ASSERT_LE((p - sphere.center).norm(), sphere.radius + 1e-6)
                << "frame " << frame << ", node " << n;
            ASSERT_LE((p - body.vertex(v, scratch).cast<double>()).norm(), 1e-5);
        }
    }
}

TEST(DualCollision, SpheresHoldEveryVertexOfEverySuiteFrame) {
    for (const sample::SequenceSample& sample : sample::sequences()) {
        SCOPED_TRACE(sample.name);
        const PlayedFit fitted(sample.make({.vertices = 220, .frames = 5}));
        Body body(fitted.tree, deform::Method::dqs);
        collide::QueryScratch scratch;
        for (std::size_t frame = 0; frame < fitted.result.frames.size(); ++frame) {
            double bound = 0;
            const auto vectors = fitted.displacements(frame, bound);
            body.set_pose(palette(fitted.result.frames[frame]), {vectors, bound});
            check_spheres(fitted, frame, body, scratch);
        }
    }
}

TEST(DualCollision, ContactsAreThoseOfBruteForce) {
    const PlayedFit fitted(sample::make_sequence("curtain", {.vertices = 500, .frames = 6}), 20);
    const SphereTree prop_tree = collide::build_tree(sinew::test::torus(), {}, nullptr);
    Body body(fitted.tree, deform::Method::dqs), prop(prop_tree);
    collide::QueryScratch scratch;
    std::size_t found = 0;
    for (std::size_t frame = 0; frame < fitted.result.frames.size(); ++frame) {
        double bound = 0;
        const auto vectors = fitted.displacements(frame, bound);
        body.set_pose(palette(fitted.result.frames[frame]), {vectors, bound});
        const auto decoded = deformed(fitted.result, frame);
        math::Mat4d location = math::Mat4d::Identity();
        location.topRightCorner<3, 1>() = decoded[(97 * frame) % decoded.size()];
        prop.set_rigid_pose(deform::to_mat34(location));
        std::vector<collide::Contact> contacts;
        find_contacts(body, prop, contacts, scratch);
        EXPECT_EQ(contacts, brute_force_contacts(body, prop)) << frame;
        found += contacts.size();
    }
    EXPECT_GT(found, 0u);
}

TEST(DualCollision, TheBoundHoldsForAHundredThousandBlends) {
    // |v_def - c| <= max |u_i - c| sqrt(N / (1 + (N - 1) d)), d the least dot product of two joints.
    test::Random random(26);
    int tried = 0;
    for (int trial = 0; trial < 10000; ++trial) {
        const int joints = random.integer(2, 5);
        std::vector<DualQuatd> duals;
        const math::Rigidd whole = random.rigid();
        for (int j = 0; j < joints; ++j)
            duals.push_back(math::to_dual_quaternion(
                whole * math::Rigidd{random.rotation(random.uniform(0, 2)), random.vector()}));
        double smallest = 1;
        for (int i = 1; i < joints; ++i) {
            DualQuatd& q = duals[static_cast<std::size_t>(i)];
            if (q.real.dot(duals[0].real) < 0) q = -q;
        }
        for (std::size_t i = 0; i < duals.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j)
                smallest = std::min(smallest, duals[i].real.dot(duals[j].real));
        }
        if (1 + (joints - 1) * smallest < 0.05) continue;
        const Vec3d point = random.vector(2);
        Vec3d center = Vec3d::Zero();
        std::vector<collide::DualCorner> corners;
        for (const DualQuatd& q : duals) {
            center += move(q, point) / joints;
            math::Quatd e = q.real * math::Quatd(0, point.x(), point.y(), point.z());
            e.coeffs() += 2 * q.dual.coeffs();
            corners.push_back({e, q.real});
        }
        double radius = 0, blend_least = 0;
        for (const DualQuatd& q : duals) radius = std::max(radius, (move(q, point) - center).norm());
        radius *= std::sqrt(joints / (1 + (joints - 1) * smallest));
        const Sphere own = collide::dual_bound(corners, joints == 2, blend_least);
        for (int blend = 0; blend < 12; ++blend, ++tried) {
            const std::vector<double> w = random.weights(joints);
            const Vec3d p = move(math::weighted_sum<double>(w, duals), point);
            ASSERT_LE((p - center).norm(), radius * (1 + 1e-9));
            ASSERT_LE((p - own.center).norm(), own.radius * (1 + 1e-9));
        }
    }
    EXPECT_GE(tried, 100000);
}

}  // namespace
}  // namespace sinew::fit
