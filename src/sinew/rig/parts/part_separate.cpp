#include "sinew/rig/parts/part_separate.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "sinew/deform/parts/part_body.h"
#include "sinew/geometry/cut_mesh.h"

namespace sinew::rig {
namespace {

using geometry::CutMesh;

/// Two parts that touch without being parent and child, or in several loops.
std::optional<std::array<int, 2>> offenders(const CutMesh& cut, const std::vector<int>& parents) {
    for (const geometry::PartContact& contact : geometry::part_contacts(cut)) {
        if (!contact.along_edges()) continue;
        const bool linked = parents[static_cast<std::size_t>(contact.a)] == contact.b ||
                            parents[static_cast<std::size_t>(contact.b)] == contact.a;
        if (!linked || geometry::border_chains(contact.edges).size() > 1) return {{contact.a, contact.b}};
    }
    return std::nullopt;
}

/// The smaller of two parts takes the label of the other.
void join(const FaceGraph& graph, const std::array<int, 2>& pair, std::vector<int>& labels) {
    std::array<double, 2> areas{};
    for (std::size_t f = 0; f < labels.size(); ++f)
        for (std::size_t i = 0; i < 2; ++i)
            if (labels[f] == pair[i]) areas[i] += graph.areas[f];
    const bool first_goes = areas[0] < areas[1];
    std::replace(labels.begin(), labels.end(), pair[first_goes ? 0 : 1], pair[first_goes ? 1 : 0]);
}

}  // namespace

std::vector<int> separate_parts(const CutMesh& surface, const FaceGraph& graph, const PartParents& parents,
                                std::vector<int>& labels, const SeparateOptions& options) {
    constexpr int rounds = 4;  // of widening; what it has not parted by then it never will
    CutMesh cut = surface;
    std::vector<int> first(static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end())) + 1);
    std::iota(first.begin(), first.end(), 0);
    for (int round = 0;; ++round) {
        cut.part_of = labels;
        cut.names.clear();
        for (const int label : first) cut.names.push_back(fmt::format("part_{}", label));
        const std::vector<int> tree = parents(cut, first);
        const auto pair = offenders(cut, tree);
        if (!pair || (round >= rounds && !options.join)) return first;
        if (round < rounds) {
            deform::tidy_parts(cut, tree, {.spread = 1, .smooth = true, .island_fraction = 0});
            labels = cut.part_of;
            absorb_islands(graph, labels);
        } else {
            join(graph, *pair, labels);
        }
        std::vector<int> left;
        for (const int label : pack_labels(labels)) left.push_back(first[static_cast<std::size_t>(label)]);
        first = std::move(left);
    }
}

}  // namespace sinew::rig
