#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/rig/bind/linkage.h"
#include "sinew/rig/bind/region_grow_prior.h"

namespace sinew::rig {
namespace {

std::size_t index(int j) {
    return static_cast<std::size_t>(j);
}

/// The skin around a joint.
struct Around {
    double area = 0;
    double spread = 0;  // mean distance from the joint, times area
    Vec3d sum = Vec3d::Zero();
};

/// For each vertex the joint that is nearer than every other place of a bone; -1 where a bone is nearer.
std::vector<int> nearest_joints(const RegionSurface& surface, const Linkage& linkage) {
    std::vector<BoneSegment> bones;
    for (const int j : linkage.order) {
        const LinkedJoint& joint = linkage.joints[index(j)];
        bones.push_back({j, joint.position, joint.position});
        // A virtual end is a guess, which the skin is to correct.
        for (const int child : joint.children)
            bones.push_back({j, joint.position, linkage.joints[index(child)].position});
        if (joint.has_tip) bones.push_back({j, joint.position, joint.ends.front()});
    }
    std::vector<int> nearest(surface.positions.size(), -1);
    parallel_for(nearest.size(), 512, [&](std::size_t v) {
        double least = INFINITY;
        Vec3d place = Vec3d::Zero();
        for (const BoneSegment& bone : bones) {
            const double d = distance(bone, surface.positions[v]);
            if (d >= least) continue;
            least = d;
            place = bone.start + nearest_fraction(bone, surface.positions[v]) * (bone.end - bone.start);
        }
        for (const int j : linkage.order)
            if ((linkage.joints[index(j)].position - place).squaredNorm() < 1e-18) nearest[v] = j;
    });
    return nearest;
}

}  // namespace

void add_skin_ends(const RegionSurface& surface, Linkage& linkage) {
    std::vector<Around> around(linkage.joints.size());
    const auto nearest = nearest_joints(surface, linkage);
    const auto areas = vertex_areas(surface);
    for (std::size_t v = 0; v < nearest.size(); ++v) {
        if (nearest[v] < 0) continue;
        Around& skin = around[index(nearest[v])];
        const Vec3d off = surface.positions[v] - linkage.joints[index(nearest[v])].position;
        skin.area += areas[v];
        skin.spread += areas[v] * off.norm();
        skin.sum += areas[v] * off;
    }
    const auto is_leaf = [&](int j) { return linkage.joints[index(j)].leaf; };
    for (const int j : linkage.order) {
        LinkedJoint& joint = linkage.joints[index(j)];
        const Around& skin = around[index(j)];
        if (j == linkage.root || joint.has_tip || !(skin.area > 0)) continue;
        if (!std::all_of(joint.children.begin(), joint.children.end(), is_leaf)) continue;
        // Skin all around says nothing: the middle must lie well to one side.
        if (skin.sum.norm() < 0.4 * skin.spread) continue;
        double beyond = 0;
        for (const int child : joint.children) beyond += around[index(child)].area;
        if (!joint.leaf && skin.area < beyond) continue;
        const Vec3d end = joint.position + 1.5 * skin.sum / skin.area;
        if (joint.leaf) joint.ends.clear();
        joint.ends.push_back(end);
        if (!joint.leaf) joint.kind = LinkageKind::multi;
    }
}

}  // namespace sinew::rig
