// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Template embedding as published by Baran and Popovic (2007), for comparison: a body as a packing of
/// spheres, and a template embedded in its graph.

#include <array>

#include "sinew/base/monitor.h"
#include "sinew/rig/body/body_field.h"
#include "sinew/rig/templates/template_fit.h"
#include "sinew/rig/templates/template_plan.h"

namespace sinew::published {

using namespace rig;  // the product's own steps around these methods

struct SphereGraph {
    struct Link {
        int to = -1;
        double length = 0;
    };
    std::vector<Vec3d> center;  ///< centres, the largest sphere first
    std::vector<double> radius;
    std::vector<std::vector<Link>> around;
    int left_out = 0;  ///< spheres that are not connected to the largest component of the graph

    std::size_t size() const { return center.size(); }
};

/// Points of the medial axis: centres of lattice cells deeper than `min`, where the distance to the surface
/// decreases towards two directions at least 120 degrees apart; with their depth, deepest first.
std::vector<std::pair<double, Vec3d>> medial_points(const BodyField& field, double min);

/// Packs spheres around medial points, the largest first, each with its centre outside all previous spheres.
/// Two spheres are connected when they intersect, or when the segment between them stays at least half of the
/// smaller radius away from the surface and no other centre is closer to its midpoint. Only the largest
/// connected component is kept.
SphereGraph sphere_graph(const BodyField& field, double min);

/// Shortest paths from one sphere to all others.
struct SpherePaths {
    std::vector<double> length;  ///< infinite where there is no path
    std::vector<int> from;       ///< previous sphere on the path; -1 at the start

    /// Spheres on the path from the start, both ends included.
    std::vector<int> path_to(int sphere) const;
};
SpherePaths paths_from(const SphereGraph& graph, int start);

// A template without the joints that have one bone on each side.

/// Junctions and ends of a template; the joints between them form chains.
struct ReducedTemplate {
    struct Joint {
        int point = -1;          ///< index in the plan
        int parent = -1;         ///< index in `joints`, always less than its own
        std::vector<int> chain;  ///< points from the parent's to this one, both included
        double length = 0;       ///< of the chain
        int twin = -1;           ///< the symmetric joint, when it comes before this one; otherwise -1
        bool is_end = false;
        bool is_foot = false;
    };
    std::vector<Joint> joints;  ///< the first is a junction, when there is one
};

ReducedTemplate reduced(const TemplatePlan& plan);

// Best positions of the junctions and ends of a template among the spheres of a body (Baran and Popovic 2007,
// 4).

/// Weights of the penalties. The published weights were learned from embeddings rated by people; these are
/// chosen so that a bone of half the correct length, one with a direction error of 90 degrees, and an end in
/// the middle of a limb have about the same cost.
struct EmbeddingWeights {
    double short_bone = 1;    ///< a chain shorter than half its length in the template
    double direction = 0.3;   ///< direction between two joints that differs from the template
    double asymmetry = 0.5;   ///< symmetric chains of different length
    double shared = 2;        ///< a chain through spheres of another chain
    double foot = 1;          ///< feet above the lowest point of the body
    double no_length = 10;    ///< a chain of length zero
    double orientation = 1;   ///< chains with a wrong direction
    double not_an_end = 1.5;  ///< ends of limbs where the graph continues
    double detour = 0.5;      ///< chains longer than in the template
};

struct EmbeddingOptions {
    EmbeddingWeights weights = {};
    double max_cost = 2;  ///< per joint; a higher cost is not accepted as an embedding
};

struct Embedding {
    std::vector<int> sphere;              ///< per joint of the reduced template
    std::vector<std::vector<int>> paths;  ///< per joint, the spheres from its parent's to its own
    double cost = 0;
    std::size_t states = 0;  ///< number of partial embeddings that were evaluated
};

/// Finds the embedding of lowest cost by best-first search. Joints are placed one after the other; the lower
/// bound of the remaining cost places every chain independently. `scale` scales the template to the size of
/// the body.
/// \throws Error when the search fails, or no acceptable embedding is found
Embedding embed(const SphereGraph& graph, const TemplatePlan& plan, const ReducedTemplate& pattern,
                double scale, const EmbeddingOptions& options = {}, Monitor& monitor = silent());

// Penalties of a joint in a sphere (Baran and Popovic 2007, 4.2 and appendix).

class EmbeddingPenalties {
  public:
    EmbeddingPenalties(const SphereGraph& graph, const TemplatePlan& plan, const ReducedTemplate& pattern,
                       double scale, const EmbeddingWeights& weights);

    /// Of a single joint: feet and ends.
    double alone(std::size_t joint, int sphere) const;
    /// Of the chain from the parent's sphere, `length` away along the graph.
    double chain(std::size_t joint, int parent, int sphere, double length) const;
    /// Of two placed joints other than parent and child.
    double pair(std::size_t first, int first_sphere, std::size_t second, int second_sphere) const;
    /// Of symmetric joints with chains of these lengths between these spheres: max(0, q^3 - 1.2) with q = 0.2
    /// max(d1/d2, d2/d1) + 0.8 max(d1 / (d2 + 0.7 (r3 + r4)), d2 / (d1 + 0.7 (r1 + r2))).
    double twins(double first, const std::array<int, 2>& first_ends, double second,
                 const std::array<int, 2>& second_ends) const;
    /// Of sharing `spheres` of the `count` spheres of a path with other chains. The first half is free,
    /// because fingers share the palm.
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
    std::vector<double> to_end_;  ///< per sphere: how far the path continues away from the centre of the body
};

// The published fitting of a skeleton to a body (Baran and Popovic 2007), to compare with our template fit.

/// Packs the body with spheres, embeds the junctions and ends of the template in their graph, places the
/// joints in between by the proportions of the template, and refines all of them together: bones towards the
/// centres of limbs, lengths and directions as in the template, symmetric joints alike. The distance field is
/// that of the voxelised interior instead of an octree. As published, the body must have about the pose of
/// the template; if it differs too much, no embedding is found.
/// \throws Error when there is no embedding, or the mesh or the template has no extent
TemplateFit pinocchio_fit(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                          Monitor& monitor = silent());

}  // namespace sinew::published
