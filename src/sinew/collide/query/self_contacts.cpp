// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sinew/collide/query/leaf_search.h"

namespace sinew::collide {
namespace {

bool share_corner(const TreeData& tree, std::uint32_t a, std::uint32_t b) {
    for (const std::uint32_t x : tree.triangles[a]) {
        for (const std::uint32_t y : tree.triangles[b]) {
            if (tree.welds[x] == tree.welds[y]) return true;
        }
    }
    return false;
}

Contact ordered(std::uint32_t a, std::uint32_t b) {
    return {std::min(a, b), std::max(a, b)};
}

class SelfSearch {
  public:
    SelfSearch(PosedBody& body, std::vector<Contact>& out, SearchScratch& scratch, const RestContacts* rest)
        : body_(body), tree_(body.tree()), out_(out), scratch_(scratch), rest_(rest) {}

    void run() {
        out_.clear();
        scratch_.stack.clear();
        if (!tree_.nodes.empty()) scratch_.stack.push_back({0, 0, 0});
        while (!scratch_.stack.empty()) {
            const NodePair pair = scratch_.stack.back();
            scratch_.stack.pop_back();
            if (rest_ != nullptr && same_joint(pair)) continue;
            if (pair.a == pair.b) {
                open_one(pair.a);
            } else if (tree_.nodes[pair.a].leaf() && tree_.nodes[pair.b].leaf()) {
                test_leaves(pair.a, pair.b);
            } else {
                open_larger(body_, body_, pair, scratch_, [&](std::uint32_t x, std::uint32_t y) {
                    push_if_near(body_, x, body_, y, scratch_, 0);
                });
            }
        }
        if (rest_ != nullptr) out_.insert(out_.end(), rest_->pairs.begin(), rest_->pairs.end());
        std::ranges::sort(out_);
        scratch_.counts().contacts += out_.size();
    }

  private:
    bool same_joint(const NodePair& pair) const {
        const std::int32_t joint = rest_->node_joints[pair.a];
        return joint >= 0 && joint == rest_->node_joints[pair.b];
    }

    void open_one(std::uint32_t index) {
        const Node& node = tree_.nodes[index];
        if (node.leaf()) return test_leaves(index, index);
        for (std::uint32_t i = 0; i < node.child_count; ++i) {
            scratch_.stack.push_back({node.first_child + i, node.first_child + i, 0});
            for (std::uint32_t k = i + 1; k < node.child_count; ++k)
                push_if_near(body_, node.first_child + i, body_, node.first_child + k, scratch_, 0);
        }
    }

    bool follow_one_joint(std::uint32_t a, std::uint32_t b) const {
        std::int64_t joint = -1;
        for (const std::uint32_t t : {a, b}) {
            for (const std::uint32_t v : tree_.triangles[t]) {
                const auto joints = tree_.joints_of(tree_.vertex_sets[v]);
                if (joints.size() != 1 || (joint >= 0 && joint != joints[0])) return false;
                joint = joints[0];
            }
        }
        return true;
    }

    void test_leaves(std::uint32_t x, std::uint32_t y) {
        const auto keep = [&](std::uint32_t a, std::uint32_t b) {
            out_.push_back(ordered(tree_.triangle_ids[a], tree_.triangle_ids[b]));
            return true;
        };
        const auto skip = [&](std::uint32_t a, std::uint32_t b) {
            return (x == y && a >= b) || share_corner(tree_, a, b) ||
                   (rest_ != nullptr && follow_one_joint(a, b));
        };
        search_leaves(body_, x, body_, y, scratch_, 0, keep, skip);
    }

    PosedBody& body_;
    const TreeData& tree_;
    std::vector<Contact>& out_;
    SearchScratch& scratch_;
    const RestContacts* rest_;
};

/// The joint that alone moves a run of triangles, or -1.
std::int32_t joint_of(const TreeData& tree, const Node& node) {
    std::int32_t joint = -1;
    for (std::uint32_t t = 0; t < node.triangle_count; ++t) {
        for (const std::uint32_t v : tree.triangles[node.first_triangle + t]) {
            const auto joints = tree.joints_of(tree.vertex_sets[v]);
            const auto own = static_cast<std::int32_t>(joints[0]);
            if (joints.size() != 1 || (joint >= 0 && joint != own)) return -1;
            joint = own;
        }
    }
    return joint;
}

}  // namespace

RestContacts find_rest_contacts(const SphereTree& of) {
    const TreeData& tree = of.data();
    RestContacts rest;
    for (const Node& node : tree.nodes) rest.node_joints.push_back(joint_of(tree, node));
    Body body(of);
    QueryScratch scratch;
    std::vector<Contact> all;
    find_self_contacts(body, all, scratch);
    std::vector<std::int32_t> joints(tree.mesh_triangles, -1);
    for (std::uint32_t t = 0; t < tree.triangles.size(); ++t) {
        Node one;
        one.first_triangle = t;
        one.triangle_count = 1;
        joints[tree.triangle_ids[t]] = joint_of(tree, one);
    }
    for (const Contact& c : all) {
        if (joints[c.a] >= 0 && joints[c.a] == joints[c.b]) rest.pairs.push_back(c);
    }
    return rest;
}

void find_self_contacts(Body& body, std::vector<Contact>& out, QueryScratch& scratch,
                        const RestContacts* rest) {
    SelfSearch(body.posed(), out, scratch.buffers(), rest).run();
}

}  // namespace sinew::collide
