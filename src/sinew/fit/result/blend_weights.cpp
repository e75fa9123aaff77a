// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cassert>

#include "sinew/fit/fit.h"

namespace sinew::fit {

void BlendWeights::set(std::size_t vertex, std::span<const BoneWeight> weights) {
    assert(weights.size() <= limit_);
    std::copy(weights.begin(), weights.end(),
              entries_.begin() + static_cast<std::ptrdiff_t>(vertex * limit_));
    std::fill_n(entries_.begin() + static_cast<std::ptrdiff_t>(vertex * limit_ + weights.size()),
                limit_ - weights.size(), BoneWeight{});
    counts_[vertex] = static_cast<std::uint32_t>(weights.size());
}

BlendWeights limited(const BlendWeights& weights, std::size_t limit) {
    if (limit == 0 || limit >= weights.limit()) return weights;
    BlendWeights result(weights.vertex_count(), limit);
    std::vector<BoneWeight> list;
    for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
        list.assign(weights.of(v).begin(), weights.of(v).end());
        std::stable_sort(list.begin(), list.end(),
                         [](const BoneWeight& a, const BoneWeight& b) { return a.weight > b.weight; });
        list.resize(std::min(list.size(), limit));
        double sum = 0;
        for (const BoneWeight& w : list) sum += w.weight;
        for (BoneWeight& w : list) w.weight /= sum;
        std::sort(list.begin(), list.end(),
                  [](const BoneWeight& a, const BoneWeight& b) { return a.bone < b.bone; });
        result.set(v, list);
    }
    return result;
}

BlendWeights with_limit(const BlendWeights& weights, std::size_t limit) {
    const BlendWeights given = limited(weights, limit);
    BlendWeights result(given.vertex_count(), limit);
    for (std::size_t v = 0; v < given.vertex_count(); ++v) result.set(v, given.of(v));
    return result;
}

model::Skin to_skin(const BlendWeights& weights, std::span<const model::Vec3d> centers) {
    model::Skin skin;
    for (std::size_t j = 0; j < centers.size(); ++j) {
        model::SkinJoint& joint = skin.joints.emplace_back();
        joint.joint = static_cast<int>(j);
        joint.inverse_bind.topRightCorner<3, 1>() = -centers[j];
    }
    std::vector<model::Influence> list;
    for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
        list.clear();
        for (const BoneWeight& w : weights.of(v)) list.push_back({w.bone, static_cast<float>(w.weight)});
        skin.push_vertex(list);
    }
    model::clean(skin);
    return skin;
}

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
