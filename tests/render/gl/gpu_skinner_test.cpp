// SPDX-License-Identifier: MIT
// The shaders against the kernels of the CPU: the same numbers, whatever the pose.

#include "sinew/render/gl/gpu_skinner.h"

#include <array>
#include <limits>
#include <numeric>

#include "render/scenes.h"
#include "support/random.h"
#include "support/skeletons.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/deform/player.h"
#include "sinew/deform/skinner.h"
#include "sinew/model/packed_clip.h"
#include "sinew/render/gl/skin.h"

namespace sinew::render {
namespace {

using deform::Mat34f;
using deform::Method;
using math::Vec3d;
using sinew::test::Random;
using test::renderer;

constexpr std::array shader_methods = {Method::lbs, Method::dqs, Method::sbs};

struct Rig {
    geometry::Mesh mesh;
    model::Skeleton skeleton;
    model::Skin skin;

    double size() const { return static_cast<double>(geometry::bounds(mesh.positions).diagonal()); }
};

/// `count` vertices that 1 to `influences` neighbouring joints of a branching chain move.
Rig make_rig(Random& random, int count, int joints, int influences) {
    Rig rig;
    rig.skeleton = sinew::test::random_tree(random, joints);
    rig.skin.joints = model::bind_at_rest(rig.skeleton);
    for (int v = 0; v < count; ++v) {
        rig.mesh.positions.push_back(random.vector().cast<float>());
        rig.mesh.normals.push_back(random.unit_vector().cast<float>());
        const int n = v < influences ? v + 1 : random.integer(1, influences);
        const int first = random.integer(0, joints - n);
        const std::vector<double> weights = random.weights(n);
        std::vector<model::Influence> list;
        for (int i = 0; i < n; ++i)
            list.push_back({static_cast<std::uint32_t>(first + i),
                            static_cast<float>(weights[static_cast<std::size_t>(i)])});
        rig.skin.push_vertex(list);
    }
    for (std::uint32_t v = 0; v + 2 < static_cast<std::uint32_t>(count); v += 3)
        rig.mesh.triangles.push_back({v, v + 1, v + 2});
    model::clean(rig.skin);
    return rig;
}

/// A pose in which each joint turns by up to `bend` radians against its parent, and scales when `scaled`.
std::vector<Mat34f> random_palette(Random& random, const Rig& rig, double bend, bool scaled = false) {
    std::vector<math::Transform> local;
    for (const model::Joint& joint : rig.skeleton.joints) {
        local.push_back(joint.rest);
        local.back().rotation = random.rotation(bend);
        if (scaled)
            local.back().scale =
                Vec3d(random.uniform(0.7, 1.4), random.uniform(0.7, 1.4), random.uniform(0.7, 1.4));
    }
    return deform::to_mat34(model::palette(rig.skin, model::world_matrices(rig.skeleton, local)));
}

void append(std::vector<Mat34f>& clip, const std::vector<Mat34f>& palette) {
    clip.insert(clip.end(), palette.begin(), palette.end());
}

std::vector<Mat34f> random_clip(Random& random, const Rig& rig, int frames, double bend) {
    std::vector<Mat34f> clip;
    for (int k = 0; k < frames; ++k) append(clip, random_palette(random, rig, bend));
    return clip;
}

/// The same pose on the CPU.
class Twin {
  public:
    explicit Twin(const Rig& rig)
        : skinner_(rig.mesh, rig.skin, &rig.skeleton),
          pose_(skinner_),
          floats_(rig.mesh.vertex_count() * 6) {}

    GpuVertices operator()(std::span<const Mat34f> palette, Method method) {
        degenerate_ += skinner_.deform(palette, method, pose_, {std::as_writable_bytes(std::span(floats_))})
                           .degenerate_blends;
        GpuVertices result;
        for (std::size_t i = 0; i < floats_.size(); i += 6) {
            result.positions.emplace_back(floats_[i], floats_[i + 1], floats_[i + 2]);
            result.normals.emplace_back(floats_[i + 3], floats_[i + 4], floats_[i + 5]);
        }
        return result;
    }
    std::size_t degenerate() const { return degenerate_; }

  private:
    deform::Skinner skinner_;
    deform::Skinner::Pose pose_;
    std::vector<float> floats_;
    std::size_t degenerate_ = 0;
};

/// Largest distances of positions and of normals.
struct Gap {
    double position = 0;
    double normal = 0;

    void include(const GpuVertices& a, const GpuVertices& b) {
        ASSERT_EQ(a.positions.size(), b.positions.size());
        ASSERT_EQ(a.normals.size(), b.normals.size());
        for (std::size_t i = 0; i < a.positions.size(); ++i)
            position = std::max(position, static_cast<double>((a.positions[i] - b.positions[i]).norm()));
        for (std::size_t i = 0; i < a.normals.size(); ++i)
            normal = std::max(normal, static_cast<double>((a.normals[i] - b.normals[i]).norm()));
    }
};

/// Part `index` of what a crowd of equal meshes gave.
GpuVertices member_of(const GpuVertices& all, std::size_t index, std::size_t vertices) {
    const auto first = static_cast<std::ptrdiff_t>(index * vertices),
               last = first + static_cast<std::ptrdiff_t>(vertices);
    GpuVertices result{{all.positions.begin() + first, all.positions.begin() + last}, {}};
    if (!all.normals.empty()) result.normals = {all.normals.begin() + first, all.normals.begin() + last};
    return result;
}

std::vector<CrowdMember> one_of_each_frame(std::size_t frames) {
    std::vector<CrowdMember> crowd(frames);
    for (std::size_t k = 0; k < frames; ++k) crowd[k].frame = static_cast<std::int32_t>(k);
    return crowd;
}

/// The gap over all frames of a clip.
Gap gap_to_twin(const Rig& rig, std::span<const Mat34f> clip, Method method, WeightFormat weights) {
    GpuSkinner skinner(renderer(), rig.mesh, rig.skin, &rig.skeleton, {weights, true});
    skinner.set_palettes(clip, method);
    const GpuVertices all = skinner.deform(one_of_each_frame(skinner.frame_count()));
    Twin twin(rig);
    Gap gap;
    for (std::size_t k = 0; k < skinner.frame_count(); ++k)
        gap.include(member_of(all, k, rig.mesh.vertex_count()),
                    twin(clip.subspan(k * skinner.palette_size(), skinner.palette_size()), method));
    return gap;
}

/// Weights that 16 bits hold exactly.
void quantize(model::Skin& skin) {
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) {
        std::vector<float> weights;
        for (const model::Influence& influence : skin.of(v)) weights.push_back(influence.weight);
        std::vector<std::uint16_t> steps(weights.size());
        gl::quantize_weights(weights, steps);
        for (std::size_t i = 0; i < steps.size(); ++i)
            skin.influences[skin.offsets[v] + i].weight = static_cast<float>(steps[i]) / 65535.0f;
    }
}

TEST(GpuSkinner, AgreesWithTheProcessorOnAThousandPoses) {
    Random random(1);
    const Rig rig = make_rig(random, 60, 12, 4);
    const std::vector<Mat34f> clip = random_clip(random, rig, 1000, 0.6);
    for (const Method method : shader_methods) {
        const Gap gap = gap_to_twin(rig, clip, method, WeightFormat::float32);
        EXPECT_LT(gap.position, 5e-6 * rig.size()) << name(method);
        EXPECT_LT(gap.normal, 1e-5) << name(method);
        const Gap quantized = gap_to_twin(rig, clip, method, WeightFormat::unorm16);
        EXPECT_LT(quantized.position, 2e-5 * rig.size()) << name(method);
        EXPECT_GT(quantized.position, 1e-6 * rig.size()) << name(method) << ": sixteen bits cost something";
        EXPECT_LT(quantized.normal, 1e-4) << name(method);
    }
}

TEST(GpuSkinner, AnyRotationsAtAllHaveTheSignsOfTheProcessor) {
    // Turns of up to 180 degrees at every joint: here another rule for the signs is wrong by the size of the
    // mesh.
    Random random(2);
    Rig rig = make_rig(random, 100, 10, 4);
    quantize(rig.skin);
    const std::vector<Mat34f> clip = random_clip(random, rig, 200, math::pi);
    for (const Method method : {Method::dqs, Method::sbs, Method::qlb})
        for (const WeightFormat weights : {WeightFormat::float32, WeightFormat::unorm16})
            EXPECT_LT(gap_to_twin(rig, clip, method, weights).position, 1e-4 * rig.size()) << name(method);
}

TEST(GpuSkinner, OneToEightInfluences) {
    for (int influences = 1; influences <= 8; ++influences) {
        Random random(static_cast<unsigned>(influences));
        Rig rig = make_rig(random, 80, 12, influences);
        quantize(rig.skin);
        const std::vector<Mat34f> clip = random_clip(random, rig, 20, 0.5);
        EXPECT_EQ(GpuSkinner(renderer(), rig.mesh, rig.skin, &rig.skeleton).influences(),
                  influences > 4 ? 8 : 4);
        for (const Method method : shader_methods)
            for (const WeightFormat weights : {WeightFormat::float32, WeightFormat::unorm16}) {
                const Gap gap = gap_to_twin(rig, clip, method, weights);
                EXPECT_LT(gap.position, 1e-5 * rig.size()) << name(method) << " " << influences;
                EXPECT_LT(gap.normal, 1e-4) << name(method) << " " << influences;
            }
    }
}

TEST(GpuSkinner, ScaleGoesInTwoPhases) {
    Random random(3);
    const Rig rig = make_rig(random, 80, 8, 4);
    std::vector<Mat34f> clip;  // with frames that do not scale in between
    for (int k = 0; k < 20; ++k) append(clip, random_palette(random, rig, 0.5, k % 2 == 0));
    for (const Method method : shader_methods) {
        const Gap gap = gap_to_twin(rig, clip, method, WeightFormat::float32);
        EXPECT_LT(gap.position, 1e-4 * rig.size()) << name(method);
        EXPECT_LT(gap.normal, 3e-4) << name(method);
    }
}

TEST(GpuSkinner, CancellingRotationsFollowTheHeaviestJoint) {
    // Each joint of a chain turns 144 degrees further, and takes its sign from the one before: the
    // quaternions point to the corners of a pentagon and sum to next to nothing.
    Rig rig;
    std::vector<Mat34f> palette;
    std::vector<model::Influence> list;
    for (int j = 0; j < 5; ++j) {
        model::Joint joint;
        joint.name = std::string(1, static_cast<char>('a' + j));
        joint.parent = j - 1;
        rig.skeleton.joints.push_back(joint);
        const math::Quatd turn = math::axis_angle<double>(Vec3d::UnitX(), math::radians(144.0 * j));
        palette.push_back(deform::to_mat34(math::Rigidd{turn, Vec3d(0.1 * j, 1, 0)}.matrix()));
        list.push_back({static_cast<std::uint32_t>(j), j == 2 ? 0.20002f : 0.199995f});
    }
    rig.skin.joints = model::bind_at_rest(rig.skeleton);
    rig.mesh.positions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    rig.mesh.normals = rig.mesh.positions;
    rig.mesh.triangles = {{0, 1, 2}};
    for (int v = 0; v < 3; ++v) rig.skin.push_vertex(list);
    for (const Method method : {Method::dqs, Method::sbs}) {
        Twin twin(rig);
        const GpuVertices expected = twin(palette, method);
        EXPECT_GT(twin.degenerate(), 0u) << name(method);
        Gap gap;
        gap.include(deform_on_gpu(renderer(), rig.mesh, rig.skin, &rig.skeleton, palette, method,
                                  {WeightFormat::float32, true}),
                    expected);
        EXPECT_LT(gap.position, 1e-5) << name(method);
        EXPECT_LT(gap.normal, 1e-5) << name(method);
    }
}

TEST(GpuSkinner, AWholeClipEqualsItsFrames) {
    Random random(4);
    const Rig rig = make_rig(random, 50, 8, 4);
    const std::vector<Mat34f> clip = random_clip(random, rig, 12, 0.8);
    for (const Method method : shader_methods) {
        GpuSkinner skinner(renderer(), rig.mesh, rig.skin, &rig.skeleton);
        skinner.set_palettes(clip, method);
        ASSERT_EQ(skinner.frame_count(), 12u);
        for (std::size_t k = 0; k < 12; ++k) {
            const GpuVertices alone = deform_on_gpu(renderer(), rig.mesh, rig.skin, &rig.skeleton,
                                                    std::span(clip).subspan(k * 8, 8), method);
            const GpuVertices frame = skinner.deform(k);
            EXPECT_EQ(frame.positions, alone.positions) << name(method) << " frame " << k;
            EXPECT_EQ(frame.normals, alone.normals) << name(method) << " frame " << k;
        }
    }
}

TEST(GpuSkinner, ACrowdEqualsItsMembersMoved) {
    Random random(5);
    const Rig rig = make_rig(random, 50, 8, 4);
    GpuSkinner skinner(renderer(), rig.mesh, rig.skin, &rig.skeleton);
    skinner.set_palettes(random_clip(random, rig, 5, 0.8), Method::dqs);
    std::vector<CrowdMember> crowd(40);
    for (CrowdMember& member : crowd) {
        member.frame = random.integer(0, 4);
        member.placement = random.rigid(3).matrix().cast<float>();
        member.placement.topLeftCorner<3, 3>() *= math::Vec3f(1, 2, 0.5f).asDiagonal();
    }
    const GpuVertices all = skinner.deform(crowd);
    ASSERT_EQ(all.positions.size(), 40u * 50u);
    for (std::size_t m = 0; m < crowd.size(); ++m) {
        GpuVertices moved = skinner.deform(static_cast<std::size_t>(crowd[m].frame));
        const math::Mat3<float> linear = crowd[m].placement.topLeftCorner<3, 3>();
        for (math::Vec3f& p : moved.positions) p = linear * p + crowd[m].placement.topRightCorner<3, 1>();
        for (math::Vec3f& n : moved.normals) n = (linear.inverse().transpose() * n).normalized();
        Gap gap;
        gap.include(member_of(all, m, 50), moved);
        EXPECT_LT(gap.position, 1e-5) << m;
        EXPECT_LT(gap.normal, 1e-5) << m;
    }
    const Box box = skinner.bounds(crowd);
    for (const math::Vec3f& p : all.positions)
        EXPECT_TRUE(((p - box.low).array() > -1e-4f).all() && ((box.high - p).array() > -1e-4f).all());
}

TEST(GpuSkinner, NormalsAreOptionalAndInexactOnRequest) {
    Random random(6);
    Rig rig = make_rig(random, 30, 6, 4);
    const std::vector<Mat34f> palette = random_palette(random, rig, 0.8, true);
    const auto run = [&](bool exact) {
        return deform_on_gpu(renderer(), rig.mesh, rig.skin, &rig.skeleton, palette, Method::lbs,
                             {WeightFormat::float32, exact});
    };
    Gap gap;
    gap.include(run(true), run(false));
    EXPECT_EQ(gap.position, 0);
    EXPECT_GT(gap.normal, 0.01);
    rig.mesh.normals.clear();
    EXPECT_TRUE(run(true).normals.empty());
    EXPECT_EQ(run(true).positions.size(), 30u);
}

TEST(GpuSkinner, QuantizedWeightsAreConvex) {
    Random random(7);
    for (int round = 0; round < 500; ++round) {
        const int n = random.integer(1, 8);
        std::vector<float> weights;
        for (const double w : random.weights(n)) weights.push_back(static_cast<float>(w));
        std::vector<std::uint16_t> steps(weights.size());
        gl::quantize_weights(weights, steps);
        EXPECT_EQ(std::accumulate(steps.begin(), steps.end(), 0), 65535);
        for (std::size_t i = 0; i < steps.size(); ++i)
            EXPECT_NEAR(steps[i], static_cast<double>(weights[i]) * 65535, 1.01);
    }
}

TEST(GpuSkinner, RefusesWhatDoesNotFit) {
    Random random(8);
    const Rig rig = make_rig(random, 20, 10, 4);
    GpuSkinner skinner(renderer(), rig.mesh, rig.skin, &rig.skeleton);
    std::vector<Mat34f> clip = random_clip(random, rig, 3, 0.5);
    EXPECT_THROW(skinner.deform(0), Error) << "nothing uploaded yet";
    EXPECT_THROW(skinner.set_palettes({}, Method::lbs), Error);
    EXPECT_THROW(skinner.set_palettes(std::span(clip).first(25), Method::lbs), Error);
    EXPECT_THROW(skinner.set_palettes(clip, Method::dib), Error);
    skinner.set_palettes(clip, Method::sbs);
    EXPECT_THROW(skinner.deform(3), Error);
    const std::array<CrowdMember, 2> wrong = {CrowdMember{}, CrowdMember{.frame = -1}};
    EXPECT_THROW(skinner.deform(wrong), Error);
    clip[14].rows[1][2] = std::numeric_limits<float>::quiet_NaN();
    for (const Method method : shader_methods) EXPECT_THROW(skinner.set_palettes(clip, method), Error);
    EXPECT_EQ(skinner.deform(2).positions.size(), 20u) << "the palettes from before stay";
    EXPECT_THROW(
        deform_on_gpu(renderer(), rig.mesh, rig.skin, nullptr, std::span(clip).first(20), Method::lbs),
        Error);

    geometry::Mesh longer = rig.mesh;
    longer.positions.emplace_back(0, 0, 0);
    longer.normals.emplace_back(0, 0, 1);
    EXPECT_THROW(GpuSkinner(renderer(), longer, rig.skin, nullptr), Error);
    const Rig many = make_rig(random, 20, 12, 9);
    EXPECT_THROW(GpuSkinner(renderer(), many.mesh, many.skin, nullptr), Error);
}

/// All frames of the first clip of a character.
std::vector<Mat34f> clip_of(const model::Character& character) {
    const model::PackedClip walk = model::pack(character.clips[0], character.skeleton);
    deform::Player player(character.skeleton, character.skin.joints);
    std::vector<Mat34f> clip;
    for (std::size_t k = 0; k < walk.frame_count; ++k) {
        player.play(walk, walk.start + static_cast<double>(k) / walk.rate);
        clip.insert(clip.end(), player.palette().begin(), player.palette().end());
    }
    return clip;
}

TEST(GpuSkinner, ACrowdIsDrawnLikeMeshes) {
    // A bent tube drawn by the shaders and the same tube deformed on the CPU give the same picture.
    model::Character tube = test::bent_tube();
    tube.mesh.normals = geometry::vertex_normals(tube.mesh.positions, tube.mesh.triangles);
    GpuSkinner skinner(renderer(), tube.mesh, tube.skin, &tube.skeleton, {WeightFormat::float32, true});
    skinner.set_palettes(clip_of(tube), Method::dqs);
    const std::size_t last = skinner.frame_count() - 1;
    const std::array<CrowdMember, 1> members = {CrowdMember{.frame = static_cast<std::int32_t>(last)}};
    Scene scene;
    scene.crowds = {{&skinner, members}};
    const Camera camera = fit(View::three_quarter, skinner.bounds(members), 1);
    const Picture drawn = renderer().render(scene, camera, {160, 160, 4});

    const GpuVertices vertices = skinner.deform(last);
    geometry::Mesh mesh = tube.mesh;
    mesh.positions = vertices.positions;
    mesh.normals = vertices.normals;
    const MeshHold hold(renderer(), mesh);
    Scene plain;
    plain.drawables.emplace_back().mesh = hold.id();
    const Picture expected = renderer().render(plain, camera, {160, 160, 4});
    EXPECT_LT(mean_difference(drawn, expected), 1);
    EXPECT_GT(mean_difference(drawn, renderer().render(Scene{}, camera, {160, 160, 4})), 5);
}

TEST(GpuSkinner, AForeignCrowdIsRefused) {
    const model::Character tube = test::bent_tube();
    Renderer other;
    GpuSkinner skinner(other, tube.mesh, tube.skin, &tube.skeleton);
    Scene scene;
    scene.crowds = {{&skinner, {}}};
    EXPECT_THROW(renderer().render(scene, Camera{}, {32, 32, 1}), Error);
    scene.crowds = {{nullptr, {}}};
    EXPECT_THROW(renderer().render(scene, Camera{}, {32, 32, 1}), Error);
}

}  // namespace
}  // namespace sinew::render
