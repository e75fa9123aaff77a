#include "sinew/fit/decomposition.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/error.h"
#include "sinew/fit/bone_seeds.h"
#include "sinew/fit/motion_step.h"
#include "sinew/fit/simplex.h"
#include "sinew/fit/weight_step.h"

namespace sinew::fit {

using Eigen::Index;

namespace {

/// Bones, weights and what they leave.
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
    void grow();
    void insert(Iterate& now, std::size_t count) const;
    void sweep(Iterate& now, int exchanges) const;
    void settle(Iterate& now, int sweeps, int exchanges);
    void exchange_bones();
    bool exchange(std::size_t count);
    void remove(Iterate& now, std::span<const std::size_t> bones) const;
    void update_weights(Iterate& now, int exchanges) const;
    double erms(double total) const;
    FitResult result() const;

    const model::MeshSequence& sequence_;
    DecompositionOptions options_;
    Monitor& monitor_;
    Target target_;
    geometry::Rows neighbors_;
    Iterate best_;
    std::vector<double> history_;
};

Decomposer::Decomposer(const model::MeshSequence& sequence, const DecompositionOptions& options,
                       Monitor& monitor)
    : sequence_(sequence),
      options_(options),
      monitor_(monitor),
      target_(make_target(sequence)),
      neighbors_(fit_neighbors(sequence.rest)) {}

double Decomposer::erms(double total) const {
    return 1000 * std::sqrt(total / (3.0 * static_cast<double>(target_.vertices() * target_.frames())));
}

void Decomposer::update_weights(Iterate& now, int exchanges) const {
    WeightStepOptions how;
    how.influences = options_.influences;
    how.exchanges = exchanges;
    now.errors = weight_step(target_, now.motions, how, now.weights);
    now.total = std::accumulate(now.errors.begin(), now.errors.end(), 0.0);
}

void Decomposer::sweep(Iterate& now, int exchanges) const {
    const BlendSums sums = blend_sums(target_, now.weights, now.bones());
    if (options_.rigid) {
        rigid_motion_step(sums, 2, now.motions);
    } else {
        affine_motion_step(sums, now.motions);
    }
    update_weights(now, exchanges);
}

/// Sweeps until little changes; remembers the best.
void Decomposer::settle(Iterate& now, int sweeps, int exchanges) {
    for (int s = 0; s < sweeps; ++s) {
        const double before = now.total;
        sweep(now, exchanges);
        history_.push_back(erms(now.total));
        step(monitor_, "fitting", 0.5);
        if (before - now.total < 2 * options_.tolerance * before) break;
    }
}

/// New bones where the error is largest.
void Decomposer::insert(Iterate& now, std::size_t count) const {
    const Index old = now.bones();
    const std::size_t size =
        std::max<std::size_t>(12, now.weights.vertex_count() / (6 * (static_cast<std::size_t>(old) + count)));
    const Motions added = seed_motions(target_, neighbors_, now.errors, count, size);
    now.motions.conservativeResize(Eigen::NoChange, 4 * (old + static_cast<Index>(count)));
    now.motions.rightCols(added.cols()) = added;
    update_weights(now, 2);
}

void Decomposer::grow() {
    Iterate now;
    const auto vertices = static_cast<std::size_t>(target_.vertices());
    std::vector<std::uint32_t> all(vertices);
    std::iota(all.begin(), all.end(), 0u);
    now.motions = region_motion(target_, all);
    now.weights = BlendWeights(vertices, static_cast<std::size_t>(options_.influences));
    update_weights(now, 0);
    while (now.bones() < options_.bones) {
        const Index added =
            std::min<Index>(std::max<Index>(1, now.bones() / 2), options_.bones - now.bones());
        insert(now, static_cast<std::size_t>(added));
        settle(now, 3, 1);
    }
    settle(now, options_.sweeps / 2, 2);
    best_ = std::move(now);
}

/// What the error would grow by without each bone: w^2 |a_j - a_others|^2 summed over its vertices.

/// Takes bones away and gives their vertices to the others.
void Decomposer::remove(Iterate& now, std::span<const std::size_t> bones) const {
    std::vector<Index> place(static_cast<std::size_t>(now.bones()), 0);
    for (const std::size_t j : bones) place[j] = -1;
    Index kept = 0;
    Motions motions(now.motions.rows(), now.motions.cols() - 4 * static_cast<Index>(bones.size()));
    for (std::size_t j = 0; j < place.size(); ++j) {
        if (place[j] < 0) continue;
        motions.middleCols<4>(4 * kept) = now.motions.middleCols<4>(4 * static_cast<Index>(j));
        place[j] = kept++;
    }
    now.motions = std::move(motions);
    std::vector<BoneWeight> list;
    for (std::size_t v = 0; v < now.weights.vertex_count(); ++v) {
        list.clear();
        double sum = 0;
        for (const BoneWeight& w : now.weights.of(v)) {
            if (place[w.bone] < 0) continue;
            list.push_back({static_cast<std::uint32_t>(place[w.bone]), w.weight});
            sum += w.weight;
        }
        if (sum < 1e-6) list.clear();
        for (BoneWeight& w : list) w.weight /= sum;
        now.weights.set(v, list);
    }
    update_weights(now, 1);
}

/// Moves the `count` least useful bones to the largest errors. True when that was worth it.
bool Decomposer::exchange(std::size_t count) {
    Iterate now = best_;
    const std::vector<double> costs = removal_costs(target_, now.motions, now.weights);
    std::vector<std::size_t> order(costs.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return costs[a] < costs[b]; });
    order.resize(count);
    remove(now, order);
    insert(now, count);
    settle(now, 6, 2);
    if (now.total >= best_.total) return false;
    best_ = std::move(now);
    return true;
}

void Decomposer::exchange_bones() {
    std::size_t count = std::max<std::size_t>(1, static_cast<std::size_t>(options_.bones) / 8);
    if (options_.bones < 3) return;
    for (int round = 0; round < options_.exchanges; ++round) {
        if (exchange(count)) continue;
        if (count == 1) break;
        count /= 2;
    }
    settle(best_, options_.sweeps, 4);
}

FitResult Decomposer::result() const {
    FitResult fit;
    fit.rest = sequence_.rest;
    fit.rate = sequence_.rate;
    fit.rigid = options_.rigid;
    fit.weights = best_.weights;
    fit.frames = to_poses(target_, best_.motions);
    fit.history = history_;
    std::vector<double> mass(static_cast<std::size_t>(best_.bones()), 0.0);
    fit.centers.assign(mass.size(), Vec3d::Zero());
    for (std::size_t v = 0; v < fit.weights.vertex_count(); ++v) {
        for (const BoneWeight& w : fit.weights.of(v)) {
            mass[w.bone] += w.weight;
            fit.centers[w.bone] += w.weight * fit.rest.positions[v].cast<double>();
        }
    }
    for (std::size_t j = 0; j < mass.size(); ++j)
        fit.centers[j] = mass[j] > 0 ? Vec3d(fit.centers[j] / mass[j]) : target_.center;
    return fit;
}

FitResult Decomposer::run() {
    grow();
    exchange_bones();
    return result();
}

}  // namespace

FitResult fit_decomposition(const model::MeshSequence& sequence, const DecompositionOptions& options,
                            Monitor& monitor) {
    check_sequence(sequence);
    return Decomposer(sequence, options, monitor).run();
}

}  // namespace sinew::fit
