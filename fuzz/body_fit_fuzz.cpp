// SPDX-License-Identifier: MIT
// Any mesh that bends and shakes: a fit whose frames are finite, or an Error.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "support/odd_mesh.h"

#include "sinew/base/error.h"
#include "sinew/fit/fit.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    test::Dice dice({data, size});
    fit::FitOptions options;
    constexpr fit::FitMethod methods[] = {fit::FitMethod::automatic, fit::FitMethod::decomposition,
                                          fit::FitMethod::proxy};
    options.method = methods[dice.pick(3)];
    options.bones = 1 + dice.pick(8);
    options.influences = 1 + dice.pick(5);
    options.rigid = dice.pick(3) > 0;
    options.corrections = static_cast<std::size_t>(dice.pick(3));
    options.effort = 1;
    model::MeshSequence sequence;
    sequence.rest = test::odd_mesh(dice);
    const auto extent = static_cast<double>(geometry::bounds(sequence.rest.positions).diagonal());
    const int frames = 1 + dice.pick(5);
    for (int f = 0; f < frames; ++f) {
        const math::Vec3d axis = (dice.point() + math::Vec3d(0, 0, 2)).normalized();
        const double turn = dice.between(-3, 3), noise = dice.pick(3) == 0 ? 0.05 * extent : 0;
        const int split = dice.pick(3);
        std::vector<geometry::Vec3f> frame = sequence.rest.positions;
        for (geometry::Vec3f& p : frame) {
            if (p[split] > 0) p = (Eigen::AngleAxisd(turn, axis) * p.cast<double>()).cast<float>();
            if (noise > 0) p += (noise * dice.point()).cast<float>();
        }
        sequence.frames.push_back(std::move(frame));
    }
    try {
        const fit::Fitted fitted = fit::fit(sequence, options);
        if (fitted.fit.frames.size() != sequence.frames.size()) std::abort();
        for (std::size_t f = 0; f < sequence.frames.size(); ++f)
            for (const math::Vec3d& p : fit::deformed(fitted.fit, f))
                if (!p.allFinite()) std::abort();
        if (!(fitted.error.rms >= 0)) std::abort();
    } catch (const Error& error) {
        if (error.reason().size() < 10) std::abort();
    }
    return 0;
}
