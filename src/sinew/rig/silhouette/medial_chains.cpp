// SPDX-License-Identifier: MIT
#include "sinew/rig/silhouette/medial_chains.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace sinew::rig {

namespace {

using T = Triangulation2::Triangle;

std::size_t side_to(const T& triangle, int neighbor) {
    return static_cast<std::size_t>(std::ranges::find(triangle.neighbors, neighbor) -
                                    triangle.neighbors.begin());
}

/// Walks from a triangle through sleeves to the next other triangle, and collects the chords.
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

    void close(int t, std::size_t exit_side, Chain& chain, std::size_t end) const {
        chain.hubs[end] = hub_[static_cast<std::size_t>(t)];
        if (chain.hubs[end] < 0) chain.behind[end] = {triangle(t).corners[exit_side]};
        // A ring is cut where the walk started.
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
    // The widest chains form the tree; every other chain closes a cycle and is cut.
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

namespace {

constexpr double min_protrusion = 0.3;  // minimum protrusion of the end of a branch, in radii of its junction
constexpr double min_length =
    0.012;  // minimum length of a branch, as a fraction of the extent of the outline
constexpr double on_circle = 1 + 1e-7;  // right-angled corners lie on the circle and count as rounding

class Pruner {
  public:
    Pruner(Chains& chains, const MedialOptions& options) : c_(chains), options_(options) {
        Vec2d low = c_.point(0), high = low;
        for (const Vec2d& p : c_.triangulation.points) {
            low = low.cwiseMin(p);
            high = high.cwiseMax(p);
        }
        extent_ = (high - low).norm();
    }

    void run() {
        // Every step removes a chain or a hub, so that this ends.
        while (tidy() || remove_noise() || cluster()) {
        }
    }

  private:
    Chain& chain(int i) { return c_.chains[static_cast<std::size_t>(i)]; }
    Hub& hub(int i) { return c_.hubs[static_cast<std::size_t>(i)]; }

    /// Ratio of a branch with a free end to its threshold: less than 1 is noise.
    double significance(const Chain& chain, std::size_t end) const {
        if (absorbed(c_, chain, end) == chain.chords.size()) return 0;
        const Chord& root = end == 0 ? chain.chords.back() : chain.chords.front();
        const Chord& last = end == 0 ? chain.chords.front() : chain.chords.back();
        const Disc disc = c_.disc(chain.hubs[1 - end]);
        // The length along the axis and on to the farthest point beyond; and how far that point protrudes
        // from the circle in the junction.
        double rest = 0, far = 0;
        for (const int p : chain.behind[end]) {
            rest = std::max(rest, (c_.point(p) - c_.middle(last)).norm());
            far = std::max(far, (c_.point(p) - disc.center).norm());
        }
        const double length = c_.length(chain) + rest;
        const double half = (c_.point(root.a) - c_.point(root.b)).norm() / 2;
        double out = std::numeric_limits<double>::max();
        const auto demand = [&](double has, double needed) {
            if (needed > 0) out = std::min(out, has / needed);
        };
        demand(length, options_.prune * half);
        demand(far - disc.radius, min_protrusion * disc.radius);
        demand(length, min_length * extent_);
        return out;
    }

    struct Noise {
        double value = 1;
        int chain = -1;
    };

    /// Branches with a free end that are noise, grouped by their junction.
    std::map<int, std::vector<Noise>> noise() {
        std::map<int, std::vector<Noise>> out;
        for (int i = 0; i < static_cast<int>(c_.chains.size()); ++i) {
            const Chain& candidate = chain(i);
            if (!candidate.alive) continue;
            for (const std::size_t end : {0u, 1u}) {
                if (candidate.hubs[end] >= 0 || candidate.hubs[1 - end] < 0) continue;
                const double value = significance(candidate, end);
                if (value < 1) out[candidate.hubs[1 - end]].push_back({value, i});
            }
        }
        return out;
    }

    void drop(const Chain& gone) {
        Hub& at = hub(std::max(gone.hubs[0], gone.hubs[1]));
        for (const Chord& chord : gone.chords) {
            at.aside.insert(at.aside.end(), {chord.a, chord.b});
            at.aside.insert(at.aside.end(), chord.aside.begin(), chord.aside.end());
        }
        for (const auto& behind : gone.behind) at.aside.insert(at.aside.end(), behind.begin(), behind.end());
    }

    /// The least significant branch is removed first, because without its junction others may be longer.
    /// Where at most one branch of a junction is significant, all others are removed together: the rest ends
    /// there with a round end.
    bool remove_noise() {
        const auto groups = noise();
        const std::vector<Noise>* worst = nullptr;
        int where = -1;
        const auto min = [](const std::vector<Noise>& group) {
            return std::ranges::min_element(group, {}, &Noise::value)->value;
        };
        for (const auto& [at, group] : groups) {
            if (worst != nullptr && min(group) >= min(*worst)) continue;
            worst = &group;
            where = at;
        }
        if (worst == nullptr) return false;
        const bool together = worst->size() + 1 >= c_.chains_at(where).size();
        for (const Noise& n : *worst) {
            if (!together && n.value > min(*worst)) continue;
            drop(chain(n.chain));
            chain(n.chain).alive = false;
            if (!together) break;
        }
        return true;
    }

    /// The two junctions that lie nearest for the circles in them become one.
    bool cluster() {
        double min = options_.cluster;
        int best = -1;
        for (int i = 0; i < static_cast<int>(c_.chains.size()); ++i) {
            const Chain& candidate = chain(i);
            if (!candidate.alive || candidate.hubs[0] < 0 || candidate.hubs[1] < 0) continue;
            if (candidate.hubs[0] == candidate.hubs[1]) continue;
            const Disc from = c_.disc(candidate.hubs[0]), to = c_.disc(candidate.hubs[1]);
            const double reach = std::max(from.radius + to.radius, std::numeric_limits<double>::min());
            const double value = (to.center - from.center).norm() / reach;
            if (value < min) {
                min = value;
                best = i;
            }
        }
        if (best < 0) return false;
        Chain& gone = chain(best);
        gone.alive = false;
        const int keep = std::min(gone.hubs[0], gone.hubs[1]), drop = std::max(gone.hubs[0], gone.hubs[1]);
        for (Chain& other : c_.chains) {
            for (int& h : other.hubs) h = h == drop ? keep : h;
        }
        Hub &to = hub(keep), &from = hub(drop);
        to.triangles.insert(to.triangles.end(), from.triangles.begin(), from.triangles.end());
        to.aside.insert(to.aside.end(), from.aside.begin(), from.aside.end());
        from.alive = false;
        return true;
    }

    /// A junction with two remaining branches joins them; with one, that branch gets a free end there.
    bool tidy() {
        bool changed = false;
        for (int h = 0; h < static_cast<int>(c_.hubs.size()); ++h) {
            if (!hub(h).alive) continue;
            const std::vector<int> at = c_.chains_at(h);
            if (at.size() >= 3 || (at.size() == 2 && at[0] == at[1])) continue;
            if (at.empty()) continue;  // all branches were noise: the axis of a round shape is its middle
            hub(h).alive = false;
            changed = true;
            if (at.size() == 2) join(h, at[0], at[1]);
            if (at.size() == 1) {
                Chain& last = chain(at[0]);
                const std::size_t end = last.hubs[0] == h ? 0 : 1;
                last.hubs[end] = -1;
                last.behind[end] = hub(h).aside;
                last.cap[end] = c_.disc(h).center;
            }
        }
        return changed;
    }

    void join(int h, int first, int second) {
        Chain &a = chain(first), &b = chain(second);
        const auto reverse = [](Chain& c) {
            std::ranges::reverse(c.chords);
            std::swap(c.hubs[0], c.hubs[1]);
            std::swap(c.behind[0], c.behind[1]);
            std::swap(c.cap[0], c.cap[1]);
            std::swap(c.cut[0], c.cut[1]);
        };
        if (a.hubs[1] != h) reverse(a);
        if (b.hubs[0] != h) reverse(b);
        auto& aside = a.chords.back().aside;
        aside.insert(aside.end(), hub(h).aside.begin(), hub(h).aside.end());
        a.chords.insert(a.chords.end(), b.chords.begin(), b.chords.end());
        a.hubs[1] = b.hubs[1];
        a.behind[1] = b.behind[1];
        a.cap[1] = b.cap[1];
        a.cut[1] = b.cut[1];
        b.alive = false;
    }

    Chains& c_;
    const MedialOptions& options_;
    double extent_ = 0;
};

}  // namespace

std::size_t absorbed(const Chains& chains, const Chain& chain, std::size_t end) {
    if (chain.hubs[end] >= 0) return 0;
    std::vector<int> beyond = chain.behind[end];
    const std::size_t count = chain.chords.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Chord& chord = chain.chords[end == 0 ? i : count - 1 - i];
        const Vec2d middle = chains.middle(chord);
        const double reach = (chains.point(chord.a) - middle).norm() * on_circle;
        for (const int p : beyond) {
            if ((chains.point(p) - middle).norm() > reach) return i;
        }
        beyond.insert(beyond.end(), {chord.a, chord.b});
        beyond.insert(beyond.end(), chord.aside.begin(), chord.aside.end());
    }
    return count;
}

void prune(Chains& chains, const MedialOptions& options) {
    Pruner(chains, options).run();
}

}  // namespace sinew::rig
