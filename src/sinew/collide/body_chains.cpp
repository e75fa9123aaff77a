// How far apart the quaternions of influence sets are in a pose, from the joints alone (blend_chains.h).

#include <algorithm>
#include <cmath>

#include "sinew/collide/body.h"
#include "sinew/collide/body_blend.h"

namespace sinew::collide {

namespace {

/// Below this the sets are better looked at one by one.
constexpr float least_cosine = 0.5f;

}  // namespace

/// Cosines of half the angles between joints: cos^2 = (1 + tr(R_l^T R_f)) / 4. The rotation of a joint is no
/// farther than 4.4 d from its matrix, d = |A^T A - 1|, so the trace is off by at most 2 sqrt(3) 4.4 d = 15.3
/// d; rounding adds less than 1e-6.
void Body::fill_edges() {
    const std::vector<BlendChains::Edge>& edges = tree_->chains.edges;
    const Float4 slack = all4(static_cast<float>(5 * departure_) + 2e-6f), one = all4(1);
    for (std::size_t e = 0; e < edges.size(); e += 4) {
        const auto products = [&](std::size_t k) {
            const BlendChains::Edge& edge = edges[std::min(k, edges.size() - 1)];
            const auto& a = columns_[edge.leader].at;
            const auto& b = columns_[edge.follower].at;
            return load4(a[0].at) * load4(b[0].at) + load4(a[1].at) * load4(b[1].at) +
                   load4(a[2].at) * load4(b[2].at);
        };
        Float4 x = products(e), y = products(e + 1), z = products(e + 2), w = products(e + 3);
        transpose4(x, y, z, w);
        const Float4 squared = max4((one + x + y + z) * all4(0.25f) - slack, all4(0));
        store4(edge_cosines_.data() + e, root4(squared));
        store4(edge_sines_.data() + e, root4(one - squared));
    }
}

/// Half angles add up along the way to a joint. Where they may come near a right angle the sign of its
/// quaternion is not known, and the chains bound nothing.
void Body::fill_chains() {
    chains_bound_ = false;
    if (!tree_->chains.whole) return;
    fill_edges();
    std::fill(joint_blends_.begin(), joint_blends_.end(), 1.0f);
    chain_least_ = 1;
    for (std::size_t l = 0; l < link_turns_.size(); ++l) {
        const BlendChains::Link& link = tree_->chains.links[l];
        LinkTurn turn{edge_sines_[link.edge], edge_cosines_[link.edge]};
        if (link.before >= 0) {
            const LinkTurn before = link_turns_[static_cast<std::size_t>(link.before)];
            turn = {before.sine * turn.cosine + before.cosine * turn.sine + 0x1p-20f,
                    before.cosine * turn.cosine - before.sine * turn.sine - 0x1p-20f};
        }
        if (!(turn.cosine > least_cosine)) return;
        link_turns_[l] = turn;
        float& least = joint_blends_[tree_->chains.edges[link.edge].follower];
        least = std::min(least, turn.cosine);
        chain_least_ = std::min(chain_least_, turn.cosine);
    }
    chains_bound_ = true;
}

}  // namespace sinew::collide
