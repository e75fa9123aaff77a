#pragma once
/// \file
/// What is wrong with a joint in a sphere (Baran and Popovic 2007, 4.2 and appendix).

#include "sinew/rig/skeletonize/pinocchio_search.h"

namespace sinew::rig {

class EmbeddingPenalties {
  public:
    EmbeddingPenalties(const SphereGraph& graph, const TemplatePlan& plan, const ReducedTemplate& pattern,
                       double scale, const EmbeddingWeights& weights);

    /// Of a joint by itself: feet, ends.
    double alone(std::size_t joint, int sphere) const;
    /// Of the chain from its parent in another sphere, `length` away along the graph.
    double chain(std::size_t joint, int parent, int sphere, double length) const;
    /// Of two joints that are placed, other than parent and child.
    double pair(std::size_t first, int first_sphere, std::size_t second, int second_sphere) const;
    /// Of twins with chains of these lengths between these spheres: max(0, q^3 - 1.2) with q = 0.2 max(d1/d2,
    /// d2/d1) + 0.8 max(d1 / (d2 + 0.7 (r3 + r4)), d2 / (d1 + 0.7 (r1 + r2))).
    double twins(double first, const std::array<int, 2>& first_ends, double second,
                 const std::array<int, 2>& second_ends) const;
    /// Of so many spheres of a way of `count` that other chains have too. Nothing is wrong with the first
    /// half: fingers share the palm.
    double shared(std::size_t spheres, std::size_t count) const;

  private:
    double cosine(std::size_t from, std::size_t to, int from_sphere, int to_sphere) const;
    void find_ends();

    const SphereGraph& graph_;
    const TemplatePlan& plan_;
    const ReducedTemplate& pattern_;
    double scale_;
    EmbeddingWeights weights_;
    double bottom_ = 0, height_ = 0;
    std::vector<double> to_end_;  ///< per sphere: how far the way away from the middle of the body goes on
};

}  // namespace sinew::rig
