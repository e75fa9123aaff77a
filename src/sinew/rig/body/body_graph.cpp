// SPDX-License-Identifier: MIT
#include "sinew/rig/body/body_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::rig {

BodyGraph::BodyGraph(const BodyField& field) : field_(&field) {
    const auto& lattice = field.solid.lattice;
    node_of_.assign(lattice.size(), none);
    std::uint32_t c = 0;
    for (std::size_t k = 0; k < lattice.points[2]; ++k) {
        for (std::size_t j = 0; j < lattice.points[1]; ++j) {
            for (std::size_t i = 0; i < lattice.points[0]; ++i, ++c) {
                if (field.solid.inside[c] == 0) continue;
                node_of_[c] = static_cast<std::uint32_t>(cells_.size());
                cells_.push_back(c);
                index_.push_back({static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(j),
                                  static_cast<std::uint16_t>(k)});
                depth_.push_back(std::max(0.5f, field.depth[c] / static_cast<float>(field.cell())));
            }
        }
    }
    const auto nx = static_cast<std::ptrdiff_t>(lattice.points[0]);
    const auto nxy = nx * static_cast<std::ptrdiff_t>(lattice.points[1]);
    std::size_t count = 0;
    for (int k = -1; k <= 1; ++k) {
        for (int j = -1; j <= 1; ++j) {
            for (int i = -1; i <= 1; ++i) {
                if (i == 0 && j == 0 && k == 0) continue;
                step_[count] = i + nx * j + nxy * k;
                length_[count++] = std::sqrt(static_cast<float>(i * i + j * j + k * k));
            }
        }
    }
}

std::uint32_t BodyGraph::nearest(const Vec3d& point, int reach) const {
    const auto& lattice = field_->solid.lattice;
    const std::size_t home = field_->cell_at(point);
    if (node_of_[home] != none) return node_of_[home];
    std::array<std::ptrdiff_t, 3> at, size;
    for (std::size_t a = 0; a < 3; ++a) size[a] = static_cast<std::ptrdiff_t>(lattice.points[a]);
    at = {static_cast<std::ptrdiff_t>(home) % size[0], static_cast<std::ptrdiff_t>(home) / size[0] % size[1],
          static_cast<std::ptrdiff_t>(home) / (size[0] * size[1])};
    std::uint32_t best = none;
    double best_distance = std::numeric_limits<double>::infinity();
    const auto low = [&](std::size_t a) { return std::max<std::ptrdiff_t>(0, at[a] - reach); };
    const auto high = [&](std::size_t a) { return std::min<std::ptrdiff_t>(size[a] - 1, at[a] + reach); };
    for (std::ptrdiff_t k = low(2); k <= high(2); ++k) {
        for (std::ptrdiff_t j = low(1); j <= high(1); ++j) {
            for (std::ptrdiff_t i = low(0); i <= high(0); ++i) {
                const std::uint32_t node =
                    node_of_[static_cast<std::size_t>(i + size[0] * (j + size[1] * k))];
                if (node == none) continue;
                const double distance = (position(node) - point).squaredNorm();
                if (distance >= best_distance) continue;
                best = node;
                best_distance = distance;
            }
        }
    }
    return best;
}

std::vector<float> BodyGraph::distances(std::span<const std::uint32_t> sources, std::span<const float> starts,
                                        std::vector<std::uint32_t>* label) const {
    // On the lattice itself, where one lookup checks that a neighbour exists and is farther; cells outside
    // have a smaller value than all others.
    std::vector<float> distance(node_of_.size(), -1);
    for (const std::uint32_t cell : cells_) distance[cell] = std::numeric_limits<float>::infinity();
    if (label != nullptr) label->assign(size(), none);
    // Dial's algorithm: no step is shorter than 1, so that buckets of width 1 settle in any order.
    std::vector<std::vector<std::uint32_t>> buckets;
    const auto reach = [&](std::size_t cell, float value, std::uint32_t source) {
        if (!(value < distance[cell])) return;
        distance[cell] = value;
        if (label != nullptr) (*label)[node_of_[cell]] = source;
        const auto bucket = static_cast<std::size_t>(value);
        if (bucket >= buckets.size()) buckets.resize(bucket + 1);
        buckets[bucket].push_back(static_cast<std::uint32_t>(cell));
    };
    for (std::size_t s = 0; s < sources.size(); ++s) {
        if (sources[s] == none) continue;
        reach(cells_[sources[s]], starts.empty() ? 0.0f : starts[s], static_cast<std::uint32_t>(s));
    }
    for (std::size_t b = 0; b < buckets.size(); ++b) {
        const std::vector<std::uint32_t> settled = std::move(buckets[b]);
        for (const std::uint32_t cell : settled) {
            const float from = distance[cell];
            if (static_cast<std::size_t>(from) != b) continue;  // a shorter path was found meanwhile
            const std::uint32_t source = label != nullptr ? (*label)[node_of_[cell]] : 0;
            for (std::size_t d = 0; d < 26; ++d) {
                reach(cell + static_cast<std::size_t>(step_[d]), from + length_[d], source);
            }
        }
    }
    std::vector<float> out(size());
    for (std::size_t n = 0; n < out.size(); ++n) out[n] = distance[cells_[n]];
    return out;
}

}  // namespace sinew::rig
