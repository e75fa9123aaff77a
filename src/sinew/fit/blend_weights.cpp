#include "sinew/fit/blend_weights.h"

#include <algorithm>
#include <cassert>

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

BlendWeights with_room(const BlendWeights& weights, std::size_t limit) {
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

BlendWeights from_skin(const model::Skin& skin) {
    std::size_t limit = 1;
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) limit = std::max(limit, skin.of(v).size());
    BlendWeights weights(skin.vertex_count(), limit);
    std::vector<BoneWeight> list;
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) {
        list.clear();
        double sum = 0;
        for (const model::Influence& i : skin.of(v)) {
            list.push_back({i.joint, static_cast<double>(i.weight)});
            sum += list.back().weight;
        }
        for (BoneWeight& w : list) w.weight /= sum;
        weights.set(v, list);
    }
    return weights;
}

}  // namespace sinew::fit
