// SPDX-License-Identifier: MIT
#include "sinew/rig/contraction/contraction_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "sinew/base/array.h"

namespace sinew::rig {

ContractionMesh::ContractionMesh(std::vector<Vec3d> positions, std::vector<Face> faces)
    : position(std::move(positions)), pole(position), is_fixed(position.size(), 0), faces_(std::move(faces)) {
    around_.resize(position.size());
    for (std::size_t f = 0; f < faces_.size(); ++f) {
        for (const int v : faces_[f]) around_[index(v)].push_back(static_cast<int>(f));
    }
    faces_alive_ = faces_.size();
    vertices_ = static_cast<std::size_t>(
        std::count_if(around_.begin(), around_.end(), [](const auto& list) { return !list.empty(); }));
}

double ContractionMesh::area() const {
    double sum = 0;
    for (const Face& f : faces_) {
        if (f[0] < 0) continue;
        const Vec3d& a = position[index(f[0])];
        sum += (position[index(f[1])] - a).cross(position[index(f[2])] - a).norm() / 2;
    }
    return sum;
}

int ContractionMesh::opposite(int face, int a, int b) const {
    for (const int v : faces_[index(face)]) {
        if (v != a && v != b) return v;
    }
    return -1;
}

void ContractionMesh::faces_on(int a, int b, std::vector<int>& out) const {
    out.clear();
    for (const int f : around_[index(a)]) {
        const Face& face = faces_[index(f)];
        if (face[0] == b || face[1] == b || face[2] == b) out.push_back(f);
    }
}

bool ContractionMesh::can_collapse(int a, int b) const {
    // Stamps instead of sorted lists: this is computed for every short edge in every step of the flow.
    if (next_stamp_ > std::numeric_limits<int>::max() - 3) stamp_.clear(), next_stamp_ = 0;
    stamp_.resize(position.size(), 0);
    const int near_a = next_stamp_ + 1, near_both = next_stamp_ + 2, near_b = next_stamp_ + 3;
    next_stamp_ += 3;
    std::size_t count = 0, shared = 0;
    for (const int f : around_[index(a)]) {
        for (const int v : faces_[index(f)]) {
            int& stamp = stamp_[index(v)];
            if (v == a || stamp == near_a) continue;
            stamp = near_a;
            ++count;
        }
    }
    for (const int f : around_[index(b)]) {
        for (const int v : faces_[index(f)]) {
            int& stamp = stamp_[index(v)];
            if (v == b || stamp == near_both || stamp == near_b) continue;
            shared += stamp == near_a;
            stamp = stamp == near_a ? near_both : near_b;
            ++count;
        }
    }
    return shared == 2 && count > 6;
}

void ContractionMesh::remove_face(int face) {
    for (const int v : faces_[index(face)]) {
        auto& list = around_[index(v)];
        list.erase(std::find(list.begin(), list.end(), face));
        if (list.empty()) --vertices_;
    }
    faces_[index(face)][0] = -1;
    --faces_alive_;
}

void ContractionMesh::collapse(int a, int b, const Vec3d& point) {
    thread_local std::vector<int> gone;
    faces_on(a, b, gone);
    for (const int f : gone) remove_face(f);
    for (const int f : around_[index(b)]) {
        std::replace(faces_[index(f)].begin(), faces_[index(f)].end(), b, a);
        around_[index(a)].push_back(f);
    }
    if (!around_[index(b)].empty()) --vertices_;
    around_[index(b)].clear();
    position[index(a)] = point;
}

int ContractionMesh::split(int a, int b, const Vec3d& point) {
    const int middle = static_cast<int>(position.size());
    position.push_back(point);
    const double t = (point - position[index(a)]).norm() / std::max(length(a, b), 1e-300);
    pole.push_back(pole[index(a)] + std::min(t, 1.0) * (pole[index(b)] - pole[index(a)]));
    is_fixed.push_back(0);
    around_.emplace_back();
    ++vertices_;
    std::vector<int> cut;
    faces_on(a, b, cut);
    for (const int f : cut) {
        const int added = static_cast<int>(faces_.size());
        Face twin = faces_[index(f)];
        std::replace(twin.begin(), twin.end(), a, middle);
        std::replace(faces_[index(f)].begin(), faces_[index(f)].end(), b, middle);
        faces_.push_back(twin);
        ++faces_alive_;
        auto& at_b = around_[index(b)];
        *std::find(at_b.begin(), at_b.end(), f) = added;
        around_[index(opposite(added, middle, b))].push_back(added);
        around_.back().push_back(f);
        around_.back().push_back(added);
    }
    return middle;
}

namespace {

struct QueuedEdge {
    double length;
    int a, b;
    bool operator<(const QueuedEdge& other) const {
        return length != other.length ? length > other.length : std::pair(a, b) > std::pair(other.a, other.b);
    }
};

/// Whether a face would flip when the vertex moves to the point.
bool flips(const ContractionMesh& mesh, int v, int other, const Vec3d& point) {
    for (const int f : mesh.faces_at(v)) {
        ContractionMesh::Face face = mesh.faces()[at(f)];
        if (std::find(face.begin(), face.end(), other) != face.end()) continue;
        while (face[0] != v) std::rotate(face.begin(), face.begin() + 1, face.end());
        const Vec3d& b = mesh.position[at(face[1])];
        const Vec3d& c = mesh.position[at(face[2])];
        const Vec3d before = (b - mesh.position[at(v)]).cross(c - b);
        if (before.dot((b - point).cross(c - b)) < 0) return true;
    }
    return false;
}

/// The shortest edges first, until all are at least `least` long.
void collapse_short(ContractionMesh& mesh, double min) {
    std::priority_queue<QueuedEdge> queue;
    std::vector<int> on;
    const auto push = [&](int a, int b) {
        const double length = mesh.length(a, b);
        if (length < min) queue.push({length, std::min(a, b), std::max(a, b)});
    };
    mesh.for_each_edge(push);
    while (!queue.empty()) {
        const QueuedEdge edge = queue.top();
        queue.pop();
        if (!mesh.has_vertex(edge.a) || !mesh.has_vertex(edge.b)) continue;
        if (mesh.length(edge.a, edge.b) != edge.length || !mesh.can_collapse(edge.a, edge.b)) continue;
        mesh.faces_on(edge.a, edge.b, on);
        if (on.size() != 2) continue;
        const Vec3d middle = (mesh.position[at(edge.a)] + mesh.position[at(edge.b)]) / 2;
        if (flips(mesh, edge.a, edge.b, middle) || flips(mesh, edge.b, edge.a, middle)) continue;
        mesh.collapse(edge.a, edge.b, middle);
        // The corner after it in every face: all its neighbours, each once.
        for (const int f : mesh.faces_at(edge.a)) {
            const ContractionMesh::Face& face = mesh.faces()[at(f)];
            push(edge.a, face[0] == edge.a ? face[1] : face[1] == edge.a ? face[2] : face[0]);
        }
    }
}

/// Edges longer than `most` are halved, again and again, while there are fewer vertices than `limit`.
void split_long(ContractionMesh& mesh, double max, std::size_t limit) {
    for (bool again = true; again;) {
        again = false;
        mesh.for_each_edge([&](int a, int b) {
            if (mesh.vertex_count() >= limit || mesh.length(a, b) <= max) return;
            mesh.split(a, b, (mesh.position[at(a)] + mesh.position[at(b)]) / 2);
            again = true;
        });
    }
}

}  // namespace

void remesh_evenly(ContractionMesh& mesh, std::size_t vertices) {
    // A closed surface has about two faces per vertex; an equilateral triangle of side s has the area
    // sqrt(3)/4 s^2.
    const double side = std::sqrt(2 * mesh.area() / (std::sqrt(3.0) * static_cast<double>(vertices)));
    collapse_short(mesh, 0.8 * side);
    split_long(mesh, 1.4 * side, 4 * vertices);
    collapse_short(mesh, 0.8 * side);
}

}  // namespace sinew::rig
