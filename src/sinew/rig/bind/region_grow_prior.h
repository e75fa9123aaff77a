#pragma once
/// \file
/// What is known of the skin before any boundary: whose bones are nearest, and how much of it there is.

#include "sinew/rig/bind/bind_input.h"
#include "sinew/rig/bind/linkage.h"

namespace sinew::rig {

/// Who is above whom, in constant time: joints numbered so that a subtree is a run.
class Descent {
  public:
    explicit Descent(const Linkage& linkage) : first_(linkage.joints.size(), -1), last_(first_) {
        if (linkage.root >= 0) number(linkage, linkage.root);
    }
    /// True when `above` is `below` or over it.
    bool covers(int above, int below) const {
        return first_[at(above)] <= first_[at(below)] && first_[at(below)] <= last_[at(above)];
    }

  private:
    static std::size_t at(int j) { return static_cast<std::size_t>(j); }
    void number(const Linkage& linkage, int root) {
        std::vector<int> stack{root};
        while (!stack.empty()) {
            const int j = stack.back();
            stack.pop_back();
            first_[at(j)] = next_++;
            last_[at(j)] = first_[at(j)] + linkage.joints[at(j)].subtree - 1;
            for (const int child : linkage.joints[at(j)].children) stack.push_back(child);
        }
    }
    std::vector<int> first_, last_;
    int next_ = 0;
};

/// The bones of the joints that take part, parents first.
std::vector<BoneSegment> linked_bones(const Linkage& linkage);

/// The joint whose bone is nearest to each vertex: not where the boundaries are, but who lives there. Of
/// bones that are equally near, as on the outer side of a bend, the first counts, and the skin is contested.
struct NearestBones {
    std::vector<int> joint;
    std::vector<char> contested;
};
NearestBones nearest_bones(const RegionSurface& surface, std::span<const BoneSegment> bones);

/// A third of the triangles around each vertex.
std::vector<double> vertex_areas(const RegionSurface& surface);

/// For each shell whether most of it lies on the skin of the body, as clothes, eyes and teeth do.
std::vector<char> shells_on(const RegionSurface& surface, std::uint32_t body, std::span<const double> areas,
                            double reach = 0.02);

}  // namespace sinew::rig
