// SPDX-License-Identifier: MIT
// Every kernel against its plain twin, on every instruction set, into every kind of output.

#include "sinew/deform/skinner.h"

#include "rig.h"
#include "support/skeletons.h"
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/deform/blend.h"
#include "sinew/deform/skinning/kernels/block_kernels.h"
#include "sinew/deform/skinning/kernels/joint_kernels.h"

namespace sinew::deform {
namespace skinner_test {

/// A mesh, its skin on a chain of joints, and a pose.
struct Scene {
    geometry::Mesh mesh;
    model::Skeleton skeleton;
    model::Skin skin;
    std::vector<Mat4d> palette;
};

/// `count` vertices in sets of 1 to `influences` neighbouring joints; neighbours turn by up to `bend`
/// radians.
Scene make_scene(test::Random& random, int count, int joints, int influences, double bend,
                 bool affine = false) {
    Scene scene;
    scene.skeleton = test::random_tree(random, joints);
    scene.skin.joints = model::bind_at_rest(scene.skeleton);
    std::vector<math::Transform> local;
    for (const model::Joint& joint : scene.skeleton.joints) {
        local.push_back(joint.rest);
        local.back().rotation = random.rotation(bend);
        if (affine)
            local.back().scale =
                Vec3d(random.uniform(0.7, 1.4), random.uniform(0.7, 1.4), random.uniform(0.7, 1.4));
    }
    scene.palette = model::palette(scene.skin, model::world_matrices(scene.skeleton, local));
    for (int v = 0; v < count; ++v) {
        scene.mesh.positions.push_back(random.vector().cast<float>());
        scene.mesh.normals.push_back(random.unit_vector().cast<float>());
        const Vec3d n = scene.mesh.normals.back().cast<double>();
        const Vec3d t = n.cross(random.unit_vector()).normalized();
        scene.mesh.tangents.emplace_back(t.x(), t.y(), t.z(), v % 2 == 0 ? 1 : -1);
        const int n_joints = random.integer(1, influences), first = random.integer(0, joints - n_joints);
        const std::vector<double> weights = random.weights(n_joints);
        std::vector<Influence> list;
        for (int i = 0; i < n_joints; ++i) {
            list.push_back({static_cast<std::uint32_t>(first + i),
                            static_cast<float>(weights[static_cast<std::size_t>(i)])});
        }
        scene.skin.push_vertex(list);
    }
    for (int v = 0; v + 2 < count; ++v) {
        const auto a = static_cast<std::uint32_t>(v);
        scene.mesh.triangles.push_back({a, a + 1, a + 2});
    }
    model::clean(scene.skin);
    return scene;
}

struct Output {
    std::vector<float> data;
    ComponentArrays arrays;
    explicit Output(const Skinner& skinner) : data(skinner.slot_count() * 9) {
        const std::size_t n = skinner.slot_count();
        for (std::size_t i = 0; i < 3; ++i) {
            arrays.position[i] = {data.data() + i * n, n};
            if (skinner.vectors() > 0) arrays.normal[i] = {data.data() + (3 + i) * n, n};
            if (skinner.vectors() > 1) arrays.tangent[i] = {data.data() + (6 + i) * n, n};
        }
    }
    Vec3d position(std::uint32_t slot) const {
        return {arrays.position[0][slot], arrays.position[1][slot], arrays.position[2][slot]};
    }
    Vec3d normal(std::uint32_t slot) const {
        return {arrays.normal[0][slot], arrays.normal[1][slot], arrays.normal[2][slot]};
    }
};

/// Largest distance from the plain twin, positions as part of the size, normals absolute.
std::pair<double, double> difference(const Scene& scene, Method method,
                                     const std::vector<math::Vec3f>& centers) {
    SkinnerOptions options;
    options.centers = centers;
    const Skinner skinner(scene.mesh, scene.skin, &scene.skeleton, options);
    Skinner::Pose pose(skinner);
    Output out(skinner);
    skinner.deform(to_mat34(scene.palette), method, pose, out.arrays);
    const auto sets = model::group_by_influences(scene.skin, &scene.skeleton);
    DeformOptions plain;
    plain.centers = centers;
    const auto expected = deform<double>(scene.mesh, scene.skin, sets, scene.palette, method, plain);
    std::pair<double, double> worst;
    const double size = std::max(1.0, static_cast<double>(geometry::bounds(scene.mesh.positions).diagonal()));
    for (std::size_t v = 0; v < scene.mesh.vertex_count(); ++v) {
        const std::uint32_t slot = skinner.slots()[v];
        worst.first = std::max(worst.first, (out.position(slot) - expected.positions[v]).norm() / size);
        worst.second = std::max(worst.second, (out.normal(slot) - expected.normals[v]).norm());
    }
    return worst;
}

/// Each instruction set that is built and that this processor has.
class EveryTarget : public ::testing::TestWithParam<std::int64_t> {
  protected:
    void SetUp() override {
        hwy::SetSupportedTargetsForTest(GetParam());
        ASSERT_STREQ(kernels::target_name(), hwy::TargetName(GetParam()));
    }
    void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

std::vector<std::int64_t> built_targets() {
    std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
    // The skinner leaves out two that gain nothing over their neighbours.
    std::erase_if(targets, [](std::int64_t target) { return (target & (HWY_SSSE3 | HWY_AVX3_DL)) != 0; });
    return targets;
}
INSTANTIATE_TEST_SUITE_P(Skinner, EveryTarget, ::testing::ValuesIn(built_targets()),
                         [](const auto& info) { return std::string(hwy::TargetName(info.param)); });

TEST_P(EveryTarget, EveryMethodAgreesWithItsPlainTwin) {
    test::Random random(7);
    for (int round = 0; round < 6; ++round) {
        const Scene scene = make_scene(random, 400, 12, round % 2 == 0 ? 4 : 8, 0.6);
        for (const MethodInfo& info : methods()) {
            const auto [position, normal] = difference(scene, info.method, scene.mesh.positions);
            EXPECT_LT(position, 1e-5) << info.name << " round " << round;
            EXPECT_LT(normal, 2e-4) << info.name << " round " << round;
        }
    }
}

/// Half of the rotations are by more than 120 degrees; the fifth joint has a stretch.
TEST_P(EveryTarget, JointsTogetherMoveAsOneByOne) {
    test::Random random(31);
    for (std::size_t count = 1; count <= 9; ++count) {
        std::vector<Mat34f> palette;
        for (std::size_t j = 0; j < count; ++j) {
            const double angle = j % 2 == 0 ? random.uniform(2.1, 3.1) : random.uniform(0, 2.1);
            math::Mat4d matrix = math::Mat4d::Identity();
            matrix.topLeftCorner<3, 3>() =
                (j == 4 ? 1.1 : 1.0) * math::to_matrix(math::axis_angle(random.unit_vector(), angle));
            matrix.topRightCorner<3, 1>() = random.vector();
            palette.push_back(to_mat34(matrix));
        }
        for (const bool rows : {false, true}) {
            std::vector<double> values(count * kernels::joint_doubles);
            std::vector<std::uint8_t> done(count, 7);
            kernels::split_motions(
                {&palette[0].rows[0][0], count, rigid_tolerance, rows, values.data(), done.data()});
            for (std::size_t j = 0; j < count; ++j) {
                bool rigid = false;
                const JointMotion motion = split_motion(palette[j], Vec3d::Zero(), rigid);
                if (HWY_ARCH_X86 && GetParam() != HWY_SCALAR && count >= 4) {
                    EXPECT_EQ(done[j], rigid ? 1 : 0);
                }
                if (done[j] == 0) continue;
                ASSERT_TRUE(rigid);
                const double* const of = values.data() + j * kernels::joint_doubles;
                using Four = Eigen::Map<const Eigen::Vector4d>;
                EXPECT_LT((Four(of) - motion.dual.real.coeffs()).norm(), 1e-13);
                if (!rows) {
                    EXPECT_LT((Four(of + 4) - motion.dual.dual.coeffs()).norm(), 1e-12);
                    continue;
                }
                const math::Mat3d linear = math::to_matrix(motion.rigid.rotation);
                for (Eigen::Index r = 0; r < 3; ++r) {
                    EXPECT_LT((Four(of + 4 + 4 * r).head<3>() - linear.row(r).transpose()).norm(), 1e-12);
                    EXPECT_EQ(of[7 + 4 * r], motion.rigid.translation[r]);
                }
            }
        }
    }
}

TEST_P(EveryTarget, AffinePalettesGoInTwoPhases) {
    test::Random random(8);
    const Scene scene = make_scene(random, 300, 8, 4, 0.5, true);
    for (const MethodInfo& info : methods()) {
        const auto [position, normal] = difference(scene, info.method, scene.mesh.positions);
        EXPECT_LT(position, 2e-5) << info.name;
        EXPECT_LT(normal, 5e-4) << info.name;
    }
}

TEST_P(EveryTarget, EveryBlockRemainder) {
    test::Random random(9);
    for (int count = 1; count <= 31; ++count) {
        Scene scene = make_scene(random, count, 5, 1, 0.5);
        for (const int influences : {1, 2, 3, 4, 5}) {
            // One set, so that its last block has every number of vertices.
            scene.skin.offsets = {0};
            scene.skin.influences.clear();
            for (int v = 0; v < count; ++v) {
                std::vector<Influence> list;
                for (int i = 0; i < influences; ++i) list.push_back({static_cast<std::uint32_t>(i), 1.0f});
                list[0].weight = static_cast<float>(random.uniform(0.1, 2));
                scene.skin.push_vertex(list);
            }
            model::clean(scene.skin);
            for (const Method method : {Method::lbs, Method::dqs, Method::sbs}) {
                EXPECT_LT(difference(scene, method, scene.mesh.positions).first, 1e-5)
                    << count << " " << influences;
            }
        }
    }
}

TEST_P(EveryTarget, VertexBuffersHoldWhatComponentArraysHold) {
    test::Random random(10);
    const Scene scene = make_scene(random, 500, 10, 4, 0.7);
    SkinnerOptions options;
    options.tangents = true;
    const Skinner skinner(scene.mesh, scene.skin, &scene.skeleton, options);
    Skinner::Pose pose(skinner);
    Output out(skinner);
    const auto palette = to_mat34(scene.palette);
    skinner.deform(palette, Method::dqs, pose, out.arrays);
    struct Layout {
        std::size_t stride;
        std::ptrdiff_t position, normal, tangent;
        bool slots;
    };
    for (const Layout& layout :
         {Layout{24, 0, 12, -1, false}, Layout{40, 0, 12, 24, false}, Layout{64, 20, 4, 40, false},
          Layout{24, 12, 0, -1, true}, Layout{24, 0, 12, -1, true}, Layout{12, 0, -1, -1, true}}) {
        const std::size_t count = layout.slots ? skinner.slot_count() : skinner.vertex_count();
        std::vector<std::byte> bytes(count * layout.stride, std::byte{0x5A});
        const VertexBuffer buffer{bytes,         layout.stride,  layout.position,
                                  layout.normal, layout.tangent, layout.slots};
        skinner.deform(palette, Method::dqs, pose, buffer);
        for (std::uint32_t v = 0; v < skinner.vertex_count(); ++v) {
            const std::uint32_t slot = skinner.slots()[v];
            const std::byte* vertex = bytes.data() + (layout.slots ? slot : v) * layout.stride;
            float got[4];
            std::memcpy(got, vertex + layout.position, 12);
            for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(got[i], out.arrays.position[i][slot]);
            if (layout.normal >= 0) {
                std::memcpy(got, vertex + layout.normal, 12);
                for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(got[i], out.arrays.normal[i][slot]);
            }
            if (layout.tangent >= 0) {
                std::memcpy(got, vertex + layout.tangent, 16);
                for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(got[i], out.arrays.tangent[i][slot]);
                EXPECT_EQ(got[3], scene.mesh.tangents[v].w());
            }
        }
        // Bytes between members belong to the caller.
        if (layout.stride == 64) {
            EXPECT_EQ(bytes[0], std::byte{0x5A});
            EXPECT_EQ(bytes[63], std::byte{0x5A});
        }
    }
}

TEST(Skinner, NormalsMayBeLeftOut) {
    test::Random random(12);
    const Scene scene = make_scene(random, 300, 20, 4, 0.7);
    SkinnerOptions options;
    options.tangents = true;
    const Skinner skinner(scene.mesh, scene.skin, &scene.skeleton, options);
    Skinner::Pose pose(skinner);
    Output all(skinner), some(skinner);
    for (auto& array : some.arrays.normal) array = {};
    for (auto& array : some.arrays.tangent) array = {};
    const auto palette = to_mat34(scene.palette);
    for (const Method method : {Method::lbs, Method::dqs, Method::log}) {
        skinner.deform(palette, method, pose, all.arrays);
        skinner.deform(palette, method, pose, some.arrays);
        for (std::uint32_t slot = 0; slot < skinner.slot_count(); ++slot)
            ASSERT_EQ(some.position(slot), all.position(slot)) << name(method) << " slot " << slot;
    }
}

TEST(Skinner, PaddingIsWrittenNowhere) {
    test::Random random(31);
    const Scene scene = make_scene(random, 700, 40, 4, 0.5);  // many sets of a few vertices
    const Skinner skinner(scene.mesh, scene.skin, &scene.skeleton);
    Skinner::Pose pose(skinner);
    std::vector<float> slots(skinner.slot_count() * 6, -77);
    VertexBuffer buffer{std::as_writable_bytes(std::span(slots))};
    buffer.slot_order = true;
    skinner.deform(to_mat34(scene.palette), Method::lbs, pose, buffer);
    std::vector<bool> used(skinner.slot_count(), false);
    for (const std::uint32_t slot : skinner.slots()) used[slot] = true;
    std::size_t left = 0;
    for (std::size_t slot = 0; slot < used.size(); ++slot) {
        if (used[slot]) {
            EXPECT_NE(slots[slot * 6], -77) << slot;
        } else if (slots[slot * 6] == -77) {
            ++left;
        }
    }
    // Only what shares four lanes with a vertex may be written.
    std::size_t padding = static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
    EXPECT_GT(4 * left, 3 * padding - 3 * skinner.set_count());
}

TEST(SkinLayout, PackedTriplesKeepSixDigits) {
    // Decoded as the kernels do: 21 bits each, the third split between the words.
    const auto part = [](std::uint32_t word) { return static_cast<std::int32_t>(word) >> 11; };
    test::Random random(13);
    for (int i = 0; i < 1000; ++i) {
        const math::Vec3f v = i == 0   ? math::Vec3f(-1, 0, 1)
                              : i == 1 ? math::Vec3f(1, 1, -1)
                                       : random.vector(1.0).cast<float>().eval();
        const kernels::PackedTriple packed = kernels::pack(v.x(), v.y(), v.z());
        const math::Vec3d back(part(packed.first), part(packed.second),
                               part(packed.first << 21) | static_cast<std::int32_t>(packed.second & 0x3ff));
        EXPECT_LE((back / kernels::packed_one - v.cast<double>()).cwiseAbs().maxCoeff(), 5.1e-7);
    }
}

TEST(Skinner, ThreadsDoNotChangeABit) {
    test::Random random(11);
    const Scene scene = make_scene(random, 5000, 20, 4, 0.7);
    const Skinner skinner(scene.mesh, scene.skin, &scene.skeleton);
    Skinner::Pose pose(skinner);
    Output one(skinner), all(skinner);
    const auto palette = to_mat34(scene.palette);
    for (const Method method : {Method::lbs, Method::dqs, Method::sbs, Method::dib}) {
        skinner.deform(palette, method, pose, one.arrays, Threads::one);
        skinner.deform(palette, method, pose, all.arrays, Threads::all);
        EXPECT_EQ(one.data, all.data);
    }
}

TEST(Skinner, InstancesShareOneSetUp) {
    test::Random random(12);
    const Scene scene = make_scene(random, 300, 6, 4, 0.7);
    const Skinner skinner(scene.mesh, scene.skin, &scene.skeleton);
    Skinner::Pose first(skinner), second(skinner);
    Output a(skinner), b(skinner), again(skinner);
    const auto palette = to_mat34(scene.palette);
    std::vector<Mat34f> rest(palette.size());
    skinner.deform(palette, Method::dqs, first, a.arrays);
    skinner.deform(rest, Method::lbs, second, b.arrays);
    skinner.deform(palette, Method::dqs, first, again.arrays);
    EXPECT_EQ(a.data, again.data);
    for (std::uint32_t v = 0; v < skinner.vertex_count(); ++v) {
        EXPECT_LT((b.position(skinner.slots()[v]) - scene.mesh.positions[v].cast<double>()).norm(), 1e-6);
    }
}

TEST(Skinner, CancelledJointsFollowTheHeaviestAndAreCounted) {
    test::Random random(13);
    Scene scene = make_scene(random, 1, 3, 1, 0);
    scene.skin.offsets = {0};
    scene.skin.influences.clear();
    // Half turns about three axes are perpendicular quaternions: no signs cancel them, so make two opposite
    // by weight.
    const std::vector<Influence> list = {{0, 0.5f}, {1, 0.5f}};
    scene.skin.push_vertex(list);
    model::clean(scene.skin);
    scene.palette.assign(3, Mat4d::Identity());
    scene.palette[1].topLeftCorner<3, 3>() =
        math::to_matrix(math::axis_angle(Vec3d(Vec3d::UnitX()), math::pi));
    EXPECT_LT(difference(scene, Method::dqs, scene.mesh.positions).first, 1e-5);
}

TEST(Skinner, RefusesWhatDoesNotFit) {
    test::Random random(14);
    const Scene scene = make_scene(random, 40, 4, 2, 0.5);
    const Skinner skinner(scene.mesh, scene.skin, &scene.skeleton);
    Skinner::Pose pose(skinner);
    Output out(skinner);
    auto palette = to_mat34(scene.palette);
    const auto says = [&](std::span<const Mat34f> given, Method method) -> std::string {
        try {
            skinner.deform(given, method, pose, out.arrays);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(says({palette.data(), 3}, Method::lbs), "palette: 3 matrices for 4 joints");
    EXPECT_EQ(says(palette, Method::cor), "skinner: centres of rotation were not given at set-up");
    palette[2].rows[1][3] = std::nanf("");
    EXPECT_EQ(says(palette, Method::lbs), "palette: the matrix of joint 2 is not finite");
    palette[2].rows[1][3] = 0;
    ComponentArrays small = out.arrays;
    small.position[1] = small.position[1].first(10);
    EXPECT_THROW(skinner.deform(palette, Method::lbs, pose, small), Error);
    std::vector<std::byte> bytes(skinner.vertex_count() * 24 - 1);
    EXPECT_THROW(skinner.deform(palette, Method::lbs, pose, VertexBuffer{bytes}), Error);
    EXPECT_THROW(skinner.deform(palette, Method::lbs, pose, VertexBuffer{bytes, 20}), Error)
        << "stride too small";
    EXPECT_THROW(Skinner({}, {}, nullptr), Error) << "an empty mesh";
    model::Skin bare = scene.skin;
    bare.offsets.back() = bare.offsets[bare.offsets.size() - 2];
    EXPECT_THROW(Skinner(scene.mesh, bare, nullptr), Error) << "a vertex without influence";
    model::Skin shorter = scene.skin;
    shorter.offsets.pop_back();
    EXPECT_THROW(Skinner(scene.mesh, shorter, nullptr), Error);
}

TEST(Skinner, ManyInfluencesWork) {
    test::Random random(15);
    Scene scene = make_scene(random, 50, 300, 1, 0.05);
    scene.skin.offsets = {0};
    scene.skin.influences.clear();
    for (int v = 0; v < 50; ++v) {
        std::vector<Influence> list;
        for (std::uint32_t j = 0; j < 300; ++j)
            list.push_back({j, static_cast<float>(random.uniform(0.1, 1))});
        scene.skin.push_vertex(list);
    }
    model::clean(scene.skin);
    for (const Method method : {Method::lbs, Method::dqs, Method::sbs}) {
        EXPECT_LT(difference(scene, method, scene.mesh.positions).first, 1e-4) << name(method);
    }
}

TEST(Skinner, SetUpIsSmall) {
    test::Random random(16);
    const Scene scene = make_scene(random, 20000, 30, 4, 0.5);
    const Skinner skinner(scene.mesh, scene.skin, &scene.skeleton);
    const std::size_t served = scene.mesh.positions.size() * 24 + scene.mesh.triangles.size() * 12 +
                               scene.skin.influences.size() * sizeof(Influence) +
                               scene.skin.offsets.size() * 4 + scene.palette.size() * sizeof(Mat34f);
    EXPECT_LT(skinner.memory(), served * 3 / 2);
}

}  // namespace skinner_test
}  // namespace sinew::deform
