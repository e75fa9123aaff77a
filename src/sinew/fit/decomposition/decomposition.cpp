// SPDX-License-Identifier: MIT
#include "sinew/fit/decomposition/decomposition.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "sinew/base/error.h"
#include "sinew/fit/decomposition/bone_seeds.h"
#include "sinew/fit/decomposition/motion_step.h"
#include "sinew/fit/decomposition/simplex.h"
#include "sinew/fit/decomposition/weight_step.h"
#include "sinew/math/transform.h"

namespace sinew::fit {

using Eigen::Index;

namespace {

constexpr int growth_sweeps = 3;    ///< after every split
constexpr int exchange_sweeps = 6;  ///< before an exchange is evaluated

/// Bones, weights and the remaining error.
struct Iterate {
    Motions motions;
    BlendWeights weights;
    std::vector<double> errors;  ///< squared distances of the vertices over all frames
    double total = std::numeric_limits<double>::infinity();

    Index bones() const { return motions.cols() / 4; }
};

class Decomposer {
  public:
    Decomposer(const model::MeshSequence& sequence, const DecompositionOptions& options, Monitor& monitor);
    FitResult run();

  private:
    void start_with_one();
    void resume();
    void grow();
    void report_unused() const;
    void insert(Iterate& now, std::size_t count);
    void update_motions(Iterate& now) const;
    Motions extrapolated(const Motions& before, const Motions& now, double factor) const;
    void settle(Iterate& now, int sweeps, int exchanges);
    void exchange_bones();
    bool exchange(std::size_t count);
    void remove(Iterate& now, std::span<const std::size_t> bones) const;
    void update_weights(Iterate& now, int exchanges) const;
    std::mt19937* chance() { return options_.seed != 0 ? &random_ : nullptr; }
    double erms(double total) const;
    double progress() const;
    FitResult result(const Iterate& iterate) const;
    void offer(const Iterate& iterate);

    const model::MeshSequence& sequence_;
    DecompositionOptions options_;
    Monitor& monitor_;
    Target target_;
    geometry::Rows neighbors_;
    Iterate best_;
    std::vector<double> history_;
    std::mt19937 random_;
    double offered_ = std::numeric_limits<double>::infinity();
};

Decomposer::Decomposer(const model::MeshSequence& sequence, const DecompositionOptions& options,
                       Monitor& monitor)
    : sequence_(sequence),
      options_(options),
      monitor_(monitor),
      target_(make_target(sequence)),
      neighbors_(fit_neighbors(sequence.rest)),
      random_(options.seed) {}

double Decomposer::erms(double total) const {
    return 1000 * std::sqrt(total / (3.0 * static_cast<double>(target_.vertices() * target_.frames())));
}

/// Sweeps done, as a part of those that are expected.
double Decomposer::progress() const {
    const int levels =
        options_.start != nullptr ? 0 : growth_sweeps * static_cast<int>(2.5 * std::log2(options_.bones + 1));
    const int expected = levels + 3 * options_.sweeps / 2 + exchange_sweeps * options_.exchanges;
    return std::min(1.0, static_cast<double>(history_.size()) / expected);
}

void Decomposer::update_weights(Iterate& now, int exchanges) const {
    WeightStepOptions how;
    how.influences = options_.influences;
    how.exchanges = exchanges;
    how.locks = options_.locks;
    BlendWeights prior;
    if (options_.smoothness > 0 && now.bones() > 1 && !now.weights.of(0).empty()) {
        prior = neighbor_mean(neighbors_, now.weights);
        how.prior = &prior;
        how.pull = options_.smoothness * static_cast<double>(target_.frames());
    }
    now.errors = weight_step(target_, now.motions, how, now.weights);
    now.total = std::accumulate(now.errors.begin(), now.errors.end(), 0.0);
}

void Decomposer::update_motions(Iterate& now) const {
    const BlendSums sums = blend_sums(target_, now.weights, now.bones());
    if (options_.rigid) {
        rigid_motion_step(sums, 1, now.motions);
    } else {
        affine_motion_step(sums, now.motions);
    }
}

/// Motions extrapolated beyond those of the last two sweeps; rigid ones stay rigid.
Motions Decomposer::extrapolated(const Motions& before, const Motions& now, double factor) const {
    Motions next = now + factor * (now - before);
    if (!options_.rigid) return next;
    for (Index f = 0; f < next.rows(); f += 3) {
        for (Index j = 0; j < next.cols(); j += 4)
            next.block<3, 3>(f, j) = math::nearest_rotation(math::Mat3d(next.block<3, 3>(f, j)));
    }
    return next;
}

/// Sweeps until the error changes little. The error is a function of the motions alone, since the weights
/// follow from them. Momentum therefore accelerates the alternation as it does gradient descent (Nesterov
/// 1983), with a restart when it overshoots.
void Decomposer::settle(Iterate& now, int sweeps, int exchanges) {
    Motions before = now.motions;
    double speed = 1;
    for (int s = 0; s < sweeps; ++s) {
        step(monitor_, "fitting", progress());
        Iterate next = now;
        update_motions(next);
        const Motions stepped = next.motions;
        const double faster = (1 + std::sqrt(1 + 4 * speed * speed)) / 2;
        const double factor = (speed - 1) / faster;
        if (factor > 0) next.motions = extrapolated(before, stepped, factor);
        update_weights(next, exchanges);
        speed = faster;
        if (next.total > now.total && factor > 0) {
            next.motions = stepped;
            update_weights(next, exchanges);
            speed = 1;
        }
        const bool done = now.total - next.total < 2 * options_.tolerance * now.total;
        before = stepped;
        if (next.total < now.total) now = std::move(next);
        history_.push_back(erms(now.total));
        offer(now);
        if (done) break;
    }
}

/// New bones where the error is largest.
void Decomposer::insert(Iterate& now, std::size_t count) {
    const Index old = now.bones();
    const std::size_t size =
        std::max<std::size_t>(12, now.weights.vertex_count() / (6 * (static_cast<std::size_t>(old) + count)));
    const Motions added = seed_motions(target_, neighbors_, now.errors, count, size, chance());
    now.motions.conservativeResize(Eigen::NoChange, 4 * (old + static_cast<Index>(count)));
    now.motions.rightCols(added.cols()) = added;
    update_weights(now, 1);
}

void Decomposer::start_with_one() {
    Iterate now;
    const auto vertices = static_cast<std::size_t>(target_.vertices());
    std::vector<std::uint32_t> all(vertices);
    std::iota(all.begin(), all.end(), 0u);
    now.motions = region_motion(target_, all);
    now.weights = BlendWeights(vertices, static_cast<std::size_t>(options_.influences));
    update_weights(now, 0);
    best_ = std::move(now);
}

void Decomposer::grow() {
    if (best_.bones() == 0) start_with_one();
    Iterate now = std::move(best_);
    while (now.bones() < options_.bones) {
        const Index added =
            std::min<Index>(std::max<Index>(1, now.bones() / 2), options_.bones - now.bones());
        insert(now, static_cast<std::size_t>(added));
        settle(now, growth_sweeps, 1);
    }
    best_ = std::move(now);
}

/// Removes bones and gives their vertices to the others.
void Decomposer::remove(Iterate& now, std::span<const std::size_t> bones) const {
    std::vector<Index> slot(static_cast<std::size_t>(now.bones()), 0);
    for (const std::size_t j : bones) slot[j] = -1;
    Index kept = 0;
    Motions motions(now.motions.rows(), now.motions.cols() - 4 * static_cast<Index>(bones.size()));
    for (std::size_t j = 0; j < slot.size(); ++j) {
        if (slot[j] < 0) continue;
        motions.middleCols<4>(4 * kept) = now.motions.middleCols<4>(4 * static_cast<Index>(j));
        slot[j] = kept++;
    }
    now.motions = std::move(motions);
    std::vector<BoneWeight> list;
    for (std::size_t v = 0; v < now.weights.vertex_count(); ++v) {
        list.clear();
        double sum = 0;
        for (const BoneWeight& w : now.weights.of(v)) {
            if (slot[w.bone] < 0) continue;
            list.push_back({static_cast<std::uint32_t>(slot[w.bone]), w.weight});
            sum += w.weight;
        }
        if (sum < 1e-6) list.clear();
        for (BoneWeight& w : list) w.weight /= sum;
        now.weights.set(v, list);
    }
    update_weights(now, 1);
}

/// Moves the `count` least useful bones to the largest errors. True when this reduced the error.
bool Decomposer::exchange(std::size_t count) {
    Iterate now = best_;
    const std::vector<double> costs = removal_costs(target_, now.motions, now.weights);
    std::vector<std::size_t> order(costs.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return costs[a] < costs[b]; });
    if (chance() != nullptr) {  // one of the few with the smallest effect, not always the same
        const std::size_t few = std::min(order.size(), 2 * count + 1);
        for (std::size_t i = 0; i < count; ++i) std::swap(order[i], order[i + random_() % (few - i)]);
    }
    order.resize(count);
    remove(now, order);
    insert(now, count);
    settle(now, exchange_sweeps, 1);
    if (now.total >= best_.total) return false;
    best_ = std::move(now);
    return true;
}

void Decomposer::exchange_bones() {
    std::size_t count = std::max<std::size_t>(1, static_cast<std::size_t>(options_.bones) / 8);
    if (options_.bones < 3 || options_.locks.size() > 0) return;
    for (int round = 0; round < options_.exchanges; ++round) {
        if (exchange(count)) continue;
        if (count > 1) {
            count /= 2;
        } else if (chance() == nullptr) {
            break;
        }
    }
}

FitResult Decomposer::result(const Iterate& iterate) const {
    FitResult fit;
    fit.rest = sequence_.rest;
    fit.rate = sequence_.rate;
    fit.rigid = options_.rigid;
    fit.weights = iterate.weights;
    fit.frames = to_poses(target_, iterate.motions);
    fit.history = history_;
    fit.centers = weight_centers(fit.rest, fit.weights, static_cast<std::size_t>(iterate.bones()));
    return fit;
}

/// Passes an iterate to the caller if it is the best so far.
void Decomposer::offer(const Iterate& iterate) {
    if (!options_.on_iterate || !(iterate.total < offered_)) return;
    offered_ = iterate.total;
    options_.on_iterate(result(iterate));
}

/// Continues from an earlier fit; bones that it lacks are grown.
void Decomposer::resume() {
    best_.motions = to_motions(target_, options_.start->frames);
    if (options_.rigid) best_.motions = extrapolated(best_.motions, best_.motions, 0);
    best_.weights = with_limit(options_.start->weights, static_cast<std::size_t>(options_.influences));
    update_weights(best_, 0);
    history_.push_back(erms(best_.total));
}

/// Warns of bones that no vertex needs; they have the motion of the whole mesh.
void Decomposer::report_unused() const {
    std::vector<bool> used(static_cast<std::size_t>(best_.bones()), false);
    for (std::size_t v = 0; v < best_.weights.vertex_count(); ++v) {
        for (const BoneWeight& w : best_.weights.of(v)) used[w.bone] = true;
    }
    const auto unused = std::count(used.begin(), used.end(), false);
    if (unused > 0)
        warn(monitor_, "fit-unused-bones", "{} of {} bones move no vertex: fewer bones are enough", unused,
             best_.bones());
}

FitResult Decomposer::run() {
    if (options_.start != nullptr) resume();
    if (best_.bones() < options_.bones) grow();
    settle(best_, options_.sweeps / 2, 1);
    exchange_bones();
    // A wider search for bones pays off more where a motion step is one linear solve.
    settle(best_, options_.sweeps, options_.rigid ? 1 : 2);
    report_unused();
    return result(best_);
}

/// Options that fit the sequence.
DecompositionOptions checked(const model::MeshSequence& sequence, DecompositionOptions options,
                             Monitor& monitor) {
    check_sequence(sequence);
    const auto vertices = static_cast<int>(sequence.rest.positions.size());
    if (options.bones < 1) fail("fit", "{} bones were requested: at least 1 is needed", options.bones);
    if (options.influences < 1 || options.influences > max_influences)
        fail("fit", "{} influences were requested: 1 to {} are possible", options.influences, max_influences);
    if (options.bones > vertices) {
        warn(monitor, "fit-fewer-bones", "{} bones were requested: {} vertices can use at most {}",
             options.bones, vertices, vertices);
        options.bones = vertices;
    }
    if (!options.locks.empty() && options.locks.size() != sequence.rest.positions.size())
        fail("fit", "{} locks are given for {} vertices", options.locks.size(), vertices);
    if (!options.locks.empty() && options.start == nullptr)
        fail("fit", "locked weights need a fit to start from");
    if (options.start != nullptr) {
        const FitResult& start = *options.start;
        if (start.blend != Blend::linear) fail("fit", "the fit to start from does not blend matrices");
        if (start.frames.size() != sequence.frames.size() ||
            start.weights.vertex_count() != sequence.rest.positions.size())
            fail("fit", "the fit to start from has {} frames of {} vertices, the sequence {} of {}",
                 start.frames.size(), start.weights.vertex_count(), sequence.frames.size(), vertices);
        options.bones = std::max(options.bones, static_cast<int>(start.bone_count()));
    }
    if (options.sweeps <= 0) options.sweeps = options.rigid ? 12 : 16;
    return options;
}

}  // namespace

FitResult fit_decomposition(const model::MeshSequence& sequence, const DecompositionOptions& options,
                            Monitor& monitor) {
    return Decomposer(sequence, checked(sequence, options, monitor), monitor).run();
}

}  // namespace sinew::fit
