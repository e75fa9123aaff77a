// SPDX-License-Identifier: MIT
// Generated bodies through the whole of rig: with noise, loose shells, holes, in any unit.

#include "sinew/pipeline/rig.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "support/odd_mesh.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew {
namespace {

using geometry::Mesh;

/// What happens to meshes on their way: rough surfaces, holes, loose shells, units.
Mesh worn(Mesh mesh, test::Dice& dice) {
    const float size = geometry::bounds(mesh.positions).diagonal();
    if (dice.pick(3) == 0)
        for (auto& p : mesh.positions) p += (0.004 * static_cast<double>(size) * dice.point()).cast<float>();
    if (dice.pick(3) == 0) {
        const auto from =
            static_cast<std::ptrdiff_t>(mesh.triangles.size() * static_cast<std::size_t>(dice.pick(9)) / 10);
        mesh.triangles.erase(
            mesh.triangles.begin() + from,
            mesh.triangles.begin() + from + static_cast<std::ptrdiff_t>(mesh.triangles.size() / 20));
    }
    if (dice.pick(3) == 0) geometry::append(mesh, test::odd_piece(dice));
    const float unit = dice.pick(3) == 0 ? 100.0f : dice.pick(8) == 0 ? 1e-5f : 1.0f;
    for (auto& p : mesh.positions) p *= unit;
    return mesh;
}

struct Tally {
    int rigged = 0, refused = 0, whole = 0;
};

/// The rig is whole, finite and inside, or the reason is told.
void rig_body(std::uint32_t seed, Tally& tally) {
    test::Dice dice(seed);
    model::Character character;
    character.mesh = worn(test::random_body(dice, 0.1), dice);
    pipeline::RigResult made;
    try {
        made = pipeline::rig_character(character);
    } catch (const Error& error) {
        EXPECT_GT(error.reason().size(), 15u) << "body " << seed;
        ++tally.refused;
        return;
    }
    ++tally.rigged;
    EXPECT_NO_THROW(model::validate(made.character, "body")) << "body " << seed;
    ASSERT_EQ(made.character.skin.vertex_count(), character.mesh.vertex_count()) << "body " << seed;
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
        double sum = 0;
        for (const model::Influence& influence : made.character.skin.of(v))
            sum += static_cast<double>(influence.weight);
        ASSERT_NEAR(sum, 1, 1e-4) << "body " << seed << ", vertex " << v;
    }
    const geometry::Box box = geometry::bounds(character.mesh.positions);
    for (const math::Mat4d& joint : model::rest_world_matrices(made.character.skeleton)) {
        const math::Vec3d at = joint.topRightCorner<3, 1>();
        EXPECT_LT((at - box.center().cast<double>()).norm(), static_cast<double>(box.diagonal()))
            << "body " << seed;
    }
    tally.whole += made.skeleton.quality.inside_fraction > 0.9 ? 1 : 0;
}

/// Bodies from, from + 1, ...: hardly one is refused, most skeletons lie inside.
void rig_bodies(std::uint32_t from, int count) {
    Tally tally;
    for (int i = 0; i < count; ++i) rig_body(from + static_cast<std::uint32_t>(i), tally);
    std::printf("%d bodies: %d rigged, %d refused, %d with nine tenths of their bones inside\n", count,
                tally.rigged, tally.refused, tally.whole);
    EXPECT_LE(tally.refused, count / 20);
    EXPECT_GE(tally.whole, count * 3 / 4);
}

TEST(Stress, AFewGeneratedBodiesAreRigged) {
    rig_bodies(1, 3);
}

/// A rig that is valid, or an Error that says why there is none.
void expect_rig_or_reason(const std::string& name, Mesh mesh) {
    model::Character character;
    character.mesh = std::move(mesh);
    try {
        character = pipeline::rig_character(character).character;
    } catch (const Error& error) {
        EXPECT_GT(error.reason().size(), 15u) << name;
        return;
    }
    EXPECT_TRUE(character.has_skin()) << name;
    EXPECT_NO_THROW(model::validate(character, name)) << name;
}

TEST(Stress, FinsPointsAndExtremeUnitsAreRiggedOrRefused) {
    Mesh fins;
    fins.positions = {{0, 0, 0}, {0, 1, 0}};
    for (std::uint32_t i = 0; i < 12; ++i) {
        const auto angle = 0.5f * static_cast<float>(i);
        fins.positions.emplace_back(std::cos(angle), 0.5f, std::sin(angle));
        fins.triangles.push_back({0, 1, 2 + i});
    }
    expect_rig_or_reason("fins at one edge", fins);
    Mesh point;
    point.positions = {{1, 2, 3}};
    expect_rig_or_reason("one vertex", point);
    test::Dice dice(std::uint32_t{5});
    const Mesh body = test::random_body(dice, 0.12);
    for (const float unit : {1e-18f, 1e18f}) {
        Mesh mesh = body;
        for (auto& p : mesh.positions) p *= unit;
        expect_rig_or_reason("unit " + std::to_string(unit), mesh);
    }
}

TEST(Stress, PositionsThatAreNotFiniteAreRefused) {
    test::Dice dice(std::uint32_t{5});
    const Mesh body = test::random_body(dice, 0.12);
    for (const float wrong :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        model::Character character;
        character.mesh = body;
        character.mesh.positions[7].y() = wrong;
        EXPECT_THROW(pipeline::rig_character(character), Error);
    }
}

TEST(Stress, AVertexFarOutsideIsTold) {
    test::Dice dice(std::uint32_t{5});
    model::Character character;
    character.mesh = test::random_body(dice, 0.12);
    character.mesh.positions[9] = {0, 4630595, 0};
    try {
        pipeline::rig_character(character);
        FAIL() << "a body of 2 in a mesh of 4,630,595 cannot be seen";
    } catch (const Error& error) {
        EXPECT_NE(error.reason().find("far outside"), std::string::npos) << error.reason();
        EXPECT_NE(error.reason().find("4.63e+06"), std::string::npos) << error.reason();
    }
}

TEST(Stress, FiveHundredGeneratedBodiesAreRigged) {
    if (std::getenv("SINEW_SLOW") == nullptr) GTEST_SKIP() << "takes half an hour: set SINEW_SLOW=1";
    const char* wanted = std::getenv("SINEW_BODIES");
    rig_bodies(1000, wanted != nullptr ? std::atoi(wanted) : 500);
}

}  // namespace
}  // namespace sinew
