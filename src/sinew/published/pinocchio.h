// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A body as a packing of spheres, and the graph of those that lie beside each other (Baran and Popovic
/// 2007, 3).

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
    std::vector<Vec3d> center;  ///< the largest sphere first
    std::vector<double> radius;
    std::vector<std::vector<Link>> around;
    int left_out = 0;  ///< spheres that no path leads to from the largest part of the graph

    std::size_t size() const { return center.size(); }
};

/// Where distance to the surface falls off to two sides that are 120 degrees or more apart: centres of the
/// cells of the lattice, deeper than `least`, with the depth there. Deepest first.
std::vector<std::pair<double, Vec3d>> medial_points(const BodyField& field, double min);

/// Spheres around medial points, the largest first, each with its centre outside all before it. Joined are
/// spheres that meet, and those whose straight connection keeps half of the smaller radius to the surface and
/// has no other centre nearer to its middle. The largest connected part is kept.
SphereGraph sphere_graph(const BodyField& field, double min);

/// Shortest paths from one sphere to all others.
struct SpherePaths {
    std::vector<double> length;  ///< infinite where no path leads
    std::vector<int> from;       ///< the sphere before; -1 at the start

    /// Spheres from the start to a point, both included.
    std::vector<int> path_to(int sphere) const;
};
SpherePaths paths_from(const SphereGraph& graph, int start);

// A template without the joints that have one bone on each side.

/// Junctions and ends of a template; what lies between them is a chain.
struct ReducedTemplate {
    struct Joint {
        int point = -1;          ///< of the plan
        int parent = -1;         ///< position in `joints`, always before
        std::vector<int> chain;  ///< points from the parent's to this one, both included
        double length = 0;       ///< of the chain
        int twin = -1;           ///< the joint on the other side, when it comes before this one
        bool is_end = false;
        bool is_foot = false;
    };
    std::vector<Joint> joints;  ///< the first is a junction, when there is one
};

ReducedTemplate reduced(const TemplatePlan& plan);

// Where the junctions and ends of a template lie best among the spheres of a body (Baran and Popovic 2007,
// 4).

/// How much each penalty counts. The published ones were learned from embeddings that people had judged;
/// these are set so that a bone of half the right length, one that points 90 degrees astray and an end in the
/// middle of a limb cost about as much.
struct EmbeddingWeights {
    double short_bone = 1;    ///< a chain shorter than half its length in the template
    double direction = 0.3;   ///< joints that lie the wrong way from each other
    double asymmetry = 0.5;   ///< twins whose chains differ in length
    double shared = 2;        ///< a chain that runs through spheres of another
    double foot = 1;          ///< feet above the bottom of the body
    double no_length = 10;    ///< a chain that ends where it starts
    double orientation = 1;   ///< chains that point astray
    double not_an_end = 1.5;  ///< ends of limbs that lie where the graph goes on
    double detour = 0.5;      ///< chains that are longer than the template's
};

struct EmbeddingOptions {
    EmbeddingWeights weights = {};
    double max_cost = 2;  ///< per joint: what costs more is not an embedding
};

struct Embedding {
    std::vector<int> sphere;              ///< per joint of the reduced template
    std::vector<std::vector<int>> paths;  ///< per joint, the spheres from its parent's to its own
    double cost = 0;
    std::size_t states = 0;  ///< partial embeddings that were looked at
};

/// The cheapest embedding, by best-first search: joints are placed one after the other, and what is left
/// costs at least what it would if every chain could be placed by itself. `scale` makes the template as large
/// as the body.
/// \throws Error when the search gives up, or nothing that it finds can be called an embedding.
Embedding embed(const SphereGraph& graph, const TemplatePlan& plan, const ReducedTemplate& pattern,
                double scale, const EmbeddingOptions& options = {}, Monitor& monitor = silent());

// What is wrong with a joint in a sphere (Baran and Popovic 2007, 4.2 and appendix).

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
    /// Of so many spheres of a path of `count` that other chains have too. Nothing is wrong with the first
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
    std::vector<double> to_end_;  ///< per sphere: how far the path away from the middle of the body goes on
};

// A skeleton into a body as Baran and Popovic published it (2007): what our own template fit is compared
// with.

/// Spheres fill the body; the junctions and ends of the template are embedded in their graph; the joints
/// between follow along the paths by the template's proportions, and all are refined together: bones towards
/// the middle of limbs, lengths and directions as in the template, twins alike. The distance field is that of
/// the voxelised interior instead of an octree. As published, the body has to stand as the template does, and
/// skeletons that differ from it too much find no embedding.
/// \throws Error when there is no embedding, or the mesh or the template has no extent.
TemplateFit pinocchio_fit(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                          Monitor& monitor = silent());

}  // namespace sinew::published
