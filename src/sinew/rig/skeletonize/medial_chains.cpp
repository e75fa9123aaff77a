#include "sinew/rig/skeletonize/medial_chains.h"

#include <algorithm>
#include <numeric>

namespace sinew::rig {
namespace {

using T = Triangulation2::Triangle;

std::size_t side_to(const T& triangle, int neighbor) {
    return static_cast<std::size_t>(std::ranges::find(triangle.neighbors, neighbor) -
                                    triangle.neighbors.begin());
}

/// Walks from a triangle through sleeves to the next triangle that is none, collecting the chords.
class ChainTracer {
  public:
    explicit ChainTracer(Chains& out) : out_(out), kinds_(classes(out.triangulation)) {
        used_.resize(out.triangulation.triangles.size());
        hub_.assign(kinds_.size(), -1);
        for (std::size_t t = 0; t < kinds_.size(); ++t) {
            if (kinds_[t] != TriangleClass::junction) continue;
            hub_[t] = static_cast<int>(out.hubs.size());
            out.hubs.push_back({{static_cast<int>(t)}, {}, true});
        }
    }

    void run() {
        for (const TriangleClass kind :
             {TriangleClass::terminal, TriangleClass::junction, TriangleClass::sleeve}) {
            for (int t = 0; t < static_cast<int>(kinds_.size()); ++t) {
                if (kinds_[static_cast<std::size_t>(t)] != kind) continue;
                for (std::size_t k = 0; k < 3; ++k) {
                    const auto i = static_cast<std::size_t>(t);
                    if (!triangle(t).external(k) && !used_[i][k]) trace(t, k);
                }
            }
        }
    }

  private:
    const T& triangle(int t) const { return out_.triangulation.triangles[static_cast<std::size_t>(t)]; }

    void close(int t, std::size_t way_out, Chain& chain, std::size_t end) const {
        chain.hubs[end] = hub_[static_cast<std::size_t>(t)];
        if (chain.hubs[end] < 0) chain.behind[end] = {triangle(t).corners[way_out]};
        // A ring is cut where it was begun.
        chain.cut[end] = kinds_[static_cast<std::size_t>(t)] == TriangleClass::sleeve;
    }

    void trace(int start, std::size_t first) {
        Chain chain;
        close(start, first, chain, 0);
        int t = start;
        std::size_t k = first;
        while (true) {
            const T& from = triangle(t);
            chain.chords.push_back({from.corners[(k + 1) % 3], from.corners[(k + 2) % 3], {}});
            used_[static_cast<std::size_t>(t)][k] = true;
            const int u = from.neighbors[k];
            const std::size_t back = side_to(triangle(u), t);
            used_[static_cast<std::size_t>(u)][back] = true;
            t = u;
            if (kinds_[static_cast<std::size_t>(t)] != TriangleClass::sleeve || t == start) {
                close(t, back, chain, 1);
                break;
            }
            k = 0;
            while (k == back || triangle(t).external(k)) ++k;
        }
        out_.chains.push_back(std::move(chain));
    }

    Chains& out_;
    std::vector<TriangleClass> kinds_;
    std::vector<std::array<bool, 3>> used_;
    std::vector<int> hub_;
};

}  // namespace

std::vector<TriangleClass> classes(const Triangulation2& triangulation) {
    std::vector<TriangleClass> out;
    out.reserve(triangulation.triangles.size());
    for (const T& t : triangulation.triangles) out.push_back(static_cast<TriangleClass>(t.internal_sides()));
    return out;
}

Vec2d Chains::center(int hub) const {
    Vec2d sum = Vec2d::Zero();
    double total = 0;
    for (const int t : hubs[static_cast<std::size_t>(hub)].triangles) {
        const auto& c = triangulation.triangles[static_cast<std::size_t>(t)].corners;
        const double area = geometry::cross2(point(c[1]) - point(c[0]), point(c[2]) - point(c[0]));
        sum += area * (point(c[0]) + point(c[1]) + point(c[2])) / 3;
        total += area;
    }
    return total > 0 ? Vec2d(sum / total) : Vec2d(Vec2d::Zero());
}

Disc Chains::disc(int hub) const {
    Disc out;
    for (const int t : hubs[static_cast<std::size_t>(hub)].triangles) {
        const auto& c = triangulation.triangles[static_cast<std::size_t>(t)].corners;
        const Vec2d b = point(c[1]) - point(c[0]), d = point(c[2]) - point(c[0]);
        const double twice = 2 * geometry::cross2(b, d);
        if (!(twice > 0)) continue;
        const Vec2d to(d.y() * b.squaredNorm() - b.y() * d.squaredNorm(),
                       b.x() * d.squaredNorm() - d.x() * b.squaredNorm());
        const Vec2d center = point(c[0]) + to / twice;
        if (!outline.contains(center)) continue;
        const double radius = outline.distance(center);
        if (radius > out.radius) out = {center, radius};
    }
    if (out.radius > 0) return out;
    const Vec2d middle = center(hub);
    return {middle, outline.distance(middle)};
}

double Chains::length(const Chain& chain) const {
    double sum = 0;
    for (std::size_t i = 1; i < chain.chords.size(); ++i) {
        sum += (middle(chain.chords[i]) - middle(chain.chords[i - 1])).norm();
    }
    return sum;
}

std::vector<int> Chains::chains_at(int hub) const {
    std::vector<int> out;
    for (std::size_t c = 0; c < chains.size(); ++c) {
        if (!chains[c].alive) continue;
        for (const int h : chains[c].hubs) {
            if (h == hub) out.push_back(static_cast<int>(c));
        }
    }
    return out;
}

Chains chains_of(const Triangulation2& triangulation, const geometry::PolygonIndex& outline) {
    Chains out{triangulation, outline, {}, {}};
    ChainTracer(out).run();
    return out;
}

void break_cycles(Chains& chains) {
    struct Narrow {
        double radius;
        std::size_t chain, chord;
    };
    std::vector<Narrow> order;
    for (std::size_t c = 0; c < chains.chains.size(); ++c) {
        const Chain& chain = chains.chains[c];
        if (!chain.alive || chain.hubs[0] < 0 || chain.hubs[1] < 0) continue;
        Narrow narrow{0, c, 0};
        for (std::size_t i = 0; i < chain.chords.size(); ++i) {
            const double radius = chains.outline.distance(chains.middle(chain.chords[i]));
            if (i == 0 || radius < narrow.radius) narrow = {radius, c, i};
        }
        order.push_back(narrow);
    }
    // The widest chains make the tree; every other closes a cycle and is cut.
    std::ranges::stable_sort(order, [](const Narrow& a, const Narrow& b) { return a.radius > b.radius; });
    std::vector<int> leader(chains.hubs.size());
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](int h) {
        while (leader[static_cast<std::size_t>(h)] != h) h = leader[static_cast<std::size_t>(h)];
        return h;
    };
    for (const Narrow& narrow : order) {
        const Chain chain = chains.chains[narrow.chain];
        const int a = find(chain.hubs[0]), b = find(chain.hubs[1]);
        if (a != b) {
            leader[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
            continue;
        }
        const auto cut = chain.chords.begin() + static_cast<std::ptrdiff_t>(narrow.chord);
        Chain head{{chain.chords.begin(), cut}, {chain.hubs[0], -1}, {}, {}, {false, true}, true};
        Chain tail{{cut + 1, chain.chords.end()}, {-1, chain.hubs[1]}, {}, {}, {true, false}, true};
        head.behind[1] = tail.behind[0] = {cut->a, cut->b};
        chains.chains[narrow.chain].alive = false;
        if (!head.chords.empty()) chains.chains.push_back(std::move(head));
        if (!tail.chords.empty()) chains.chains.push_back(std::move(tail));
    }
}

}  // namespace sinew::rig
