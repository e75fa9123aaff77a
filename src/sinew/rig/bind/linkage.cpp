#include "sinew/rig/bind/linkage.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "sinew/base/error.h"
#include "sinew/rig/bind/bind_input.h"

namespace sinew::rig {
namespace {

/// The tree while joints are taken out of it. Parents keep lower indices than children throughout, except
/// below twist joints, which are placed last.
class Tree {
  public:
    Tree(const RegionSurface& surface, const model::Skeleton& skeleton, const LinkageOptions& options,
         Monitor& monitor)
        : surface_(surface), skeleton_(skeleton), options_(options), monitor_(monitor) {
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
    void join_same_places();
    void place_inside();
    void chain_twists();
    Linkage finish() const;

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
    const LinkageOptions& options_;
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
        if (options_.exclude_end_sites && !has_tip && is_end_site(name(j)))
            leave_out(j);
        else if (!is_inside(surface_, at_[index(j)]) &&
                 !is_inside(surface_, (at_[index(j)] + tip_[index(j)]) / 2) && leave_out(j))
            append(outside, name(j));
    }
    warn_left_out("joint-outside", "leaves outside the mesh move no skin", outside);
}

void Tree::leave_out_upper() {
    std::string above;
    while (children(root_).size() == 1 && !is_inside(surface_, at_[index(root_)])) {
        const int root = root_;
        if (!leave_out(root)) break;
        append(above, name(root));
    }
    warn_left_out("joint-outside", "joints above the body move no skin", above);
}

void Tree::join_same_places() {
    std::string joined;
    for (int j = static_cast<int>(at_.size()) - 1; j >= 0; --j) {
        const int parent = parent_[index(j)];
        if (kept_[index(j)] == 0 || parent < 0) continue;
        if ((at_[index(j)] - at_[index(parent)]).norm() > options_.same_place) continue;
        // The deepest one moves with all of them; a leaf beside others has nothing of its own.
        const bool alone = children(parent).size() == 1, leaf = children(j).empty();
        const bool tip = (tip_[index(j)] - at_[index(j)]).norm() > options_.same_place;
        if (alone && leave_out(parent))
            append(joined, name(parent));
        else if (leaf && !tip && leave_out(j))
            append(joined, name(j));
    }
    warn_left_out("joint-same-place", "joints at the place of another move no skin", joined);
}

void Tree::place_inside() {
    std::string moved, far;
    for (int j = static_cast<int>(at_.size()) - 1; j >= 0; --j) {
        if (kept_[index(j)] == 0 || is_inside(surface_, at_[index(j)])) continue;
        if (const auto inside = nearest_inside(surface_, at_[index(j)], options_.far_out)) {
            tip_[index(j)] += *inside - at_[index(j)];
            at_[index(j)] = *inside;
            append(moved, name(j));
        } else if (j != root_ && leave_out(j)) {
            append(far, name(j));
        }
    }
    warn_left_out("joint-moved-inside", "joints outside the mesh are bound as if they were inside", moved);
    warn_left_out("joint-outside", "joints far from the mesh move no skin", far);
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
    warn_left_out("joint-twist", "leaves on the bone of their parent stand between its ends", found);
}

Linkage Tree::finish() const {
    Linkage out;
    out.root = root_;
    out.joints.resize(at_.size());
    std::vector<int> level{root_};
    while (!level.empty()) {
        std::vector<int> next;
        for (const int j : level) {
            LinkedJoint& joint = out.joints[index(j)];
            joint.position = at_[index(j)];
            joint.parent = parent_[index(j)];
            joint.children = children(j);
            joint.leaf = joint.children.empty();
            for (const int child : joint.children) joint.ends.push_back(at_[index(child)]);
            const bool tip = (tip_[index(j)] - at_[index(j)]).norm() > options_.same_place;
            joint.has_tip = joint.leaf && tip;
            if (joint.has_tip) joint.ends.push_back(tip_[index(j)]);
            if (joint.leaf && !tip && joint.parent >= 0)
                joint.ends.push_back(at_[index(j)] + (at_[index(j)] - at_[index(joint.parent)]) / 2);
            joint.kind = j == root_              ? LinkageKind::root
                         : joint.ends.size() > 1 ? LinkageKind::multi
                                                 : LinkageKind::single;
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

Linkage link_joints(const RegionSurface& surface, const model::Skeleton& skeleton,
                    const LinkageOptions& options, Monitor& monitor) {
    if (skeleton.empty()) fail("", "there is no joint to bind to");
    model::validate(skeleton, "skeleton");
    Tree tree(surface, skeleton, options, monitor);
    tree.leave_out_ends();
    tree.leave_out_upper();
    tree.join_same_places();
    tree.place_inside();
    tree.chain_twists();
    Linkage linkage = tree.finish();
    add_skin_ends(surface, linkage);
    return linkage;
}

}  // namespace sinew::rig
