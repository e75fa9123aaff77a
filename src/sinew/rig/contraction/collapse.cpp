// SPDX-License-Identifier: MIT
#include "sinew/rig/contraction/collapse.h"

#include <numeric>
#include <queue>

namespace sinew::rig {

namespace {

std::array<int, 3> sorted(std::array<int, 3> face) {
    std::sort(face.begin(), face.end());
    return face;
}

}  // namespace

CollapseComplex::CollapseComplex(const ContractionMesh& mesh)
    : position(mesh.position),
      around_(mesh.vertex_slots()),
      faces_(mesh.vertex_slots()),
      became_(mesh.vertex_slots()),
      was_used_(mesh.vertex_slots()) {
    std::iota(became_.begin(), became_.end(), 0);
    for (const Face& face : mesh.faces()) {
        if (face[0] < 0) continue;
        for (std::size_t i = 0; i < 3; ++i) {
            faces_[slot(face[i])].insert(sorted(face));
            was_used_[slot(face[i])] = 1;
            link(face[i], face[(i + 1) % 3]);
        }
    }
}

void CollapseComplex::link(int a, int b) {
    around_[slot(a)].insert(b);
    around_[slot(b)].insert(a);
}

bool CollapseComplex::has_face(int a, int b) const {
    return std::any_of(faces_[slot(a)].begin(), faces_[slot(a)].end(),
                       [&](const Face& f) { return std::find(f.begin(), f.end(), b) != f.end(); });
}

void CollapseComplex::merge(int into, int gone) {
    const std::set<Face> moved = faces_[slot(gone)];
    for (const Face& face : moved) {
        for (const int v : face) faces_[slot(v)].erase(face);
        if (std::find(face.begin(), face.end(), into) != face.end()) continue;
        Face next = face;
        std::replace(next.begin(), next.end(), gone, into);
        for (const int v : next) faces_[slot(v)].insert(sorted(next));
    }
    for (const int other : std::set<int>(around_[slot(gone)])) {
        around_[slot(other)].erase(gone);
        if (other != into) link(into, other);
    }
    around_[slot(gone)].clear();
    became_[slot(gone)] = into;
}

int CollapseComplex::became(int v) const {
    while (became_[slot(v)] != v) v = became_[slot(v)];
    return v;
}

CurveSkeleton CollapseComplex::curve(std::vector<int>* node_of) const {
    CurveSkeleton out;
    std::vector<int> number(size(), -1);
    for (std::size_t v = 0; v < size(); ++v) {
        if (was_used_[v] == 0 || became_[v] != static_cast<int>(v)) continue;
        number[v] = static_cast<int>(out.nodes.size());
        out.nodes.push_back({position[v], 0});
    }
    for (std::size_t v = 0; v < size(); ++v) {
        for (const int other : around_[v]) {
            if (other > static_cast<int>(v)) out.edges.push_back({number[v], number[slot(other)]});
        }
    }
    std::sort(out.edges.begin(), out.edges.end());
    if (node_of == nullptr) return out;
    node_of->assign(size(), -1);
    for (std::size_t v = 0; v < size(); ++v) {
        if (was_used_[v] != 0) (*node_of)[v] = number[slot(became(static_cast<int>(v)))];
    }
    return out;
}

namespace {

struct Entry {
    double cost;
    int a, b;
    bool operator<(const Entry& other) const {
        return cost != other.cost ? cost > other.cost : std::pair(a, b) > std::pair(other.a, other.b);
    }
};

/// Shortest edges first.
class ByLength {
  public:
    explicit ByLength(const ContractionMesh& mesh) : complex_(mesh), weight_(mesh.vertex_slots(), 1) {
        for (std::size_t v = 0; v < complex_.size(); ++v) push_all(static_cast<int>(v));
    }

    CurveSkeleton run() {
        while (!queue_.empty()) {
            const auto [length, a, b] = queue_.top();
            queue_.pop();
            if (!complex_.is_edge(a, b) || length != complex_.distance(a, b) || !complex_.has_face(a, b))
                continue;
            collapse(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
        }
        return complex_.curve();
    }

  private:
    void push_all(int v) {
        for (const int other : complex_.around(v)) {
            queue_.push({complex_.distance(v, other), std::min(v, other), std::max(v, other)});
        }
    }

    void collapse(std::size_t a, std::size_t b) {
        complex_.merge(static_cast<int>(a), static_cast<int>(b));
        const double sum = weight_[a] + weight_[b];
        complex_.position[a] = (weight_[a] * complex_.position[a] + weight_[b] * complex_.position[b]) / sum;
        weight_[a] = sum;
        push_all(static_cast<int>(a));
    }

    CollapseComplex complex_;
    std::vector<double> weight_;
    std::priority_queue<Entry> queue_;
};

}  // namespace

CurveSkeleton collapse_to_curve(const ContractionMesh& mesh) {
    return ByLength(mesh).run();
}

}  // namespace sinew::rig
