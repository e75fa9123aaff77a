#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"
#include "sinew/rig/bind/linkage.h"
#include "sinew/rig/bind/region_grow_prior.h"

namespace sinew::rig {
namespace {

/// The skin around a joint.
struct Around {
    double area = 0;
    double bones = 0;   // area that is nearer to the middle of its bones
    double spread = 0;  // mean distance from the joint, times area
    Vec3d sum = Vec3d::Zero();
};

/// The joint that owns the nearest bone, and whether the joint itself is the nearest place of it.
struct Nearest {
    int joint = -1;
    bool at_joint = false;
};
std::vector<Nearest> nearest_places(const RegionSurface& surface, const Linkage& linkage) {
    std::vector<BoneSegment> bones;
    for (const int j : linkage.order) {
        const LinkedJoint& joint = linkage.joints[at(j)];
        bones.push_back({j, joint.position, joint.position});
        // A virtual end is a guess, which the skin is to correct.
        for (const int child : joint.children)
            bones.push_back({j, joint.position, linkage.joints[at(child)].position});
        if (joint.has_tip) bones.push_back({j, joint.position, joint.ends.front()});
    }
    std::vector<Nearest> nearest(surface.positions.size());
    parallel_for(nearest.size(), 512, [&](std::size_t v) {
        double least = INFINITY;
        Vec3d place = Vec3d::Zero();
        for (const BoneSegment& bone : bones) {
            const double d = distance(bone, surface.positions[v]);
            if (d >= least) continue;
            least = d;
            nearest[v].joint = bone.joint;
            place = bone.start + nearest_fraction(bone, surface.positions[v]) * (bone.end - bone.start);
        }
        for (const int j : linkage.order)
            if ((linkage.joints[at(j)].position - place).squaredNorm() < 1e-18) nearest[v] = {j, true};
    });
    return nearest;
}

}  // namespace

void add_skin_ends(const RegionSurface& surface, Linkage& linkage) {
    std::vector<Around> around(linkage.joints.size());
    const auto nearest = nearest_places(surface, linkage);
    const auto areas = vertex_areas(surface);
    for (std::size_t v = 0; v < nearest.size(); ++v) {
        const int j = nearest[v].joint;
        if (j < 0) continue;
        Around& skin = around[at(j)];
        if (!nearest[v].at_joint) {
            skin.bones += areas[v];
            continue;
        }
        const Vec3d off = surface.positions[v] - linkage.joints[at(j)].position;
        skin.area += areas[v];
        skin.spread += areas[v] * off.norm();
        skin.sum += areas[v] * off;
    }
    const auto is_leaf = [&](int j) { return linkage.joints[at(j)].leaf; };
    for (const int j : linkage.order) {
        LinkedJoint& joint = linkage.joints[at(j)];
        const Around& skin = around[at(j)];
        if (j == linkage.root || joint.has_tip || !(skin.area > 0)) continue;
        if (!std::all_of(joint.children.begin(), joint.children.end(), is_leaf)) continue;
        // Skin all around says nothing: the middle must lie well to one side.
        if (skin.sum.norm() < 0.4 * skin.spread) continue;
        double beyond = skin.bones;
        for (const int child : joint.children) beyond += around[at(child)].area + around[at(child)].bones;
        if (!joint.leaf && skin.area < 0.4 * beyond) continue;
        const Vec3d end = joint.position + 1.5 * skin.sum / skin.area;
        if (joint.leaf) joint.ends.clear();
        joint.ends.push_back(end);
        if (!joint.leaf) joint.kind = LinkageKind::multi;
    }
}

}  // namespace sinew::rig
