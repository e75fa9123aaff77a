#include "sinew/rig/skeletonize/collapse.h"

#include <algorithm>
#include <queue>
#include <set>

namespace sinew::rig {
namespace {

/// Vertices, edges and faces in which an edge may have any number of faces.
class Complex {
  public:
    explicit Complex(const ContractionMesh& mesh)
        : position_(mesh.position),
          weight_(mesh.vertex_slots(), 1),
          around_(mesh.vertex_slots()),
          faces_(mesh.vertex_slots()) {
        for (const auto& face : mesh.faces()) {
            if (face[0] < 0) continue;
            add_face(sorted(face));
            for (std::size_t i = 0; i < 3; ++i) link(face[i], face[(i + 1) % 3]);
        }
        for (std::size_t v = 0; v < around_.size(); ++v) {
            for (const int other : around_[v]) push(static_cast<int>(v), other);
        }
    }

    void run() {
        while (!queue_.empty()) {
            const Entry entry = queue_.top();
            queue_.pop();
            const auto [length, a, b] = entry;
            if (!around_[slot(a)].contains(b) || length != distance(a, b) || !has_face(a, b)) continue;
            collapse(a, b);
        }
    }

    CurveSkeleton curve() const {
        CurveSkeleton out;
        std::vector<int> number(around_.size(), -1);
        for (std::size_t v = 0; v < around_.size(); ++v) {
            if (around_[v].empty() && !survived_[v]) continue;
            number[v] = static_cast<int>(out.nodes.size());
            out.nodes.push_back({position_[v], 0});
        }
        for (std::size_t v = 0; v < around_.size(); ++v) {
            for (const int other : around_[v]) {
                if (other > static_cast<int>(v)) out.edges.push_back({number[v], number[slot(other)]});
            }
        }
        std::sort(out.edges.begin(), out.edges.end());
        return out;
    }

  private:
    using Face = std::array<int, 3>;
    struct Entry {
        double length;
        int a, b;
        bool operator<(const Entry& other) const {
            return length != other.length ? length > other.length
                                          : std::pair(a, b) > std::pair(other.a, other.b);
        }
    };

    static std::size_t slot(int v) { return static_cast<std::size_t>(v); }
    static Face sorted(Face face) {
        std::sort(face.begin(), face.end());
        return face;
    }
    double distance(int a, int b) const { return (position_[slot(a)] - position_[slot(b)]).norm(); }
    void push(int a, int b) {
        if (a < b) queue_.push({distance(a, b), a, b});
    }
    void link(int a, int b) {
        around_[slot(a)].insert(b);
        around_[slot(b)].insert(a);
    }
    void add_face(const Face& face) {
        for (const int v : face) faces_[slot(v)].insert(face);
    }
    void remove_face(const Face& face) {
        for (const int v : face) faces_[slot(v)].erase(face);
    }
    bool has_face(int a, int b) const {
        return std::any_of(faces_[slot(a)].begin(), faces_[slot(a)].end(),
                           [&](const Face& f) { return std::find(f.begin(), f.end(), b) != f.end(); });
    }

    void collapse(int a, int b) {
        const std::set<Face> moved = faces_[slot(b)];
        for (const Face& face : moved) {
            remove_face(face);
            if (std::find(face.begin(), face.end(), a) != face.end()) continue;
            Face next = face;
            std::replace(next.begin(), next.end(), b, a);
            add_face(sorted(next));
        }
        for (const int other : std::set<int>(around_[slot(b)])) {
            around_[slot(other)].erase(b);
            if (other != a) link(a, other);
        }
        around_[slot(b)].clear();
        const double sum = weight_[slot(a)] + weight_[slot(b)];
        position_[slot(a)] =
            (weight_[slot(a)] * position_[slot(a)] + weight_[slot(b)] * position_[slot(b)]) / sum;
        weight_[slot(a)] = sum;
        survived_[slot(a)] = 1;
        survived_[slot(b)] = 0;
        for (const int other : around_[slot(a)]) push(std::min(a, other), std::max(a, other));
    }

    std::vector<Vec3d> position_;
    std::vector<double> weight_;
    std::vector<std::set<int>> around_;
    std::vector<std::set<Face>> faces_;
    std::vector<char> survived_ = std::vector<char>(around_.size());
    std::priority_queue<Entry> queue_;
};

}  // namespace

CurveSkeleton collapse_to_curve(const ContractionMesh& mesh) {
    Complex complex(mesh);
    complex.run();
    return complex.curve();
}

}  // namespace sinew::rig
