#include "sinew/fit/size.h"

namespace sinew::fit {

double published_ratio(std::size_t vertices, std::size_t frames, std::size_t joints) {
    const auto m = static_cast<double>(vertices), n = static_cast<double>(frames);
    return 6 * m * n / (6 * m + 12 * static_cast<double>(joints) * n);
}

std::size_t sequence_bytes(std::size_t vertices, std::size_t frames) {
    return 4 * 6 * vertices * frames;
}

FitSize size_of(const FitResult& fit) {
    const std::size_t m = fit.rest.positions.size(), n = fit.frames.size(), p = fit.bone_count();
    FitSize size;
    size.rest = 4 * 6 * m;
    size.weights = fit.weights.limit() * (p > 256 ? 3 : 2) * m;
    size.joints = 12 * p;
    // Dual quaternion 8, rotation and translation 7, matrix 12; normals: quaternion 4, matrix 9.
    const std::size_t position = fit.blend == Blend::dual ? 8 : fit.rigid ? 7 : 12;
    const std::size_t normal = fit.normals.empty() ? 0 : fit.normals[0].matrices.empty() ? 4 : 9;
    size.motions = 4 * (position + normal) * p * n;
    size.corrections = 4 * (fit.corrections.count() + fit.normal_corrections.count()) * (3 * m + n);
    return size;
}

}  // namespace sinew::fit
