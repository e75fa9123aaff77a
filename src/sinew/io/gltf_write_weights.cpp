#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/io/gltf/write.h"

namespace sinew::io::gltf {
namespace {

using model::Influence;
using model::Skin;

constexpr std::size_t most_influences = 8;

/// The influences of one vertex as they are written: at most 8, and when there are more than one set the
/// heaviest come first, so that a program that reads only one set keeps the best four.
void choose(std::span<const Influence> all, std::vector<Influence>& list) {
    list.assign(all.begin(), all.end());
    if (list.size() > 4) {
        std::stable_sort(list.begin(), list.end(),
                         [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    }
    if (list.size() > most_influences) list.resize(most_influences);
}

/// Weights whose sum is 1 within 1e-7 for each of them; the validator allows twice that. Those that already
/// are stay bit for bit.
void normalize(std::vector<Influence>& list) {
    double sum = 0;
    for (const Influence& influence : list) sum += static_cast<double>(influence.weight);
    if (std::abs(sum - 1) <= 1e-7 * static_cast<double>(list.size())) return;
    for (Influence& influence : list) influence.weight = static_cast<float>(influence.weight / sum);
}

template <class Index>
void write_views(const Writer& writer, WeightViews& views) {
    const Skin& skin = writer.character.skin;
    const std::size_t vertices = skin.vertex_count();
    std::vector<Index> joints(4 * vertices * views.sets);
    std::vector<float> weights(4 * vertices * views.sets);
    std::vector<Influence> list;
    for (std::size_t v = 0; v < vertices; ++v) {
        choose(skin.of(v), list);
        normalize(list);
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::size_t place = 4 * (vertices * (i / 4) + v) + i % 4;
            joints[place] = static_cast<Index>(list[i].joint);
            weights[place] = list[i].weight;
        }
    }
    for (std::size_t s = 0; s < views.sets; ++s) {
        const std::span<const Index> set(joints.data() + 4 * vertices * s, 4 * vertices);
        views.joints.push_back(writer.out.add_view(set, ViewTarget::vertices, 4 * sizeof(Index)));
        const std::span<const float> set_weights(weights.data() + 4 * vertices * s, 4 * vertices);
        views.weights.push_back(writer.out.add_view(set_weights, ViewTarget::vertices, 16));
    }
}

}  // namespace

WeightViews write_weights(const Writer& writer) {
    const Skin& skin = writer.character.skin;
    WeightViews views;
    if (skin.empty()) return views;
    if (skin.joints.size() > std::numeric_limits<std::uint16_t>::max()) {
        fail(writer.file, "{} skin joints are more than the format can hold", skin.joints.size());
    }
    std::size_t most = 0, cut = 0;
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) {
        most = std::max(most, skin.of(v).size());
        cut += skin.of(v).size() > most_influences;
    }
    if (cut > 0) {
        warn(writer.monitor, "gltf-influences",
             "{}: {} vertices have more than {} influences; the heaviest are kept", writer.file, cut,
             most_influences);
    }
    views.sets = most > 4 ? 2 : 1;
    const bool small = skin.joints.size() <= 255;
    views.joint_component = small ? Component::u8 : Component::u16;
    small ? write_views<std::uint8_t>(writer, views) : write_views<std::uint16_t>(writer, views);
    return views;
}

}  // namespace sinew::io::gltf
