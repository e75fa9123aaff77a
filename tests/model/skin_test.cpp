// SPDX-License-Identifier: MIT
#include "sinew/model/skin.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::model {
namespace {

constexpr float nan_weight = std::numeric_limits<float>::quiet_NaN();

Skin skin_of(std::size_t joints, const std::vector<std::vector<Influence>>& lists) {
    Skin skin;
    for (std::size_t j = 0; j < joints; ++j) skin.joints.push_back({static_cast<int>(j), Mat4d::Identity()});
    for (const auto& list : lists) skin.push_vertex(list);
    return skin;
}

std::vector<std::pair<std::uint32_t, float>> list_of(const Skin& skin, std::size_t vertex) {
    std::vector<std::pair<std::uint32_t, float>> result;
    for (const Influence& i : skin.of(vertex)) result.emplace_back(i.joint, i.weight);
    return result;
}

using Pairs = std::vector<std::pair<std::uint32_t, float>>;

// Skinning spec 2.2.
TEST(Skin, CleanDropsMergesAndNormalises) {
    Skin skin = skin_of(5, {{{3, 0.5f}, {1, 0.25f}, {3, 0.25f}},              // unsorted, doubled
                            {{0, -1.0f}, {2, nan_weight}, {4, 2.0f}},         // negative, not a number, sum 2
                            {{0, 0.0f}, {1, 1.0f}},                           // padding
                            {},                                               // empty
                            {{2, std::numeric_limits<float>::infinity()}}});  // not finite: empty
    const SkinCleanReport report = clean(skin, {}, [](std::size_t v) { return v == 3 ? 2u : 4u; });
    EXPECT_EQ(list_of(skin, 0), (Pairs{{1, 0.25f}, {3, 0.75f}}));
    EXPECT_EQ(list_of(skin, 1), (Pairs{{4, 1.0f}}));
    EXPECT_EQ(list_of(skin, 2), (Pairs{{1, 1.0f}}));
    EXPECT_EQ(list_of(skin, 3), (Pairs{{2, 1.0f}}));
    EXPECT_EQ(list_of(skin, 4), (Pairs{{4, 1.0f}}));
    EXPECT_EQ(report.dropped, 3u);
    EXPECT_EQ(report.merged, 1u);
    EXPECT_EQ(report.renormalized, 1u);
    EXPECT_EQ(report.empty, 2u);
    EXPECT_EQ(report.pruned, 0u);
    EXPECT_NO_THROW(validate(skin, 5, 5, "s"));
}

TEST(Skin, CleanPrunesTheLightestAndSaysSo) {
    Skin skin =
        skin_of(6, {{{0, 0.1f}, {1, 0.3f}, {2, 0.05f}, {3, 0.3f}, {4, 0.25f}}, {{5, 0.9995f}, {0, 0.0005f}}});
    const SkinCleanReport report = clean(skin, {3, 1e-3f});
    ASSERT_EQ(skin.of(0).size(), 3u);
    EXPECT_EQ(skin.of(0)[0].joint, 1u);
    EXPECT_EQ(skin.of(0)[2].joint, 4u);
    EXPECT_NEAR(skin.of(0)[0].weight, 0.3 / 0.85, 1e-6);
    EXPECT_EQ(list_of(skin, 1), (Pairs{{5, 1.0f}}));
    EXPECT_EQ(report.pruned, 3u);
    EXPECT_EQ(report.renormalized, 0u);  // the file's weights did sum to 1
}

TEST(Skin, PruningNeverLeavesAVertexBare) {
    Skin skin = skin_of(2, {{{0, 0.4f}, {1, 0.6f}}});
    clean(skin, {0, 0.9f});
    EXPECT_EQ(list_of(skin, 0), (Pairs{{1, 1.0f}}));
}

TEST(Skin, CleanSurvivesExtremeWeights) {
    Skin skin = skin_of(3, {{{0, 3e38f}, {1, 1e-45f}}, {{0, 1e-45f}, {1, 1e-45f}}, {{2, 3e38f}, {0, 3e38f}}});
    clean(skin);
    EXPECT_NO_THROW(validate(skin, 3, 3, "s"));
}

TEST(Skin, WarningsNameWhatChanged) {
    Collector monitor;
    warn_about({1, 2, 0, 3, 4}, "a.glb", monitor);
    EXPECT_TRUE(monitor.has("weights-dropped") && monitor.has("weights-merged"));
    EXPECT_TRUE(monitor.has("weights-not-normalized") && monitor.has("weights-missing"));
    Collector quiet;
    warn_about({}, "a.glb", quiet);
    EXPECT_TRUE(quiet.warnings().empty());
}

TEST(Skin, ValidateRefusesEveryBrokenInvariant) {
    std::set<std::string> reasons;
    const auto refuses = [&](auto&& damage) {
        Skin skin = skin_of(3, {{{0, 0.5f}, {2, 0.5f}}, {{1, 1.0f}}});
        validate(skin, 2, 3, "ok");
        damage(skin);
        try {
            validate(skin, 2, 3, "s.glb");
        } catch (const Error& error) {
            reasons.insert(error.what());
            return error.location() == "s.glb";
        }
        return false;
    };
    const auto because = [&](std::string_view words) {
        return std::ranges::any_of(
            reasons, [&](const std::string& reason) { return reason.find(words) != std::string::npos; });
    };
    EXPECT_TRUE(refuses([](Skin& s) { s.push_vertex({}); }));
    EXPECT_TRUE(refuses([](Skin& s) { s.joints[1].joint = 3; }));
    EXPECT_TRUE(refuses([](Skin& s) { s.joints[1].joint = -1; }));
    EXPECT_TRUE(
        refuses([](Skin& s) { s.joints[1].inverse_bind(0, 3) = std::numeric_limits<double>::infinity(); }));
    EXPECT_TRUE(refuses([](Skin& s) { s.influences[2].joint = 3; }));
    EXPECT_TRUE(refuses([](Skin& s) { s.influences[1].joint = 0; }));
    EXPECT_TRUE(refuses([](Skin& s) { std::swap(s.influences[0], s.influences[1]); }));
    EXPECT_TRUE(refuses([](Skin& s) { s.influences[0].weight = 0; }));
    EXPECT_TRUE(refuses([](Skin& s) { s.influences[0].weight = nan_weight; }));
    EXPECT_TRUE(refuses([](Skin& s) { s.influences[0].weight = 0.6f; }));
    EXPECT_TRUE(refuses([](Skin& s) { s.influences[0].weight = -0.5f; }));
    EXPECT_TRUE(refuses([](Skin& s) { s.offsets = {0, 3, 2}; }));
    EXPECT_TRUE(refuses([](Skin& s) { s.offsets = {0, 2, 9}; }));
    EXPECT_TRUE(refuses([](Skin& s) { s.offsets = {1, 2, 3}; }));
    EXPECT_TRUE(refuses([](Skin& s) { s.offsets.clear(); }));
    EXPECT_TRUE(refuses([](Skin& s) { s.offsets = {0, 0, 3}; }));  // a vertex without weights
    for (const char* words :
         {"the skin's lists do not follow each other", "the skin has 3 vertices, the mesh 2",
          "the skin names joint 3 of 3", "the skin names joint -1 of 3",
          "joint 1 has a bind matrix that is not finite", "vertex 1 names skin joint 3 of 3",
          "vertex 0: influences are not sorted", "vertex 0 has a weight of 0", "vertex 0 has a weight of nan",
          "vertex 0 has a weight of -0.5", "the weights of vertex 0 sum to 1.1"})
        EXPECT_TRUE(because(words)) << words;
}

TEST(Skin, WeightsByJointIsTheSameTable) {
    const Skin skin = skin_of(3, {{{0, 0.5f}, {2, 0.5f}}, {{2, 1.0f}}});
    const auto rows = weights_by_joint(skin);
    ASSERT_EQ(rows.size(), 3u);
    ASSERT_EQ(rows[2].size(), 2u);
    EXPECT_EQ(rows[2][0].vertex, 0u);
    EXPECT_EQ(rows[2][1].vertex, 1u);
    EXPECT_EQ(rows[2][1].weight, 1.0f);
    EXPECT_TRUE(rows[1].empty());
}

Skeleton random_tree(test::Random& random, int count) {
    Skeleton skeleton;
    for (int j = 0; j < count; ++j) {
        skeleton.joints.push_back({"j" + std::to_string(j),
                                   random.integer(-1, j - 1),
                                   {random.vector(), random.rotation(), Vec3d::Ones()},
                                   {}});
    }
    return skeleton;
}

TEST(Skin, PaletteIsTheIdentityAtRest) {
    test::Random random;
    const Skeleton skeleton = random_tree(random, 40);
    Skin skin;
    skin.joints = bind_at_rest(skeleton);
    for (const Mat4d& m : palette(skin, rest_world_matrices(skeleton))) {
        EXPECT_LT((m - Mat4d::Identity()).norm(), 1e-12);
    }
}

TEST(Skin, PaletteTakesPointsFromTheRestPoseWithTheirJoint) {
    test::Random random;
    const Skeleton skeleton = random_tree(random, 40);
    Skin skin;
    skin.joints = bind_at_rest(skeleton);
    const std::vector<Mat4d> rest = rest_world_matrices(skeleton);
    std::vector<math::Transform> local;
    for (int j = 0; j < 40; ++j) local.push_back({random.vector(), random.rotation(), Vec3d::Ones()});
    const std::vector<Mat4d> posed = palette(skin, world_matrices(skeleton, local));
    for (std::size_t j = 0; j < 40; ++j) {
        // A point that is fixed to the joint, and its way up the hierarchy by hand.
        const Vec3d fixed = random.vector();
        Vec3d expected = fixed;
        for (int at = static_cast<int>(j); at >= 0;
             at = skeleton.joints[static_cast<std::size_t>(at)].parent) {
            const math::Transform& step = local[static_cast<std::size_t>(at)];
            expected = step.rotation * expected + step.translation;
        }
        const Vec3d at_rest = math::transform_point(rest[j], fixed);
        EXPECT_LT((math::transform_point(posed[j], at_rest) - expected).norm(), 1e-9);
    }
}

Skin random_skin(test::Random& random, int vertices, int joints) {
    Skin skin;
    for (int j = 0; j < joints; ++j) skin.joints.push_back({j, Mat4d::Identity()});
    for (int v = 0; v < vertices; ++v) {
        const int count = random.integer(1, 4), start = random.integer(0, joints - 1);
        const std::vector<double> weights = random.weights(count);
        std::vector<Influence> list;
        for (int i = 0; i < count; ++i) {
            list.push_back({static_cast<std::uint32_t>((start + i * random.integer(1, 2)) % joints),
                            static_cast<float>(weights[static_cast<std::size_t>(i)])});
        }
        skin.push_vertex(list);
    }
    clean(skin);
    return skin;
}

/// True when `ancestor` stands above `joint`.
bool is_above(const Skeleton& skeleton, int ancestor, int joint) {
    for (int j = skeleton.joints[static_cast<std::size_t>(joint)].parent; j >= 0;
         j = skeleton.joints[static_cast<std::size_t>(j)].parent) {
        if (j == ancestor) return true;
    }
    return false;
}

void expect_grouping(const Skin& skin, const InfluenceSets& sets) {
    std::set<std::uint32_t> seen;
    std::set<std::vector<std::uint32_t>> distinct;
    for (std::uint32_t s = 0; s < sets.sets.size(); ++s) {
        const InfluenceSet& set = sets.sets[s];
        const auto joints = sets.joints_of(set);
        EXPECT_TRUE(distinct.insert({joints.begin(), joints.end()}).second);
        EXPECT_TRUE(std::is_sorted(joints.begin(), joints.end()));
        EXPECT_TRUE(std::ranges::is_sorted(sets.vertices_of(set)));
        for (std::size_t k = 0; k < set.vertex_count; ++k) {
            const std::uint32_t v = sets.vertices_of(set)[k];
            EXPECT_TRUE(seen.insert(v).second);
            EXPECT_EQ(sets.set_of[v], s);
            ASSERT_EQ(skin.of(v).size(), joints.size());
            for (std::size_t i = 0; i < joints.size(); ++i) {
                EXPECT_EQ(skin.of(v)[i].joint, joints[i]);
                EXPECT_EQ(skin.of(v)[i].weight, sets.weights_of(set, i)[k]);
            }
        }
    }
    EXPECT_EQ(seen.size(), skin.vertex_count());
    EXPECT_EQ(sets.weights.size(), skin.influences.size());
}

std::size_t heaviest_place(const InfluenceSets& sets, const InfluenceSet& set) {
    std::vector<double> sums;
    for (std::size_t i = 0; i < set.joint_count; ++i) {
        const auto weights = sets.weights_of(set, i);
        sums.push_back(std::accumulate(weights.begin(), weights.end(), 0.0));
    }
    return static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
}

TEST(InfluenceSets, EveryVertexStandsOnceInTheSetOfItsJoints) {
    test::Random random;
    for (int n = 0; n < 20; ++n) {
        const Skeleton skeleton = random_tree(random, 12);
        const Skin skin = random_skin(random, 500, 12);
        const InfluenceSets sets = group_by_influences(skin, &skeleton);
        expect_grouping(skin, sets);
        for (std::size_t s = 1; s < sets.sets.size(); ++s) {
            const auto a = sets.joints_of(sets.sets[s - 1]), b = sets.joints_of(sets.sets[s]);
            EXPECT_TRUE(a.size() < b.size() ||
                        (a.size() == b.size() && std::ranges::lexicographical_compare(a, b)));
        }
        for (const InfluenceSet& set : sets.sets) EXPECT_EQ(set.pivot, heaviest_place(sets, set));
    }
}

TEST(InfluenceSets, SignsFollowTheNearestAncestorElseTheHeaviest) {
    test::Random random;
    for (int n = 0; n < 20; ++n) {
        const Skeleton skeleton = random_tree(random, 12);
        const Skin skin = random_skin(random, 500, 12);
        const InfluenceSets sets = group_by_influences(skin, &skeleton);
        for (const InfluenceSet& set : sets.sets) {
            const auto joints = sets.joints_of(set);
            const auto parents = sets.sign_parents_of(set);
            EXPECT_EQ(std::ranges::count(parents, -1), 1);  // one leads
            for (std::size_t i = 0; i < joints.size(); ++i) {
                const auto joint = [&](std::size_t place) { return static_cast<int>(joints[place]); };
                bool has_ancestor = false;
                for (std::size_t k = 0; k < joints.size(); ++k)
                    has_ancestor |= is_above(skeleton, joint(k), joint(i));
                if (parents[i] < 0) continue;
                const auto lead = static_cast<std::size_t>(parents[i]);
                if (!has_ancestor) {
                    EXPECT_EQ(lead, set.pivot);
                    continue;
                }
                EXPECT_TRUE(is_above(skeleton, joint(lead), joint(i)));
                for (std::size_t k = 0; k < joints.size(); ++k) {  // none between
                    EXPECT_FALSE(is_above(skeleton, joint(k), joint(i)) &&
                                 is_above(skeleton, joint(lead), joint(k)));
                }
            }
            std::vector<bool> placed(joints.size(), false);
            for (const std::uint32_t i : sign_order(sets, set)) {
                EXPECT_TRUE(parents[i] < 0 || placed[static_cast<std::size_t>(parents[i])]);
                placed[i] = true;
            }
            EXPECT_EQ(std::ranges::count(placed, true), static_cast<std::ptrdiff_t>(joints.size()));
        }
    }
}

TEST(InfluenceSets, WithoutASkeletonTheHeaviestLeads) {
    test::Random random;
    const Skin skin = random_skin(random, 300, 8);
    const InfluenceSets sets = group_by_influences(skin, nullptr);
    for (const InfluenceSet& set : sets.sets) {
        for (std::size_t i = 0; i < set.joint_count; ++i) {
            EXPECT_EQ(sets.sign_parents_of(set)[i],
                      i == set.pivot ? -1 : static_cast<std::int32_t>(set.pivot));
        }
    }
}

TEST(InfluenceSets, TwoBindsOfOneJointAndNoVertices) {
    Skeleton skeleton;
    skeleton.joints = {{"a", -1, {}, {}}, {"b", 0, {}, {}}};
    Skin skin;
    skin.joints = {{1, Mat4d::Identity()}, {0, Mat4d::Identity()}, {1, Mat4d::Identity()}};
    skin.push_vertex(std::vector<Influence>{{0, 0.4f}, {1, 0.2f}, {2, 0.4f}});
    const InfluenceSets sets = group_by_influences(skin, &skeleton);
    ASSERT_EQ(sets.sets.size(), 1u);
    EXPECT_TRUE(std::ranges::equal(sets.sign_parents_of(sets.sets[0]), std::vector<std::int32_t>{1, -1, 1}));
    EXPECT_TRUE(group_by_influences(Skin{}, nullptr).sets.empty());
}

}  // namespace
}  // namespace sinew::model
