// SPDX-License-Identifier: MIT
// A fit as others play it: through joints and morphs on the processor, through dual quaternions on the card.

#include "fit/sequences.h"
#include "reference/deform/reference.h"
#include <gtest/gtest.h>

#include "sinew/fit/decomposition/corrections.h"
#include "sinew/fit/decomposition/decomposition.h"
#include "sinew/fit/proxy/proxy.h"
#include "sinew/fit/result/character.h"
#include "sinew/render/gl/gpu_skinner.h"

namespace sinew::fit {
namespace playback_test {

model::MeshSequence rolling() {
    return test::played(test::sheet(14, 0.2), 6, test::rolled);
}

/// Farthest that played positions lie from those of the fit.
double difference(const std::vector<Vec3d>& expected, const std::vector<math::Vec3f>& played) {
    double largest = expected.size() == played.size() ? 0 : 1e9;
    for (std::size_t v = 0; v < played.size(); ++v)
        largest = std::max(largest, (expected[v] - played[v].cast<double>()).norm());
    return largest;
}

/// Matrices of all joints, frame after frame.
std::vector<deform::Mat34f> palettes_of(const FitResult& fit) {
    std::vector<deform::Mat34f> palettes;
    for (const BonePose& pose : fit.frames) {
        for (const math::DualQuatd& q : pose.duals) {
            math::Mat4d whole = math::Mat4d::Identity();
            whole.topRows<3>() = to_matrix(q);
            palettes.push_back(deform::to_mat34(whole));
        }
    }
    return palettes;
}

TEST(FitPlayback, CorrectionsArePlayedAsMorphsBeforeTheBones) {
    const model::MeshSequence sequence = rolling();
    for (const bool rigid : {true, false}) {
        FitResult fit = fit_decomposition(sequence, {.bones = 4, .rigid = rigid});
        fit.corrections = eigen_displacements(fit, sequence, 3);
        EXPECT_LT(fit_error(sequence, fit).rms, 0.5 * fit_error(sequence, fit, 0).rms);
        const model::Character character = to_character(fit);
        ASSERT_EQ(character.mesh.morphs.size(), 3u);
        for (std::size_t f = 0; f < fit.frames.size(); ++f) {
            const auto played = deform::deform(character, &character.clips[0],
                                               static_cast<double>(f) / fit.rate, deform::Method::lbs);
            EXPECT_LT(difference(deformed(fit, f), played.positions), 1e-4) << rigid << f;
        }
    }
}

TEST(FitPlayback, TheCardBlendsTheDualQuaternionsOfTheFit) {
    const model::MeshSequence sequence = rolling();
    ProxyOptions options;
    options.joints = 12;
    options.hats.influences = 4;
    const FitResult fit = fit_proxy(sequence, options);
    render::Renderer renderer;
    render::GpuSkinner skinner(renderer, fit.rest, to_skin(fit.weights, fit.centers), nullptr,
                               {.weights = render::WeightFormat::float32});
    skinner.set_palettes(palettes_of(fit), deform::Method::dqs);
    ASSERT_EQ(skinner.frame_count(), fit.frames.size());
    for (std::size_t f = 0; f < fit.frames.size(); ++f)
        EXPECT_LT(difference(deformed(fit, f), skinner.deform(f).positions), 1e-5 * test::diagonal(fit.rest));
}

TEST(FitPlayback, ACrowdOnTheCardLooksLikeVerticesThatAreSent) {
    ProxyOptions options;
    options.joints = 12;
    options.hats.influences = 4;
    FitResult fit = fit_proxy(rolling(), options);
    fit.rest.normals = geometry::vertex_normals(fit.rest.positions, fit.rest.triangles);
    render::Renderer renderer;
    render::GpuSkinner skinner(renderer, fit.rest, to_skin(fit.weights, fit.centers), nullptr,
                               {.weights = render::WeightFormat::float32});
    skinner.set_palettes(palettes_of(fit), deform::Method::dqs);
    std::vector<render::CrowdMember> members(3);
    for (int i = 0; i < 3; ++i) {
        members[static_cast<std::size_t>(i)].frame = 2 * i;
        members[static_cast<std::size_t>(i)].placement.topRightCorner<3, 1>() =
            math::Vec3f(1.3f * static_cast<float>(i), 0, -0.2f * static_cast<float>(i));
    }
    // Every instance on its own, as vertices.
    render::Scene sent, skinned;
    std::vector<std::unique_ptr<render::MeshHold>> meshes;
    std::vector<std::vector<math::Vec3f>> positions(3), normals(3);
    const render::GpuVertices read = skinner.deform(members);
    const std::size_t count = fit.rest.positions.size();
    for (std::size_t i = 0; i < 3; ++i) {
        const auto frame = static_cast<std::size_t>(members[i].frame);
        const math::Vec3f position = members[i].placement.topRightCorner<3, 1>();
        for (const Vec3d& p : deformed(fit, frame)) positions[i].push_back(p.cast<float>() + position);
        for (const Vec3d& n : deformed_normals(fit, frame)) normals[i].push_back(n.cast<float>());
        for (std::size_t v = 0; v < count; ++v)
            EXPECT_LT((read.positions[i * count + v] - positions[i][v]).norm(), 1e-5f);
        meshes.push_back(std::make_unique<render::MeshHold>(renderer, fit.rest));
        render::Drawable& drawable = sent.drawables.emplace_back();
        drawable.mesh = meshes[i]->id();
        drawable.positions = positions[i];
        drawable.normals = normals[i];
    }
    skinned.crowds.push_back({&skinner, members});
    const render::Camera camera =
        render::fit(render::axes_of(0.6f, 0.4f), skinner.bounds(members), 320.0f / 200);
    const render::Picture a = renderer.render(skinned, camera, {320, 200, 4});
    const render::Picture b = renderer.render(sent, camera, {320, 200, 4});
    EXPECT_LT(render::mean_difference(a, b), 0.1);
    // And the picture shows something.
    const render::Picture empty = renderer.render(render::Scene{}, camera, {320, 200, 4});
    EXPECT_GT(render::mean_difference(a, empty), 2);
}

}  // namespace playback_test
}  // namespace sinew::fit
