#include <algorithm>
#include <cmath>

#include "sinew/io/gltf/primitives.h"

namespace sinew::io::gltf {
namespace {

using model::Influence;
using model::Skin;

/// Vertices decoded at a time, so that the unpacked values stay in the cache.
constexpr std::size_t chunk = 256;

/// Sum of float weights that is 1 within rounding: what a well-written file has, and what the validator
/// accepts.
bool sums_to_one(double sum, std::size_t count) {
    return std::abs(sum - 1) <= 1e-7 * static_cast<double>(std::max<std::size_t>(count, 1));
}

void sort_by_joint(std::span<Influence> list) {
    for (std::size_t i = 1; i < list.size(); ++i) {
        const Influence moved = list[i];
        std::size_t place = i;
        for (; place > 0 && list[place - 1].joint > moved.joint; --place) list[place] = list[place - 1];
        list[place] = moved;
    }
}

/// Sorts the influences of one vertex by joint and says whether they are canonical. Weights that only suffer
/// from rounding or few bits are scaled here; anything worse is left for model::clean, which counts and
/// reports it.
bool tidy(std::span<Influence> list) {
    double sum = 0;
    bool positive = true, rising = true;
    for (std::size_t i = 0; i < list.size(); ++i) {
        sum += static_cast<double>(list[i].weight);
        positive &= list[i].weight > 0;
        rising &= i == 0 || list[i - 1].joint < list[i].joint;
    }
    if (!rising) {
        sort_by_joint(list);
        const auto same = [](const Influence& a, const Influence& b) { return a.joint == b.joint; };
        if (std::adjacent_find(list.begin(), list.end(), same) != list.end()) return false;
    }
    if (!positive || !(std::abs(sum - 1) <= 1e-3)) return false;
    if (!sums_to_one(sum, list.size())) {
        for (Influence& influence : list) influence.weight = static_cast<float>(influence.weight / sum);
    }
    return true;
}

/// Influences of runs of vertices from all sets of a block.
class Unpacker {
  public:
    explicit Unpacker(const Block& block) : block_(block) {
        for (const auto& [joints, weights] : block.influences) {
            // Elements of a sparse accessor cannot be taken in slices.
            if (joints.sparse.count + weights.sparse.count > 0) run_ = block.count;
        }
        joints_.resize(4 * run_ * block.influences.size());
        weights_.resize(joints_.size());
        list_.resize(joints_.size());
    }

    /// Appends all vertices of the block; false when one of them needs cleaning.
    bool append_all(Skin& skin) {
        bool good = true;
        for (std::size_t first = 0; first < block_.count; first += run_) {
            const std::size_t count = std::min(run_, block_.count - first);
            for (std::size_t s = 0; s < block_.influences.size(); ++s) {
                const auto& [joints, weights] = block_.influences[s];
                read_integers(slice(joints, first, count),
                              std::span(joints_).subspan(4 * run_ * s, 4 * count));
                read_floats(slice(weights, first, count),
                            std::span(weights_).subspan(4 * run_ * s, 4 * count));
            }
            good &= append_run(count, skin);
        }
        return good;
    }

  private:
    bool append_run(std::size_t count, Skin& skin) {
        bool good = true;
        std::size_t used = 0;
        const auto start = static_cast<std::uint32_t>(skin.influences.size());
        for (std::size_t v = 0; v < count; ++v) {
            const std::size_t first = used;
            for (std::size_t s = 0; s < block_.influences.size(); ++s) used = gather(s, v, used);
            good &= tidy({list_.data() + first, used - first});
            skin.offsets.push_back(start + static_cast<std::uint32_t>(used));
        }
        skin.influences.insert(skin.influences.end(), list_.begin(),
                               list_.begin() + static_cast<std::ptrdiff_t>(used));
        return good;
    }

    /// Puts the influences of one set of a vertex behind the `used` ones that are there.
    std::size_t gather(std::size_t set, std::size_t vertex, std::size_t used) {
        const std::vector<std::uint32_t>& palette = block_.binding->palette;
        const std::size_t first = 4 * (run_ * set + vertex);
        for (std::size_t i = first; i < first + 4; ++i) {
            if (weights_[i] == 0) continue;  // padding
            if (joints_[i] >= palette.size()) {
                block_.influences[set].first.where.fail("joint {} of a skin of {}", joints_[i],
                                                        palette.size());
            }
            list_[used++] = {palette[joints_[i]], weights_[i]};
        }
        return used;
    }

    const Block& block_;
    std::size_t run_ = chunk;
    std::vector<std::uint32_t> joints_;
    std::vector<float> weights_;
    std::vector<Influence> list_;
};

/// The first palette entry of the block that a vertex belongs to.
std::uint32_t first_entry(const Plan& plan, std::size_t vertex) {
    const auto after = std::upper_bound(plan.blocks.begin(), plan.blocks.end(), vertex,
                                        [](std::size_t v, const Block& block) { return v < block.first; });
    return std::prev(after)->binding->palette.front();
}

}  // namespace

bool read_weights(const Plan& plan, Skin& skin) {
    skin.offsets.reserve(plan.vertex_count + 1);
    skin.influences.reserve(plan.weight_count);
    bool good = true;
    for (const Block& block : plan.blocks) {
        if (block.binding->skinned) {
            good &= Unpacker(block).append_all(skin);
        } else {
            const Influence whole{block.binding->palette.front(), 1};
            for (std::size_t v = 0; v < block.count; ++v) skin.push_vertex({&whole, 1});
        }
    }
    return good;
}

void clean_weights(const Document& document, const Plan& plan, Skin& skin) {
    const model::SkinCleanReport report =
        model::clean(skin, {}, [&](std::size_t vertex) { return first_entry(plan, vertex); });
    model::warn_about(report, document.file(), document.monitor());
}

}  // namespace sinew::io::gltf
