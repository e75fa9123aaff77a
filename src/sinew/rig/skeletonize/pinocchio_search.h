#pragma once
/// \file
/// Where the junctions and ends of a template lie best among the spheres of a body (Baran and Popovic 2007,
/// 4).

#include "sinew/base/monitor.h"
#include "sinew/rig/skeletonize/sphere_graph.h"
#include "sinew/rig/skeletonize/template_reduce.h"

namespace sinew::rig {

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
    std::size_t fat_spheres = 50;       ///< junctions lie in one of so many largest spheres
    std::size_t most_states = 1000000;  ///< partial embeddings that are looked at before the search gives up
    double most_cost = 2;               ///< per joint: what costs more is no embedding
};

struct Embedding {
    std::vector<int> sphere;             ///< per joint of the reduced template
    std::vector<std::vector<int>> ways;  ///< per joint, the spheres from its parent's to its own
    double cost = 0;
    std::size_t states = 0;  ///< partial embeddings that were looked at
};

/// The cheapest embedding, by best-first search: joints are placed one after the other, and what is left
/// costs at least what it would if every chain could be placed by itself. `scale` makes the template as large
/// as the body.
/// \throws Error when the search gives up, or nothing that it finds can be called an embedding.
Embedding embed(const SphereGraph& graph, const TemplatePlan& plan, const ReducedTemplate& pattern,
                double scale, const EmbeddingOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::rig
