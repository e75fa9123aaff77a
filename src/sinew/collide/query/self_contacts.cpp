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
    SelfSearch(PosedBody& body, std::vector<Contact>& out, SearchScratch& scratch)
        : body_(body), tree_(body.tree()), out_(out), scratch_(scratch) {}

    void run() {
        out_.clear();
        scratch_.stack.clear();
        if (!tree_.nodes.empty()) scratch_.stack.push_back({0, 0, 0});
        while (!scratch_.stack.empty()) {
            const NodePair pair = scratch_.stack.back();
            scratch_.stack.pop_back();
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
        std::ranges::sort(out_);
        scratch_.counts().contacts += out_.size();
    }

  private:
    void open_one(std::uint32_t index) {
        const Node& node = tree_.nodes[index];
        if (node.leaf()) return test_leaves(index, index);
        for (std::uint32_t i = 0; i < node.child_count; ++i) {
            scratch_.stack.push_back({node.first_child + i, node.first_child + i, 0});
            for (std::uint32_t k = i + 1; k < node.child_count; ++k)
                push_if_near(body_, node.first_child + i, body_, node.first_child + k, scratch_, 0);
        }
    }

    void test_leaves(std::uint32_t x, std::uint32_t y) {
        const auto keep = [&](std::uint32_t a, std::uint32_t b) {
            out_.push_back(ordered(tree_.triangle_ids[a], tree_.triangle_ids[b]));
            return true;
        };
        const auto skip = [&](std::uint32_t a, std::uint32_t b) {
            return (x == y && a >= b) || share_corner(tree_, a, b);
        };
        search_leaves(body_, x, body_, y, scratch_, 0, keep, skip);
    }

    PosedBody& body_;
    const TreeData& tree_;
    std::vector<Contact>& out_;
    SearchScratch& scratch_;
};

}  // namespace

void find_self_contacts(Body& body, std::vector<Contact>& out, QueryScratch& scratch) {
    SelfSearch(body.posed(), out, scratch.buffers()).run();
}

}  // namespace sinew::collide
