// What a descriptor claims is measured on the method itself.

#include "sinew/deform/descriptor.h"

#include "deform/rig.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/deform/reference/axioms.h"
#include "sinew/deform/deformer.h"

namespace sinew::deform {
namespace descriptor_test {

class EveryDescriptor : public ::testing::TestWithParam<Method> {
  protected:
    MethodDescriptor claim() const { return descriptor(GetParam()); }
};

std::vector<Method> all_methods() {
    std::vector<Method> result;
    for (const MethodInfo& info : methods()) result.push_back(info.method);
    return result;
}
INSTANTIATE_TEST_SUITE_P(Methods, EveryDescriptor, ::testing::ValuesIn(all_methods()), [](const auto& given) {
    std::string text(name(given.param));
    std::ranges::replace(text, '-', '_');
    return text;
});

/// Points of a rig as centres of rotation, for the method that needs them.
std::vector<math::Vec3f> centers_of(const Rig& rig) {
    std::vector<math::Vec3f> centers;
    for (const Vec3d& p : rig.rest.positions) centers.push_back((0.5 * p).cast<float>());
    return centers;
}

TEST_P(EveryDescriptor, RigidAndAffineAreAsClaimed) {
    test::Random random(3);
    const Rig rig = random_rig(random, 4, 40);
    const std::vector<math::Vec3f> centers = centers_of(rig);
    DeformOptions options;
    options.centers = centers;
    double worst = 0;
    const auto palette = random_palette(random, 4);
    for (const Mat4d& m : vertex_transforms<double>(rig.skin, rig.sets, palette, GetParam(), 1, options))
        worst = std::max(worst, distance_from_rigid(m));
    if (claim().rigid)
        EXPECT_LT(worst, 1e-9);
    else
        EXPECT_GT(worst, 1e-2);
    EXPECT_EQ(claim().method, GetParam());
}

TEST_P(EveryDescriptor, ConvexMethodsStayBetweenTheImages) {
    test::Random random(4);
    double worst = 0;
    for (int round = 0; round < 50; ++round) {
        const double w = random.uniform(0.2, 0.8);
        const Rig rig = one_point(random.vector(), {w, 1 - w});
        const std::vector<math::Vec3f> centers = centers_of(rig);
        DeformOptions options;
        options.centers = centers;
        const auto palette = random_palette(random, 2);
        const Vec3d at = rig(palette, GetParam(), options).positions[0];
        const Vec3d a = math::transform_point(palette[0], rig.rest.positions[0]);
        const Vec3d b = math::transform_point(palette[1], rig.rest.positions[0]);
        worst = std::max(worst, (at - a).norm() + (at - b).norm() - (a - b).norm());
    }
    if (claim().convex)
        EXPECT_LT(worst, 1e-6);
    else
        EXPECT_GT(worst, 1e-3);
}

// Skinning T25: turns of 0, 120 and 240 degrees about one axis, where signs decide.
TEST_P(EveryDescriptor, SignsMatterWhereClaimed) {
    std::vector<Mat4d> palette;
    for (const double angle : {0.0, 120.0, 240.0})
        palette.push_back(
            Rigidd{math::axis_angle<double>(Vec3d::UnitZ(), math::radians(angle)), Vec3d::Zero()}.matrix());
    const Rig rig = one_point({1, 0, 0}, {0.30, 0.32, 0.38});
    const std::vector<math::Vec3f> centers(1, math::Vec3f::Zero());
    DeformOptions options;
    options.centers = centers;
    std::vector<Vec3d> results;
    for (const SignRule rule : {SignRule::first, SignRule::heaviest}) {
        options.signs = rule;
        results.push_back(rig(palette, GetParam(), options).positions[0]);
    }
    if (claim().signs)
        EXPECT_GT((results[0] - results[1]).norm(), 0.5);
    else
        EXPECT_LT((results[0] - results[1]).norm(), 1e-9);
}

TEST_P(EveryDescriptor, InvarianceIsAsClaimed) {
    if (GetParam() == Method::cor) GTEST_SKIP() << "a centre per vertex is no blend of transformations";
    AxiomOptions options;
    options.samples = 40;
    const AxiomRow row = check_axioms(name(GetParam()), blend_of(GetParam()), false, options);
    EXPECT_EQ(row.holds(Axiom::left, 1e-7), claim().moves_along) << row[Axiom::left];
    EXPECT_EQ(row.holds(Axiom::right, 1e-7), claim().any_rest) << row[Axiom::right];
}

TEST(Descriptor, BoundsOfCollisionKnowWhatTheyNeed) {
    EXPECT_EQ(descriptor(Method::lbs).family, BlendFamily::linear);
    EXPECT_EQ(descriptor(Method::rigid).family, BlendFamily::linear);
    EXPECT_EQ(descriptor(Method::dqs).family, BlendFamily::dual_quaternion);
    // Only a centre that the whole set shares can be bounded once per set.
    for (const MethodInfo& info : methods()) {
        const MethodDescriptor d = descriptor(info.method);
        EXPECT_EQ(d.center != CenterKind::none, d.family == BlendFamily::spherical) << info.name;
        EXPECT_EQ(d.center == CenterKind::set, info.method == Method::sbs) << info.name;
        if (d.iterative) {
            EXPECT_EQ(d.family, BlendFamily::unbounded) << info.name;
        }
    }
}

TEST(VertexTransforms, AreWhatSkinningApplies) {
    test::Random random(8);
    const Rig rig = random_rig(random, 5, 60);
    const std::vector<math::Vec3f> centers = centers_of(rig);
    DeformOptions options;
    options.centers = centers;
    const auto palette = random_palette(random, 5);
    const double size = extent<double>(rig.rest.positions);
    for (const MethodInfo& info : methods()) {
        const auto expected = rig(palette, info.method, options).positions;
        const auto maps = vertex_transforms<double>(rig.skin, rig.sets, palette, info.method, size, options);
        ASSERT_EQ(maps.size(), expected.size());
        for (std::size_t v = 0; v < maps.size(); ++v) {
            EXPECT_LT((math::transform_point(maps[v], rig.rest.positions[v]) - expected[v]).norm(), 1e-12)
                << info.name;
            if (!descriptor(info.method).rigid) continue;
            const Vec3d moved = math::to_rigid(rigid_motion(maps[v])) * rig.rest.positions[v];
            EXPECT_LT((moved - expected[v]).norm(), 1e-9) << info.name;
        }
    }
    EXPECT_THROW(vertex_transforms<double>(rig.skin, rig.sets, std::vector<Mat4d>(2), Method::lbs), Error);
}

}  // namespace descriptor_test
}  // namespace sinew::deform
