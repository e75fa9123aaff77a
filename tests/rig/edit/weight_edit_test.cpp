// SPDX-License-Identifier: MIT
#include "sinew/rig/edit/weight_edit.h"

#include <cmath>
#include <numeric>

#include "support/samples.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sinew/base/error.h"
#include "sinew/math/transform.h"

namespace sinew::rig {
namespace weight_edit_test {

double sum(std::span<const JointWeight> row) {
    double total = 0;
    for (const JointWeight& entry : row) total += entry.weight;
    return total;
}

double weight(std::span<const JointWeight> row, int joint) {
    for (const JointWeight& entry : row)
        if (entry.joint == joint) return entry.weight;
    return 0;
}

const model::Character& man() {
    static const model::Character character = test::sample("man");
    return character;
}

double mean_l1(const WeightTable& a, const WeightTable& b) {
    double total = 0;
    for (std::size_t v = 0; v < a.size(); ++v) {
        for (const JointWeight& entry : a[v]) total += std::abs(entry.weight - weight(b[v], entry.joint));
        for (const JointWeight& entry : b[v])
            if (weight(a[v], entry.joint) == 0) total += entry.weight;
    }
    return total / static_cast<double>(a.size());
}

TEST(WeightTable, RowsAreSortedSummedAndCleared) {
    WeightTable table;
    table.push_row(WeightRow{{3, 0.5}, {1, 0.25}, {3, 0.25}, {2, 0}, {0, -1}, {4, NAN}});
    ASSERT_EQ(table[0].size(), 2u);
    EXPECT_EQ(table[0][0].joint, 1);
    EXPECT_EQ(table[0][1].joint, 3);
    EXPECT_DOUBLE_EQ(table[0][1].weight, 0.75);
}

TEST(WeightTable, EmptyRowsTakeThoseOfTheNearestVertexAlongTheSurface) {
    // A strip of four vertices in a row, and one far off that no edge leads to.
    geometry::Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {0, 1, 0}, {0, 9, 0}};
    mesh.triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}};
    model::Skeleton skeleton;
    skeleton.joints = {{"a", -1, {}, {}, {}}, {"b", 0, {}, {}, {}}};
    WeightTable table;
    table.push_row(WeightRow{{0, 2.0}});  // is scaled to 1
    table.push_row({});
    table.push_row({});
    table.push_row(WeightRow{{1, 1.0}});
    table.push_row(WeightRow{{0, 0.5}, {1, 0.5}});
    table.push_row({});
    const model::Skin skin = make_skin(table, skeleton, mesh);
    EXPECT_EQ(skin.of(1)[0].joint, 0u) << "vertex 0 is nearer than 3";
    EXPECT_EQ(skin.of(2)[0].joint, 1u);
    EXPECT_EQ(skin.of(5).size(), 2u) << "nearest in space is vertex 4";
    EXPECT_FLOAT_EQ(skin.of(0)[0].weight, 1);
    EXPECT_THROW(make_skin(WeightTable{}, skeleton, mesh), Error);
}

TEST(WeightEdit, AJointGetsItsWeightAndTheOthersShareTheRest) {
    const WeightRow row = {{0, 0.5}, {1, 0.3}, {2, 0.2}};
    const WeightRow more = with_weight(row, 0, 0.75);
    EXPECT_NEAR(weight(more, 0), 0.75, 1e-12);
    EXPECT_NEAR(weight(more, 1) / weight(more, 2), 1.5, 1e-12);
    EXPECT_NEAR(sum(more), 1, 1e-12);
    const JointLocks locks = {0, 0, 1};
    const WeightRow locked = with_weight(row, 0, 0.95, locks);
    EXPECT_NEAR(weight(locked, 2), 0.2, 1e-12) << "locked";
    EXPECT_NEAR(weight(locked, 0), 0.8, 1e-12) << "no more than locked joints leave";
    EXPECT_NEAR(weight(with_weight(row, 2, 1, locks), 2), 0.2, 1e-12) << "a locked joint is not painted";
    EXPECT_NEAR(weight(with_weight(WeightRow{{1, 1.0}}, 1, 0.2), 1), 1, 1e-12) << "nobody else to take it";
}

RC_GTEST_PROP(WeightEdit, RowsStayAtSumOne, ()) {
    WeightRow row;
    const int count = *rc::gen::inRange(1, 6);
    for (int j = 0; j < count; ++j) row.push_back({j, 0.01 * *rc::gen::inRange(1, 100)});
    const double total = sum(row);
    for (JointWeight& entry : row) entry.weight /= total;
    JointLocks locks;
    for (int j = 0; j < 7; ++j) locks.push_back(static_cast<char>(*rc::gen::inRange(0, 2)));
    const WeightRow result =
        with_weight(row, *rc::gen::inRange(0, 7), 0.01 * *rc::gen::inRange(-50, 150), locks);
    RC_ASSERT(std::abs(sum(result) - 1) < 1e-9);
    for (const JointWeight& entry : result) RC_ASSERT(entry.weight >= -1e-12);
    for (const JointWeight& entry : row)
        if (is_locked(locks, entry.joint))
            RC_ASSERT(std::abs(weight(result, entry.joint) - entry.weight) < 1e-12);
}

TEST(WeightEdit, TheBrushPaintsOneLimbOnly) {
    // Two strips side by side, closer than the brush is wide, joined nowhere.
    geometry::Mesh mesh;
    for (const float x : {0.0f, 0.1f})
        for (int i = 0; i < 10; ++i) {
            mesh.positions.push_back({x, 0.1f * static_cast<float>(i), 0});
            mesh.positions.push_back({x, 0.1f * static_cast<float>(i), 0.05f});
        }
    for (const std::uint32_t first : {0u, 20u})
        for (std::uint32_t i = 0; i < 9; ++i) {
            const std::uint32_t a = first + 2 * i;
            mesh.triangles.push_back({a, a + 1, a + 2});
            mesh.triangles.push_back({a + 1, a + 3, a + 2});
        }
    model::Character character;
    character.skeleton.joints.resize(2);
    character.skeleton.joints[0].name = "a";
    character.skeleton.joints[1].name = "b";
    character.skeleton.joints[1].parent = 0;
    character.skin.joints = model::bind_at_rest(character.skeleton);
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
        character.skin.push_vertex(std::vector<model::Influence>{{0, 1.0f}});
    character.mesh = mesh;
    WeightSession session(character);
    Brush brush;
    brush.center = {0.01, 0.45, 0};
    brush.radius = 0.3;
    brush.mode = BrushMode::replace;
    const auto changed = session.dab(1, brush);
    ASSERT_FALSE(changed.empty());
    for (const std::uint32_t v : changed) EXPECT_LT(v, 20u) << "the other strip";
    const double near = session.weight(8, 1), far = session.weight(4, 1);
    EXPECT_GT(near, 0.8);
    EXPECT_LT(far, near);
    EXPECT_EQ(session.weight(0, 1), 0) << "outside the brush";
    const auto copied = session.weights(8);
    brush.mode = BrushMode::smooth;
    session.dab(1, brush);
    EXPECT_LT(session.weight(8, 1), near);
    brush.mode = BrushMode::scale;
    brush.value = 0;
    session.dab(1, brush);
    EXPECT_LT(session.weight(8, 1), 0.2);
    session.paste(copied, brush);
    EXPECT_GT(session.weight(8, 1), 0.5) << "as it was copied";
    const double before = session.weight(10, 1);
    session.paste(copied, brush, {0, 1});
    EXPECT_NEAR(session.weight(10, 1), before, 1e-12) << "a locked joint";
    const model::Skin skin = session.finished().skin;
    EXPECT_EQ(skin.of(20).size(), 1u);
    EXPECT_EQ(skin.of(8).size(), 2u);
    EXPECT_THROW(session.dab(7, brush), Error);
}

TEST(WeightEdit, AGradientRisesEvenly) {
    geometry::Mesh mesh;
    WeightTable table;
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i <= 10; ++i) {
        mesh.positions.push_back({0.1f * static_cast<float>(i), 0, 0});
        table.push_row(WeightRow{{0, 1.0}});
        all.push_back(i);
    }
    gradient(table, mesh, all, 1, {0.2, 0, 0}, {0.7, 0, 0});
    for (std::uint32_t i = 0; i <= 10; ++i)
        EXPECT_NEAR(weight(table[i], 1), std::clamp((0.1 * i - 0.2) / 0.5, 0.0, 1.0), 1e-6);
    EXPECT_THROW(gradient(table, mesh, all, 1, {1, 1, 1}, {1, 1, 1}), Error);
}

TEST(WeightEdit, SmoothingKeepsSumsAndLocality) {
    WeightTable table = table_of(man().skin);
    const WeightTable before = table;
    smooth_weights(table, man().mesh, man().skeleton, {.passes = 1});
    int far = 0;
    for (std::size_t v = 0; v < table.size(); ++v) {
        ASSERT_NEAR(sum(table[v]), 1, 1e-9);
        for (const JointWeight& entry : table[v]) {
            bool near = false;  // a joint of its own, or one linked to one
            for (const JointWeight& old : before[v]) {
                const auto& joints = man().skeleton.joints;
                near = near || old.joint == entry.joint ||
                       joints[static_cast<std::size_t>(old.joint)].parent == entry.joint ||
                       joints[static_cast<std::size_t>(entry.joint)].parent == old.joint;
            }
            far += near ? 0 : 1;
        }
    }
    EXPECT_EQ(far, 0);
    // A rigid binding becomes smooth across the border, and only there.
    WeightTable rigid;
    for (std::size_t v = 0; v < before.size(); ++v) {
        const auto max = std::max_element(before[v].begin(), before[v].end(),
                                          [](const auto& a, const auto& b) { return a.weight < b.weight; });
        rigid.push_row(WeightRow{{max->joint, 1.0}});
    }
    const double off = mean_l1(rigid, before);
    smooth_weights(rigid, man().mesh, man().skeleton, {.passes = 6});
    EXPECT_LT(mean_l1(rigid, before), 0.8 * off) << "nearer to the true weights, which are smooth";
}

TEST(WeightEdit, SlopesAreLimitedByTheThicknessOfTheLimb) {
    const model::Character tube = test::sample("tube");
    WeightTable table;
    const WeightTable truth = table_of(tube.skin);
    for (std::size_t v = 0; v < truth.size(); ++v) {
        const auto max = std::max_element(truth[v].begin(), truth[v].end(),
                                          [](const auto& a, const auto& b) { return a.weight < b.weight; });
        table.push_row(WeightRow{{max->joint, 1.0}});
    }
    limit_slopes(table, tube.mesh, tube.skeleton, 1, 4000);
    double max = 0;
    for (const auto& t : tube.mesh.triangles) {
        const auto d = static_cast<double>((tube.mesh.positions[t[0]] - tube.mesh.positions[t[1]]).norm());
        for (const JointWeight& entry : table[t[0]])
            max = std::max(max, std::abs(entry.weight - weight(table[t[1]], entry.joint)) / d);
    }
    const auto box = geometry::bounds(tube.mesh.positions).size();
    const double width = std::min({box.x(), box.y(), box.z()});
    EXPECT_LT(max * width, 1.15);
}

TEST(SurfaceWeights, AnotherTessellationGetsTheSameWeights) {
    const model::Character coarse = test::sample("man"), fine = sample::make("man", {.faces = 30000});
    const WeightTable moved = transfer_weights(coarse.mesh, table_of(coarse.skin), fine.mesh);
    EXPECT_LT(mean_l1(moved, table_of(fine.skin)), 0.05);
    for (std::size_t v = 0; v < moved.size(); ++v) ASSERT_NEAR(sum(moved[v]), 1, 1e-9);
    geometry::Mesh none;
    none.positions = {{0, 0, 0}};
    EXPECT_THROW(transfer_weights(none, WeightTable{}, fine.mesh), Error);
}

TEST(SurfaceWeights, OneSideCanBeMirroredToTheOther) {
    const WeightTable truth = table_of(man().skin);
    WeightTable broken;
    const int hips = man().skeleton.find("Hips");
    for (std::size_t v = 0; v < truth.size(); ++v) {
        if (man().mesh.positions[v].x() < 0)
            broken.push_row(WeightRow{{hips, 1.0}});
        else
            broken.push_row(truth[v]);
    }
    const MirrorPlane plane;
    const auto roles = model::find_roles(man().skeleton);
    const auto twin = pair_joints(man().skeleton, roles, plane);
    EXPECT_GT(mean_l1(broken, truth), 0.5);
    EXPECT_LT(mean_l1(mirror_weights(man().mesh, broken, plane, twin), truth), 2e-3);
}

}  // namespace weight_edit_test
}  // namespace sinew::rig
