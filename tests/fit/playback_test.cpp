// A fit as others play it: through joints and morphs on the processor, through dual quaternions on the card.

#include "fit/sequences.h"
#include <gtest/gtest.h>

#include "sinew/deform/reference.h"
#include "sinew/fit/character.h"
#include "sinew/fit/corrections.h"
#include "sinew/fit/decomposition.h"
#include "sinew/fit/proxy.h"
#include "sinew/render/gpu_skinner.h"

namespace sinew::fit {
namespace {

model::MeshSequence rolling() {
    return test::played(test::sheet(14, 0.2), 6, test::rolled);
}

/// Farthest that played positions lie from those of the fit.
double difference(const std::vector<Vec3d>& expected, const std::vector<math::Vec3f>& played) {
    double most = expected.size() == played.size() ? 0 : 1e9;
    for (std::size_t v = 0; v < played.size(); ++v)
        most = std::max(most, (expected[v] - played[v].cast<double>()).norm());
    return most;
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
    std::vector<deform::Mat34f> palettes;
    for (const BonePose& pose : fit.frames) {
        for (const math::DualQuatd& q : pose.duals) {
            math::Mat4d whole = math::Mat4d::Identity();
            whole.topRows<3>() = to_matrix(q);
            palettes.push_back(deform::to_mat34(whole));
        }
    }
    skinner.set_palettes(palettes, deform::Method::dqs);
    ASSERT_EQ(skinner.frame_count(), fit.frames.size());
    for (std::size_t f = 0; f < fit.frames.size(); ++f)
        EXPECT_LT(difference(deformed(fit, f), skinner.deform(f).positions), 1e-5 * test::diagonal(fit.rest));
}

}  // namespace
}  // namespace sinew::fit
