// SPDX-License-Identifier: MIT
#include "sinew/rig/bind/regions/region_joints.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/rig/bind/bind_input.h"

namespace sinew::rig {
std::vector<BoneSegment> bones_of_regions(const RegionJoints& joints) {
    std::vector<BoneSegment> bones;
    for (const int j : joints.order) {
        const RegionJoint& joint = joints.joints[static_cast<std::size_t>(j)];
        for (const Vec3d& end : joint.ends) bones.push_back({j, joint.position, end});
        if (joint.ends.empty()) bones.push_back({j, joint.position, joint.position});
    }
    return bones;
}

NearestBones nearest_bones(const RegionSurface& surface, std::span<const BoneSegment> bones) {
    NearestBones nearest{std::vector<int>(surface.positions.size(), -1),
                         std::vector<char>(surface.positions.size(), 0)};
    parallel_for(surface.positions.size(), 512, [&](std::size_t v) {
        double min = INFINITY;
        for (const BoneSegment& bone : bones) {
            const double d = distance(bone, surface.positions[v]);
            if (nearest.joint[v] >= 0 && d >= min * (1 - 1e-9)) {
                if (d <= min * (1 + 1e-9) && bone.joint != nearest.joint[v]) nearest.contested[v] = 1;
                continue;
            }
            min = d;
            nearest.joint[v] = bone.joint;
            nearest.contested[v] = 0;
        }
    });
    return nearest;
}

std::vector<double> vertex_areas(const RegionSurface& surface) {
    std::vector<double> areas(surface.positions.size(), 0);
    for (const geometry::Triangle& t : surface.triangles) {
        const Vec3d a = surface.positions[t[0]];
        const double area = (surface.positions[t[1]] - a).cross(surface.positions[t[2]] - a).norm() / 6;
        for (const std::uint32_t v : t) areas[v] += area;
    }
    return areas;
}

std::vector<char> shells_on(const RegionSurface& surface, std::uint32_t body, std::span<const double> areas,
                            double reach) {
    std::vector<char> on(surface.shells, 0);
    if (surface.shells < 2) return on;
    std::vector<math::Vec3f> positions;
    for (const Vec3d& p : surface.positions) positions.emplace_back(p.cast<float>());
    std::vector<geometry::Triangle> triangles;
    for (const geometry::Triangle& t : surface.triangles)
        if (surface.shell_of[t[0]] == body) triangles.push_back(t);
    const geometry::SurfaceQueries skin(positions, triangles);
    std::vector<char> near(positions.size(), 0);
    parallel_for(positions.size(), 256, [&](std::size_t v) {
        if (surface.shell_of[v] != RegionSurface::none && surface.shell_of[v] != body)
            near[v] = skin.nearest(positions[v], static_cast<float>(reach)) ? 1 : 0;
    });
    std::vector<double> balance(surface.shells, 0);
    for (std::size_t v = 0; v < positions.size(); ++v)
        if (surface.shell_of[v] != RegionSurface::none)
            balance[surface.shell_of[v]] += near[v] != 0 ? areas[v] : -areas[v];
    for (std::size_t s = 0; s < on.size(); ++s) on[s] = balance[s] > 0 ? 1 : 0;
    return on;
}

namespace {

/// The skin around a joint.
struct Around {
    double area = 0;
    double bones = 0;   // area that is nearer to the middle of its bones
    double spread = 0;  // mean distance from the joint, times area
    Vec3d sum = Vec3d::Zero();
};

/// The joint that owns the nearest bone, and whether the joint itself is the nearest position of it.
struct Nearest {
    int joint = -1;
    bool at_joint = false;
};
std::vector<Nearest> nearest_on_bones(const RegionSurface& surface, const RegionJoints& joints) {
    std::vector<BoneSegment> bones;
    for (const int j : joints.order) {
        const RegionJoint& joint = joints.joints[at(j)];
        bones.push_back({j, joint.position, joint.position});
        // A virtual end is an estimate that is corrected from the skin.
        for (const int child : joint.children)
            bones.push_back({j, joint.position, joints.joints[at(child)].position});
        if (joint.has_tip) bones.push_back({j, joint.position, joint.ends.front()});
    }
    std::vector<Nearest> nearest(surface.positions.size());
    parallel_for(nearest.size(), 512, [&](std::size_t v) {
        double min = INFINITY;
        Vec3d nearest_point = Vec3d::Zero();
        for (const BoneSegment& bone : bones) {
            const double d = distance(bone, surface.positions[v]);
            if (d >= min) continue;
            min = d;
            nearest[v].joint = bone.joint;
            nearest_point =
                bone.start + nearest_fraction(bone, surface.positions[v]) * (bone.end - bone.start);
        }
        for (const int j : joints.order)
            if ((joints.joints[at(j)].position - nearest_point).squaredNorm() < 1e-18) nearest[v] = {j, true};
    });
    return nearest;
}

/// Gives leaves without a tip, and joints that have only such leaves below them, the middle of the skin that
/// is nearest to the joint itself as an end: a foot or a face points to its skin, not in the direction of the
/// previous bone.
void add_skin_ends(const RegionSurface& surface, RegionJoints& joints) {
    std::vector<Around> around(joints.joints.size());
    const auto nearest = nearest_on_bones(surface, joints);
    const auto areas = vertex_areas(surface);
    for (std::size_t v = 0; v < nearest.size(); ++v) {
        const int j = nearest[v].joint;
        if (j < 0) continue;
        Around& skin = around[at(j)];
        if (!nearest[v].at_joint) {
            skin.bones += areas[v];
            continue;
        }
        const Vec3d off = surface.positions[v] - joints.joints[at(j)].position;
        skin.area += areas[v];
        skin.spread += areas[v] * off.norm();
        skin.sum += areas[v] * off;
    }
    const auto is_leaf = [&](int j) { return joints.joints[at(j)].leaf; };
    for (const int j : joints.order) {
        RegionJoint& joint = joints.joints[at(j)];
        const Around& skin = around[at(j)];
        if (j == joints.root || joint.has_tip || !(skin.area > 0)) continue;
        if (!std::all_of(joint.children.begin(), joint.children.end(), is_leaf)) continue;
        // Skin on all sides gives no direction: the middle must lie clearly to one side.
        if (skin.sum.norm() < 0.4 * skin.spread) continue;
        double beyond = skin.bones;
        for (const int child : joint.children) beyond += around[at(child)].area + around[at(child)].bones;
        if (!joint.leaf && skin.area < 0.4 * beyond) continue;
        const Vec3d end = joint.position + 1.5 * skin.sum / skin.area;
        if (joint.leaf) joint.ends.clear();
        joint.ends.push_back(end);
        if (!joint.leaf) joint.kind = JointLinks::multi;
    }
}

/// Of the size of the mesh: joints nearer than this are at one position.
constexpr double same_position = 1e-4;
/// A joint farther outside than this has no skin.
constexpr double far_out = 0.1;

/// The tree while joints are removed. Parents keep lower indices than children throughout, except below twist
/// joints, which are placed last.
class Tree {
  public:
    Tree(const RegionSurface& surface, const model::Skeleton& skeleton, Monitor& monitor)
        : surface_(surface), skeleton_(skeleton), monitor_(monitor) {
        const auto world = model::rest_world_matrices(skeleton);
        for (std::size_t j = 0; j < skeleton.size(); ++j) {
            at_.push_back(surface.frame.to_unit(world[j].block<3, 1>(0, 3)));
            parent_.push_back(skeleton.joints[j].parent);
            if (const auto& tip = skeleton.joints[j].tip)
                tip_.push_back(surface.frame.to_unit((world[j] * tip->homogeneous()).head<3>()));
            else
                tip_.push_back(at_.back());
        }
        kept_.assign(at_.size(), 1);
        join_roots();
    }

    void leave_out_ends();
    void leave_out_upper();
    void join_coincident();
    void move_inside();
    void chain_twists();
    RegionJoints finish() const;

  private:
    std::vector<int> children(int joint) const {
        std::vector<int> out;
        for (std::size_t j = 0; j < parent_.size(); ++j)
            if (kept_[j] != 0 && parent_[j] == joint) out.push_back(static_cast<int>(j));
        return out;
    }
    const std::string& name(int j) const { return skeleton_.joints[index(j)].name; }
    static std::size_t index(int j) { return static_cast<std::size_t>(j); }
    int kept_count() const { return static_cast<int>(std::count(kept_.begin(), kept_.end(), 1)); }
    void join_roots();
    bool leave_out(int joint);
    void warn_left_out(std::string_view code, std::string_view why, const std::string& names) const {
        if (!names.empty()) warn(monitor_, code, "{}: {}", why, names);
    }

    const RegionSurface& surface_;
    const model::Skeleton& skeleton_;
    Monitor& monitor_;
    std::vector<Vec3d> at_, tip_;
    std::vector<int> parent_;
    std::vector<char> kept_;
    int root_ = 0;
};

void append(std::string& list, const std::string& name) {
    list += list.empty() ? name : ", " + name;
}

void Tree::join_roots() {
    std::string others;
    for (std::size_t j = 1; j < parent_.size(); ++j) {
        if (parent_[j] >= 0) continue;
        parent_[j] = 0;
        append(others, name(static_cast<int>(j)));
    }
    warn_left_out("several-roots", "roots beside the first are bound as its children", others);
}

/// False when it is the last one.
bool Tree::leave_out(int joint) {
    if (kept_count() == 1) return false;
    const auto below = children(joint);
    if (joint == root_ && below.size() != 1) return false;
    kept_[index(joint)] = 0;
    for (const int child : below) parent_[index(child)] = parent_[index(joint)];
    if (joint == root_) root_ = below.front();
    return true;
}

void Tree::leave_out_ends() {
    std::string outside;
    for (int j = static_cast<int>(at_.size()) - 1; j >= 0; --j) {
        const bool leaf = children(j).empty();
        if (!leaf || j == root_) continue;
        const bool has_tip = skeleton_.joints[index(j)].tip.has_value();
        if (!has_tip && is_end_site(name(j)))
            leave_out(j);
        else if (!is_inside(surface_, at_[index(j)]) &&
                 !is_inside(surface_, (at_[index(j)] + tip_[index(j)]) / 2) && leave_out(j))
            append(outside, name(j));
    }
    warn_left_out("joint-outside", "leaf joints outside the mesh get no weights", outside);
}

void Tree::leave_out_upper() {
    std::string above;
    while (children(root_).size() == 1 && !is_inside(surface_, at_[index(root_)])) {
        const int root = root_;
        if (!leave_out(root)) break;
        append(above, name(root));
    }
    warn_left_out("joint-outside", "joints above the body get no weights", above);
}

void Tree::join_coincident() {
    std::string joined;
    for (int j = static_cast<int>(at_.size()) - 1; j >= 0; --j) {
        const int parent = parent_[index(j)];
        if (kept_[index(j)] == 0 || parent < 0) continue;
        if ((at_[index(j)] - at_[index(parent)]).norm() > same_position) continue;
        // The deepest one moves with all of them; a leaf at the position of others has no skin.
        const bool alone = children(parent).size() == 1, leaf = children(j).empty();
        const bool tip = (tip_[index(j)] - at_[index(j)]).norm() > same_position;
        if (alone && leave_out(parent))
            append(joined, name(parent));
        else if (leaf && !tip && leave_out(j))
            append(joined, name(j));
    }
    warn_left_out("joint-same-place", "joints at the position of another get no weights", joined);
}

void Tree::move_inside() {
    std::string moved, far;
    for (int j = static_cast<int>(at_.size()) - 1; j >= 0; --j) {
        if (kept_[index(j)] == 0 || is_inside(surface_, at_[index(j)])) continue;
        if (const auto inside = nearest_inside(surface_, at_[index(j)], far_out)) {
            tip_[index(j)] += *inside - at_[index(j)];
            at_[index(j)] = *inside;
            append(moved, name(j));
        } else if (j != root_ && leave_out(j)) {
            append(far, name(j));
        }
    }
    warn_left_out("joint-moved-inside", "joints outside the mesh are bound as if they were inside", moved);
    warn_left_out("joint-outside", "joints far from the mesh get no weights", far);
}

void Tree::chain_twists() {
    std::string found;
    for (int j = 0; j < static_cast<int>(at_.size()); ++j) {
        const int parent = parent_[index(j)];
        if (kept_[index(j)] == 0 || parent < 0 || !children(j).empty()) continue;
        if (skeleton_.joints[index(j)].tip) continue;
        for (const int sister : children(parent)) {
            if (sister == j || children(sister).empty()) continue;
            const BoneSegment bone{parent, at_[index(parent)], at_[index(sister)]};
            const double length = (bone.end - bone.start).norm();
            const double along = nearest_fraction(bone, at_[index(j)]);
            if (along < 0.1 || along > 0.9 || distance(bone, at_[index(j)]) > 0.1 * length) continue;
            parent_[index(sister)] = j;
            append(found, name(j));
            break;
        }
    }
    warn_left_out("joint-twist", "leaf joints on the bone of their parent split it", found);
}

RegionJoints Tree::finish() const {
    RegionJoints out;
    out.root = root_;
    out.joints.resize(at_.size());
    std::vector<int> level{root_};
    while (!level.empty()) {
        std::vector<int> next;
        for (const int j : level) {
            RegionJoint& joint = out.joints[index(j)];
            joint.position = at_[index(j)];
            joint.parent = parent_[index(j)];
            joint.children = children(j);
            joint.leaf = joint.children.empty();
            for (const int child : joint.children) joint.ends.push_back(at_[index(child)]);
            const bool tip = (tip_[index(j)] - at_[index(j)]).norm() > same_position;
            joint.has_tip = joint.leaf && tip;
            if (joint.has_tip) joint.ends.push_back(tip_[index(j)]);
            if (joint.leaf && !tip && joint.parent >= 0)
                joint.ends.push_back(at_[index(j)] + (at_[index(j)] - at_[index(joint.parent)]) / 2);
            joint.kind = j == root_              ? JointLinks::root
                         : joint.ends.size() > 1 ? JointLinks::multi
                                                 : JointLinks::single;
            next.insert(next.end(), joint.children.begin(), joint.children.end());
        }
        out.order.insert(out.order.end(), level.begin(), level.end());
        level = std::move(next);
    }
    for (auto j = out.order.rbegin(); j != out.order.rend(); ++j)
        if (const int parent = out.joints[index(*j)].parent; parent >= 0)
            out.joints[index(parent)].subtree += out.joints[index(*j)].subtree;
    std::vector<int> depth(at_.size(), 0);
    for (const int j : out.order)
        if (const int parent = out.joints[index(j)].parent; parent >= 0)
            depth[index(j)] = depth[index(parent)] + 1;
    std::stable_sort(out.order.begin(), out.order.end(), [&](int a, int b) {
        if (depth[index(a)] != depth[index(b)]) return depth[index(a)] < depth[index(b)];
        return out.joints[index(a)].subtree > out.joints[index(b)].subtree;
    });
    return out;
}

}  // namespace

bool is_end_site(std::string_view name) {
    std::string low(name);
    std::transform(low.begin(), low.end(), low.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    static constexpr std::array<std::string_view, 6> ends{"_end",     ".end", "endsite",
                                                          "end site", "nub",  "_leaf"};
    return low == "end" || low == "site" ||
           std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return low.ends_with(end); });
}

RegionJoints region_joints(const RegionSurface& surface, const model::Skeleton& skeleton, Monitor& monitor) {
    if (skeleton.empty()) fail("", "there is no joint to bind to");
    model::validate(skeleton, "skeleton");
    Tree tree(surface, skeleton, monitor);
    tree.leave_out_ends();
    tree.leave_out_upper();
    tree.join_coincident();
    tree.move_inside();
    tree.chain_twists();
    RegionJoints joints = tree.finish();
    add_skin_ends(surface, joints);
    return joints;
}

}  // namespace sinew::rig
