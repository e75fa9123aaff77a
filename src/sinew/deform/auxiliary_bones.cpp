#include "sinew/deform/auxiliary_bones.h"

#include <algorithm>
#include <map>
#include <optional>

#include "sinew/base/error.h"
#include "sinew/deform/blend.h"

namespace sinew::deform {
namespace {

using math::Mat4d;
using math::Quatd;
using math::Vec3d;
using model::Influence;
using model::Skin;

bool is_parent(const Skin& skin, const model::Skeleton& skeleton, std::uint32_t parent, std::uint32_t child) {
    return skeleton.joints[static_cast<std::size_t>(skin.joints[child].joint)].parent ==
           skin.joints[parent].joint;
}

/// Places in the list of a parent and its child that together weigh most.
std::optional<std::pair<std::size_t, std::size_t>> heaviest_pair(const Skin& skin,
                                                                 const model::Skeleton& skeleton,
                                                                 std::span<const Influence> list) {
    std::optional<std::pair<std::size_t, std::size_t>> best;
    float most = 0;
    for (std::size_t a = 0; a < list.size(); ++a)
        for (std::size_t b = 0; b < list.size(); ++b) {
            const float weight = list[a].weight + list[b].weight;
            if (a == b || weight <= most || !is_parent(skin, skeleton, list[a].joint, list[b].joint))
                continue;
            best = {a, b};
            most = weight;
        }
    return best;
}

/// Bones of pairs, made when a vertex first needs them.
class PairTable {
  public:
    PairTable(AuxiliaryBones& result) : result_(result) {}  // NOLINT: internal

    const AuxiliaryBones::Pair& of(std::uint32_t parent, std::uint32_t child) {
        const auto [found, added] = index_.try_emplace({parent, child}, result_.pairs.size());
        if (added) {
            const Mat4d bind = result_.skin.joints[child].inverse_bind;  // a copy: the list grows below
            result_.pairs.push_back(
                {parent, child, static_cast<std::uint32_t>(result_.skin.joints.size()), rest_center(bind)});
            for (int i = 0; i < result_.count; ++i)
                result_.skin.joints.push_back({result_.skin.joints[parent].joint, bind});
        }
        return result_.pairs[found->second];
    }

  private:
    AuxiliaryBones& result_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> index_;
};

/// Shares `weight` at u in [0, 1] among parent, bones and child by tents.
void share(std::vector<Influence>& list, const AuxiliaryBones::Pair& pair, int count, float weight, float u) {
    const float place = u * static_cast<float>(count + 1);
    const int low = std::min(static_cast<int>(place), count);
    const float fraction = place - static_cast<float>(low);
    const auto entry = [&](int i) {
        if (i == 0) return pair.parent;
        return i == count + 1 ? pair.child : pair.first + static_cast<std::uint32_t>(i - 1);
    };
    list.push_back({entry(low), weight * (1 - fraction)});
    list.push_back({entry(low + 1), weight * fraction});
}

void check(const Skin& skin, const model::Skeleton& skeleton, int count) {
    if (count < 1 || count > 16)
        fail("auxiliary bones", "{} between two joints: 1 to 16 are possible", count);
    for (const model::SkinJoint& entry : skin.joints)
        if (entry.joint < 0 || static_cast<std::size_t>(entry.joint) >= skeleton.size())
            fail("auxiliary bones", "the skin names joint {}, the skeleton has {}", entry.joint,
                 skeleton.size());
}

}  // namespace

AuxiliaryBones add_auxiliary_bones(const Skin& skin, const model::Skeleton& skeleton,
                                   const AuxiliaryBoneOptions& options) {
    check(skin, skeleton, options.count);
    AuxiliaryBones result;
    result.count = options.count;
    result.skin.joints = skin.joints;
    PairTable pairs(result);
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) {
        const std::span<const Influence> list = skin.of(v);
        const auto best = heaviest_pair(skin, skeleton, list);
        std::vector<Influence> shared;
        for (std::size_t i = 0; i < list.size(); ++i)
            if (!best || (i != best->first && i != best->second)) shared.push_back(list[i]);
        if (best) {
            const Influence parent = list[best->first], child = list[best->second];
            const float weight = parent.weight + child.weight;
            share(shared, pairs.of(parent.joint, child.joint), options.count, weight, child.weight / weight);
        }
        result.skin.push_vertex(shared);
    }
    model::clean(result.skin);
    return result;
}

std::vector<Mat4d> AuxiliaryBones::palette(std::span<const Mat4d> original) const {
    const std::size_t own = skin.joints.size() - pairs.size() * static_cast<std::size_t>(count);
    if (original.size() != own)
        fail("auxiliary bones", "the palette has {} matrices, the skin {} joints", original.size(), own);
    std::vector<Mat4d> result(original.begin(), original.end());
    for (const Pair& pair : pairs) {
        const Quatd parent = math::from_matrix<double>(original[pair.parent].topLeftCorner<3, 3>());
        const Quatd child = math::from_matrix<double>(original[pair.child].topLeftCorner<3, 3>());
        const Vec3d place = math::transform_point(original[pair.child], pair.pivot);
        for (int i = 1; i <= count; ++i) {
            const Quatd q = math::slerp(static_cast<double>(i) / (count + 1), parent, child);
            result.push_back(math::Rigidd{q, place - q * pair.pivot}.matrix());
        }
    }
    return result;
}

}  // namespace sinew::deform
