#include "sinew/rig/skeletonize/collapse_complex.h"

#include <numeric>

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

}  // namespace sinew::rig
