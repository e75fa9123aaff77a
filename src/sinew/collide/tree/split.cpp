// SPDX-License-Identifier: MIT
#include "sinew/collide/tree/split.h"

#include <algorithm>
#include <numeric>

namespace sinew::collide {

using geometry::Mesh;
using geometry::Triangle;

const std::vector<std::uint32_t>& VertexCollector::collect(const std::vector<Triangle>& triangles,
                                                           std::span<const std::uint32_t> order) {
    found_.clear();
    ++mark_;
    for (const std::uint32_t t : order) {
        for (const std::uint32_t v : triangles[t]) {
            if (marks_[v] == mark_) continue;
            marks_[v] = mark_;
            found_.push_back(v);
        }
    }
    return found_;
}

namespace {

class Splitter {
  public:
    Splitter(const Mesh& mesh, std::span<const std::uint32_t> set_of, const TreeLimits& limits)
        : mesh_(mesh), set_of_(set_of), limits_(limits), collector_(mesh.positions.size()) {
        for (const Triangle& t : mesh.triangles) {
            centroids_.push_back(
                (mesh.positions[t[0]] + mesh.positions[t[1]] + mesh.positions[t[2]]).cast<double>() / 3);
        }
    }

    Draft run() {
        draft_.order.resize(mesh_.triangles.size());
        std::iota(draft_.order.begin(), draft_.order.end(), 0u);
        if (draft_.order.empty()) return std::move(draft_);
        // An explicit stack: the depth limit and the count bound the depth, but only loosely.
        add(0, static_cast<std::uint32_t>(draft_.order.size()), 0);
        for (std::size_t i = 0; i < draft_.nodes.size(); ++i) {
            const std::uint32_t first = draft_.nodes[i].first, count = draft_.nodes[i].count;
            if (few_enough(first, count)) {
                order_blocks(first, count);
                continue;
            }
            const std::uint32_t level = draft_.nodes[i].level;
            const std::uint32_t left = parted(first, count, level);
            const std::uint32_t a = add(first, left, level + 1),
                                b = add(first + left, count - left, level + 1);
            draft_.nodes[i].children = {a, b};
        }
        return std::move(draft_);
    }

  private:
    std::uint32_t add(std::uint32_t first, std::uint32_t count, std::uint32_t level) {
        DraftNode node;
        node.first = first;
        node.count = count;
        node.level = level;
        points_.clear();
        for (const std::uint32_t v : collector_.collect(mesh_.triangles, run_of(first, count)))
            points_.push_back(mesh_.positions[v].cast<double>());
        node.sphere = smallest_stored_sphere(points_);
        draft_.nodes.push_back(std::move(node));
        return static_cast<std::uint32_t>(draft_.nodes.size() - 1);
    }

    bool few_enough(std::uint32_t first, std::uint32_t count) {
        if (limits_.max_leaf_triangles > 0)
            return count <= static_cast<std::uint32_t>(limits_.max_leaf_triangles);
        constexpr std::uint32_t always = 256, per_set = 8, at_most = 1024;
        if (count <= always || count > at_most) return count <= always;
        sets_.clear();
        for (const std::uint32_t v : collector_.collect(mesh_.triangles, run_of(first, count)))
            sets_.push_back(set_of_[v]);
        std::ranges::sort(sets_);
        const auto distinct = std::ranges::unique(sets_).begin() - sets_.begin();
        return count <= per_set * static_cast<std::uint32_t>(distinct);
    }

    std::span<std::uint32_t> run_of(std::uint32_t first, std::uint32_t count) {
        return std::span(draft_.order).subspan(first, count);
    }

    /// Splits a run in two and returns the number of triangles on the left; neither side is empty.
    std::uint32_t parted(std::uint32_t first, std::uint32_t count, std::uint32_t level) {
        const std::span<std::uint32_t> run = run_of(first, count);
        if (level < static_cast<std::uint32_t>(limits_.depth_cap)) {
            for (const bool centroids : {false, true}) {
                const geometry::Box box = box_of(run, centroids);
                Eigen::Index axis = 0;
                box.size().maxCoeff(&axis);
                const double middle =
                    (static_cast<double>(box.low[axis]) + static_cast<double>(box.high[axis])) / 2;
                const auto end = std::stable_partition(
                    run.begin(), run.end(), [&](std::uint32_t t) { return centroids_[t][axis] <= middle; });
                const auto left = static_cast<std::uint32_t>(end - run.begin());
                if (left > 0 && left < count) return left;
            }
        }
        sort_along_longest(run);
        return count / 2;
    }

    void sort_along_longest(std::span<std::uint32_t> run) {
        const geometry::Box box = box_of(run, true);
        Eigen::Index axis = 0;
        box.size().maxCoeff(&axis);
        std::sort(run.begin(), run.end(), [&](std::uint32_t a, std::uint32_t b) {
            const double x = centroids_[a][axis], y = centroids_[b][axis];
            return x != y ? x < y : a < b;
        });
    }

    /// Orders the triangles of a leaf so that each block contains neighbours.
    void order_blocks(std::uint32_t first, std::uint32_t count) {
        if (count <= block_size) return;
        sort_along_longest(run_of(first, count));
        const std::uint32_t left = (count / 2 + block_size - 1) / block_size * block_size;
        order_blocks(first, left);
        order_blocks(first + left, count - left);
    }

    geometry::Box box_of(std::span<const std::uint32_t> run, bool centroids) const {
        geometry::Box box;
        for (const std::uint32_t t : run) {
            if (centroids) {
                box.include(centroids_[t].cast<float>());
            } else {
                for (const std::uint32_t v : mesh_.triangles[t]) box.include(mesh_.positions[v]);
            }
        }
        return box;
    }

    const Mesh& mesh_;
    std::span<const std::uint32_t> set_of_;
    const TreeLimits& limits_;
    VertexCollector collector_;
    std::vector<Vec3d> centroids_;
    std::vector<Vec3d> points_;
    std::vector<std::uint32_t> sets_;
    Draft draft_;
};

}  // namespace

Draft split(const Mesh& mesh, std::span<const std::uint32_t> set_of, const TreeLimits& limits) {
    return Splitter(mesh, set_of, limits).run();
}

void dissolve(Draft& draft, double factor) {
    if (draft.nodes.empty() || factor >= 1) return;
    constexpr std::size_t max_children = 60000;  // fits the counter of a node
    std::vector<std::uint32_t> open{0};
    while (!open.empty()) {
        DraftNode& node = draft.nodes[open.back()];
        open.pop_back();
        std::vector<std::uint32_t> kept, work = node.children;
        while (!work.empty()) {
            const std::uint32_t child = work.back();
            work.pop_back();
            const DraftNode& c = draft.nodes[child];
            const bool large =
                static_cast<double>(c.sphere.radius) > factor * static_cast<double>(node.sphere.radius);
            if (!c.children.empty() && large && kept.size() + work.size() < max_children) {
                work.insert(work.end(), c.children.rbegin(), c.children.rend());
            } else {
                kept.push_back(child);
            }
        }
        std::ranges::sort(kept, {}, [&](std::uint32_t c) { return draft.nodes[c].first; });
        node.children = kept;
        open.insert(open.end(), kept.begin(), kept.end());
    }
}

Draft flattened(const Draft& draft) {
    Draft result;
    result.order = draft.order;
    if (draft.nodes.empty()) return result;
    result.nodes.push_back(draft.nodes[0]);
    result.nodes[0].level = 0;
    for (std::size_t i = 0; i < result.nodes.size(); ++i) {
        std::vector<std::uint32_t> slots;
        for (const std::uint32_t child : std::vector(result.nodes[i].children)) {
            slots.push_back(static_cast<std::uint32_t>(result.nodes.size()));
            result.nodes.push_back(draft.nodes[child]);
            result.nodes.back().level = result.nodes[i].level + 1;
        }
        result.nodes[i].children = std::move(slots);
    }
    return result;
}

}  // namespace sinew::collide
