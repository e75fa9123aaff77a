// SPDX-License-Identifier: MIT
#include "sinew/published/pinocchio.h"

#include <cmath>

#include "rig/bodies.h"
#include "rig/template_support.h"
#include "support/random.h"
#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::published {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

TEST(SphereGraph, SpheresFillATubeOneAfterTheOther) {
    const geometry::Mesh tube = test::body_of({{{0, 0, 0}, {4, 0, 0}, 0.4}}, 0.06);
    const BodyField field = body_field(tube);
    const SphereGraph graph = sphere_graph(field, 0.02);
    ASSERT_GE(graph.size(), 7u);
    EXPECT_EQ(graph.left_out, 0);
    double low = 1e9, high = -1e9;
    for (std::size_t s = 0; s < graph.size(); ++s) {
        EXPECT_LT(graph.center[s].tail<2>().norm(), 0.15) << "on the axis";
        EXPECT_FALSE(graph.around[s].empty());
        low = std::min(low, graph.center[s].x());
        high = std::max(high, graph.center[s].x());
        for (std::size_t before = 0; before < s; ++before) {
            EXPECT_GE(graph.radius[before], graph.radius[s]);
            EXPECT_GT((graph.center[before] - graph.center[s]).norm(), graph.radius[before]);
        }
    }
    // The last centre may lie anywhere in the sphere that the end would have.
    EXPECT_NEAR(low, 0, 0.4);
    EXPECT_NEAR(high, 4, 0.4);
}

TEST(SphereGraph, WaysLeadAroundWhatIsOutside) {
    const geometry::Mesh horseshoe = test::body_of(
        {{{0, 0, 0}, {0, 3, 0}, 0.25}, {{0, 0, 0}, {1, 0, 0}, 0.25}, {{1, 0, 0}, {1, 3, 0}, 0.25}}, 0.06);
    const SphereGraph graph = sphere_graph(body_field(horseshoe), 0.02);
    const auto nearest = [&](const Vec3d& place) {
        int best = 0;
        for (std::size_t s = 1; s < graph.size(); ++s) {
            if ((graph.center[s] - place).norm() < (graph.center[at(best)] - place).norm())
                best = static_cast<int>(s);
        }
        return best;
    };
    const int from = nearest({0, 3, 0}), to = nearest({1, 3, 0});
    const SpherePaths paths = paths_from(graph, from);
    EXPECT_NEAR(paths.length[at(to)], 7, 0.8);
    const std::vector<int> way = paths.path_to(to);
    EXPECT_EQ(way.front(), from);
    EXPECT_EQ(way.back(), to);
    double sum = 0;
    for (std::size_t i = 1; i < way.size(); ++i)
        sum += (graph.center[at(way[i])] - graph.center[at(way[i - 1])]).norm();
    EXPECT_NEAR(sum, paths.length[at(to)], 1e-9);
}

TEST(ReducedTemplate, ABipedHasTwoJunctionsAndFiveEnds) {
    const TemplatePlan plan = plan_template(rig::skeleton_template("biped"));
    const ReducedTemplate pattern = reduced(plan);
    ASSERT_EQ(pattern.joints.size(), 7u);
    int ends = 0, feet = 0, twins = 0;
    std::vector<int> covered(plan.points.size(), 0);
    for (const ReducedTemplate::Joint& joint : pattern.joints) {
        ends += joint.is_end;
        feet += joint.is_foot;
        twins += joint.twin >= 0;
        EXPECT_EQ(joint.chain.back(), joint.point);
        EXPECT_NEAR(joint.length, plan.length(joint.chain), 1e-12);
        for (std::size_t i = joint.parent < 0 ? 0 : 1; i < joint.chain.size(); ++i)
            ++covered[at(joint.chain[i])];
    }
    EXPECT_EQ(ends, 5);
    EXPECT_EQ(feet, 2);
    EXPECT_EQ(twins, 2) << "one of two arms, one of two legs";
    EXPECT_EQ(covered, std::vector<int>(plan.points.size(), 1)) << "every point lies in one chain";
}

/// Spheres at random places, each linked with the next and with some others.
SphereGraph random_graph(test::Random& random, std::size_t count) {
    SphereGraph graph;
    graph.around.resize(count);
    for (std::size_t s = 0; s < count; ++s) {
        graph.center.push_back(random.vector(1));
        graph.radius.push_back(0.3 / static_cast<double>(s + 1));
    }
    const auto link = [&](std::size_t a, std::size_t b) {
        const double length = (graph.center[a] - graph.center[b]).norm();
        graph.around[a].push_back({static_cast<int>(b), length});
        graph.around[b].push_back({static_cast<int>(a), length});
    };
    for (std::size_t s = 1; s < count; ++s) link(s - 1, s);
    for (std::size_t s = 3; s < count; s += 2) link(s - 3, s);
    return graph;
}

/// A trunk with a head and two arms.
model::Skeleton small_template() {
    model::Skeleton skeleton;
    const auto add = [&](const char* name, int parent, const Vec3d& offset) {
        model::Joint joint;
        joint.name = name;
        joint.parent = parent;
        joint.rest.translation = offset;
        skeleton.joints.push_back(joint);
    };
    add("Root", -1, {0, 0, 0});
    add("Chest", 0, {0, 0.5, 0});
    add("LeftHand", 1, {0.7, 0.1, 0});
    add("RightHand", 1, {-0.7, 0.1, 0});
    for (std::size_t j : {0u, 2u, 3u}) skeleton.joints[j].tip = Vec3d(0, 0.01, 0);
    return skeleton;
}

/// All penalties of a whole embedding.
double total_cost(const SphereGraph& graph, const ReducedTemplate& pattern,
                  const EmbeddingPenalties& penalties, const std::vector<int>& sphere) {
    double sum = penalties.alone(0, sphere[0]);
    std::vector<char> used(graph.size(), 0);
    std::vector<double> length(sphere.size(), 0);
    for (std::size_t j = 1; j < sphere.size(); ++j) {
        const ReducedTemplate::Joint& joint = pattern.joints[j];
        const int from = sphere[at(joint.parent)];
        const SpherePaths paths = paths_from(graph, from);
        length[j] = paths.length[at(sphere[j])];
        sum += penalties.alone(j, sphere[j]) + penalties.chain(j, from, sphere[j], length[j]);
        for (std::size_t i = 0; i < j; ++i) {
            if (static_cast<int>(i) != joint.parent) sum += penalties.pair(i, sphere[i], j, sphere[j]);
        }
        if (joint.twin > 0)
            sum +=
                penalties.twins(length[j], {from, sphere[j]}, length[at(joint.twin)],
                                {sphere[at(pattern.joints[at(joint.twin)].parent)], sphere[at(joint.twin)]});
        const std::vector<int> way = paths.path_to(sphere[j]);
        std::size_t shared = 0;
        for (std::size_t i = 1; i < way.size(); ++i) shared += used[at(way[i])] != 0 ? 1 : 0;
        sum += penalties.shared(shared, way.size() - 1);
        for (std::size_t i = 1; i < way.size(); ++i) used[at(way[i])] = 1;
    }
    return sum;
}

TEST(Embedding, BestFirstSearchFindsWhatTryingAllFinds) {
    const TemplatePlan plan = plan_template(small_template());
    const ReducedTemplate pattern = reduced(plan);
    ASSERT_GE(pattern.joints.size(), 4u);
    test::Random random(5);
    for (int trial = 0; trial < 20; ++trial) {
        const SphereGraph graph = random_graph(random, 7);
        EmbeddingOptions options;
        options.max_cost = 1e9;
        const Embedding found = embed(graph, plan, pattern, 1, options);
        const EmbeddingPenalties penalties(graph, plan, pattern, 1, options.weights);
        EXPECT_NEAR(found.cost, total_cost(graph, pattern, penalties, found.sphere), 1e-9);
        double min = 1e300;
        std::vector<int> sphere(pattern.joints.size(), 0);
        const auto all = static_cast<int>(std::pow(7, sphere.size()));
        for (int code = 0; code < all; ++code) {
            for (int rest = code, j = 0; j < static_cast<int>(sphere.size()); ++j, rest /= 7)
                sphere[at(j)] = rest % 7;
            min = std::min(min, total_cost(graph, pattern, penalties, sphere));
        }
        EXPECT_NEAR(found.cost, min, 1e-9) << "trial " << trial;
    }
}

TEST(Embedding, TwinsOfEqualLengthCostNothing) {
    test::Random random(6);
    const SphereGraph graph = random_graph(random, 4);
    const TemplatePlan plan = plan_template(small_template());
    const ReducedTemplate pattern = reduced(plan);
    EmbeddingWeights weights;
    weights.asymmetry = 1;
    const EmbeddingPenalties penalties(graph, plan, pattern, 1, weights);
    EXPECT_EQ(penalties.twins(2, {0, 1}, 2, {0, 2}), 0);
    // q = 0.2 * 3 + 0.8 * 3 / (1 + 0.7 (r0 + r2)), with radii 0.3 and 0.1.
    const double q = 0.6 + 0.8 * 3 / 1.28;
    EXPECT_NEAR(penalties.twins(3, {0, 1}, 1, {0, 2}), q * q * q - 1.2, 1e-12);
}

TEST(Pinocchio, ABipedFindsTheLimbsOfTheMan) {
    const model::Character& man = test::sample("man");
    const TemplateFit fit = pinocchio_fit(man.mesh, rig::skeleton_template("biped"));
    model::validate(fit.skeleton, "test");
    EXPECT_LT(test::body_error(man.skeleton, fit, test::diagonal(man.mesh)), 4);
    EXPECT_GT(fit.confidence, 0.9);
    const auto places = model::joint_positions(model::rest_world_matrices(fit.skeleton));
    EXPECT_GT(places[at(fit.skeleton.find("LeftHand"))].x(), 0.5);
    EXPECT_LT(places[at(fit.skeleton.find("RightHand"))].x(), -0.5);
    const BodyField field = body_field(man.mesh);
    for (std::size_t j = 0; j < places.size(); ++j)
        EXPECT_GT(field.depth_at(places[j]), 0) << fit.skeleton.joints[j].name;
}

TEST(Pinocchio, AHandFindsItsFingers) {
    const model::Character& hand = test::sample("hand", test::few_faces);
    const TemplateFit fit = pinocchio_fit(hand.mesh, hand.skeleton);
    const auto want = model::joint_positions(model::rest_world_matrices(hand.skeleton));
    const auto have = model::joint_positions(model::rest_world_matrices(fit.skeleton));
    for (const char* name : {"ThumbDistal", "IndexDistal", "MiddleDistal", "RingDistal", "LittleDistal"}) {
        const auto joint = at(hand.skeleton.find(name));
        EXPECT_LT((want[joint] - have[joint]).norm(), 0.06 * test::diagonal(hand.mesh)) << name;
    }
}

TEST(Pinocchio, SaysWhyWhereItFails) {
    // As published: a body on its head, or of another kind, is not embedded.
    const model::Character& man = test::sample("man");
    geometry::Mesh turned = man.mesh;
    for (auto& p : turned.positions) p = {p.x(), -p.y(), -p.z()};
    for (const auto& [mesh, name] : {std::pair(turned, "biped"), std::pair(man.mesh, "quadruped")}) {
        try {
            pinocchio_fit(mesh, rig::skeleton_template(name));
            ADD_FAILURE() << name;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("embedding"), std::string::npos) << error.what();
        }
    }
}

TEST(Pinocchio, IsAMethodThatNeedsATemplate) {
    const model::Skeleton biped = rig::skeleton_template("biped");
    published::SkeletonizeOptions options;
    options.method = published::SkeletonMethod::pinocchio;
    EXPECT_THROW(published::skeletonize(test::sample("man").mesh, options), Error);
    options.rig.template_skeleton = biped;
    const SkeletonizeResult result = published::skeletonize(test::sample("man").mesh, options);
    EXPECT_EQ(result.method_name, "pinocchio");
    EXPECT_EQ(result.skeleton.joints.back().name, biped.joints.back().name);
    EXPECT_EQ(result.quality.topology.ends, 5);
    EXPECT_EQ(result.quality.inside_fraction, 1);
}

}  // namespace
}  // namespace sinew::published
