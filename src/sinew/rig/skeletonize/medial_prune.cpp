#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sinew/rig/skeletonize/medial_chains.h"

namespace sinew::rig {
namespace {

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

    /// How far above its threshold a branch with a free end is: less than 1 is noise.
    double significance(const Chain& chain, std::size_t end) const {
        if (absorbed(c_, chain, end) == chain.chords.size()) return 0;
        const Chord& root = end == 0 ? chain.chords.back() : chain.chords.front();
        const Chord& last = end == 0 ? chain.chords.front() : chain.chords.back();
        const Disc disc = c_.disc(chain.hubs[1 - end]);
        // The way along the axis, then on to the farthest point beyond; and how far that stands out of the
        // circle in the junction.
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
        demand(length, options_.keep * half);
        demand(far - disc.radius, options_.protrude * disc.radius);
        demand(length, options_.least * extent_);
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

    /// The least significant branch goes first, because its junction may then leave others longer. Where none
    /// but one branch of a junction counts, or none at all, they go together: what is left ends there, round.
    bool remove_noise() {
        const auto groups = noise();
        const std::vector<Noise>* worst = nullptr;
        int where = -1;
        const auto least = [](const std::vector<Noise>& group) {
            return std::ranges::min_element(group, {}, &Noise::value)->value;
        };
        for (const auto& [at, group] : groups) {
            if (worst != nullptr && least(group) >= least(*worst)) continue;
            worst = &group;
            where = at;
        }
        if (worst == nullptr) return false;
        const bool together = worst->size() + 1 >= c_.chains_at(where).size();
        for (const Noise& n : *worst) {
            if (!together && n.value > least(*worst)) continue;
            drop(chain(n.chain));
            chain(n.chain).alive = false;
            if (!together) break;
        }
        return true;
    }

    /// The two junctions that lie nearest for the circles in them become one.
    bool cluster() {
        double least = options_.cluster;
        int best = -1;
        for (int i = 0; i < static_cast<int>(c_.chains.size()); ++i) {
            const Chain& candidate = chain(i);
            if (!candidate.alive || candidate.hubs[0] < 0 || candidate.hubs[1] < 0) continue;
            if (candidate.hubs[0] == candidate.hubs[1]) continue;
            const Disc from = c_.disc(candidate.hubs[0]), to = c_.disc(candidate.hubs[1]);
            const double reach = std::max(from.radius + to.radius, std::numeric_limits<double>::min());
            const double value = (to.center - from.center).norm() / reach;
            if (value < least) {
                least = value;
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

    /// A junction that is left with two branches joins them; with one, that branch ends free there.
    bool tidy() {
        bool changed = false;
        for (int h = 0; h < static_cast<int>(c_.hubs.size()); ++h) {
            if (!hub(h).alive) continue;
            const std::vector<int> at = c_.chains_at(h);
            if (at.size() >= 3 || (at.size() == 2 && at[0] == at[1])) continue;
            if (at.empty()) continue;  // all of it was noise: a round shape is the middle of it
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
        const auto turn = [](Chain& c) {
            std::ranges::reverse(c.chords);
            std::swap(c.hubs[0], c.hubs[1]);
            std::swap(c.behind[0], c.behind[1]);
            std::swap(c.cap[0], c.cap[1]);
            std::swap(c.cut[0], c.cut[1]);
        };
        if (a.hubs[1] != h) turn(a);
        if (b.hubs[0] != h) turn(b);
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
