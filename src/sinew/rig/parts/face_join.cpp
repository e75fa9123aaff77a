// Labels of faces that are too small, too short or no limb at all join their neighbours.

#include <algorithm>

#include "sinew/rig/parts/face_graph.h"

namespace sinew::rig {
namespace {

struct Size {
    double area = 0;
    double length = 0;  ///< over thickness
};

/// A part is seen as a tube: area = length x girth, thickness = girth / pi.
Size size_of(double area, const std::vector<LabelBorder>& borders) {
    double girth = 0;
    for (const LabelBorder& b : borders)
        girth += 2 * math::pi * b.radius / static_cast<double>(borders.size());
    return {area, girth > 0 ? math::pi * area / (girth * girth) : 1e9};
}

std::vector<double> areas_of(const FaceGraph& graph, const std::vector<int>& labels, std::size_t count) {
    std::vector<double> areas(count, 0);
    for (std::size_t f = 0; f < graph.size(); ++f)
        areas[static_cast<std::size_t>(labels[f])] += graph.areas[f];
    return areas;
}

const LabelBorder& longest(const std::vector<LabelBorder>& borders) {
    return *std::max_element(borders.begin(), borders.end(),
                             [](const auto& x, const auto& y) { return x.length < y.length; });
}

/// Whether a label has much of its border with a second neighbour that touches the one with the most.
bool is_patch(const std::vector<std::vector<LabelBorder>>& borders, std::size_t label, double least_share) {
    if (borders[label].size() < 3) return false;  // an end of a limb, whatever it touches
    const LabelBorder& most = longest(borders[label]);
    double all = 0;
    for (const LabelBorder& border : borders[label]) all += border.length;
    const auto touches = [&](int neighbour) {
        const auto& around = borders[static_cast<std::size_t>(most.neighbour)];
        return std::any_of(around.begin(), around.end(),
                           [&](const LabelBorder& b) { return b.neighbour == neighbour; });
    };
    return std::any_of(borders[label].begin(), borders[label].end(), [&](const LabelBorder& border) {
        return border.neighbour != most.neighbour && border.length >= least_share * all &&
               touches(border.neighbour);
    });
}

/// Whether one of the twins of a label is there to stay.
bool has_large_twin(const std::vector<int>& twins, const std::vector<double>& areas,
                    const std::vector<char>& stays, std::size_t label) {
    if (label >= twins.size() || twins[label] < 0) return false;
    for (std::size_t l = 0; l < twins.size() && l < stays.size(); ++l)
        if (l != label && twins[l] == twins[label] && areas[l] > 0 && stays[l] != 0) return true;
    return false;
}

}  // namespace

void join_small(const FaceGraph& graph, std::vector<int>& labels, double least_area, double least_length,
                double least_trunk) {
    const auto count = static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end())) + 1;
    for (std::size_t round = 0; round < count; ++round) {
        const std::vector<double> areas = areas_of(graph, labels, count);
        const auto borders = label_borders(graph, labels, count);
        int smallest = -1;
        for (std::size_t l = 0; l < count; ++l) {
            if (borders[l].empty()) continue;
            const Size size = size_of(areas[l], borders[l]);
            const bool too_short = size.length < (borders[l].size() < 3 ? least_length : least_trunk);
            if (!too_short && size.area >= least_area * graph.area) continue;
            if (smallest < 0 || areas[l] < areas[static_cast<std::size_t>(smallest)])
                smallest = static_cast<int>(l);
        }
        if (smallest < 0) return;
        std::replace(labels.begin(), labels.end(), smallest,
                     longest(borders[static_cast<std::size_t>(smallest)]).neighbour);
    }
}

void join_patches(const FaceGraph& graph, std::vector<int>& labels, double least_share) {
    const auto count = static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end())) + 1;
    for (std::size_t round = 0; round < count; ++round) {
        const std::vector<double> areas = areas_of(graph, labels, count);
        const auto borders = label_borders(graph, labels, count);
        int smallest = -1;
        for (std::size_t l = 0; l < count; ++l) {
            if (!is_patch(borders, l, least_share)) continue;
            if (smallest < 0 || areas[l] < areas[static_cast<std::size_t>(smallest)])
                smallest = static_cast<int>(l);
        }
        if (smallest < 0) return;
        std::replace(labels.begin(), labels.end(), smallest,
                     longest(borders[static_cast<std::size_t>(smallest)]).neighbour);
    }
}

void join_leaves(const FaceGraph& graph, std::vector<int>& labels, double least_area, double least_reach,
                 const std::vector<int>& twins) {
    const auto count = static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end())) + 1;
    for (std::size_t round = 0; round < count; ++round) {
        const auto borders = label_borders(graph, labels, count);
        std::vector<double> areas(count, 0), reach(count, 0);
        for (std::size_t f = 0; f < graph.size(); ++f) {
            const auto l = static_cast<std::size_t>(labels[f]);
            areas[l] += graph.areas[f];
            if (borders[l].size() == 1)
                reach[l] = std::max(reach[l], (graph.middles[f] - borders[l].front().middle).norm());
        }
        std::vector<char> stays(count, 1);
        for (std::size_t l = 0; l < count; ++l) {
            if (borders[l].size() != 1) continue;
            const LabelBorder& border = borders[l].front();
            const bool too_short = reach[l] < least_reach * 2 * border.radius;
            if (!too_short && areas[l] >= least_area * graph.area) continue;
            stays[l] = areas[l] > areas[static_cast<std::size_t>(border.neighbour)] ? 1 : 0;
        }
        int smallest = -1;
        for (std::size_t l = 0; l < count; ++l) {
            if (stays[l] != 0 || has_large_twin(twins, areas, stays, l)) continue;
            if (smallest < 0 || areas[l] < areas[static_cast<std::size_t>(smallest)])
                smallest = static_cast<int>(l);
        }
        if (smallest < 0) return;
        std::replace(labels.begin(), labels.end(), smallest,
                     borders[static_cast<std::size_t>(smallest)].front().neighbour);
    }
}

}  // namespace sinew::rig
