// SPDX-License-Identifier: MIT

#include "sinew/fit/fit.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/fit/decomposition/clusters.h"
#include "sinew/fit/decomposition/corrections.h"
#include "sinew/fit/decomposition/decomposition.h"
#include "sinew/fit/decomposition/start_search.h"
#include "sinew/fit/decomposition/target.h"
#include "sinew/fit/decomposition/transforms.h"
#include "sinew/fit/decomposition/weight_step.h"
#include "sinew/fit/proxy/proxy.h"

namespace sinew::fit {

using model::MeshSequence;

namespace {

PlacementOptions placement_of(const MeshSequence& sequence, SeedPlacement seeds) {
    PlacementOptions placement;
    if (seeds == SeedPlacement::relaxed) placement.relaxations = 10;
    if (seeds == SeedPlacement::adaptive) placement.density = bending_density(sequence);
    if (seeds == SeedPlacement::surface) placement.metric = JointMetric::surface;
    return placement;
}

FitResult fit_proxy_joints(const MeshSequence& sequence, const FitOptions& given, int bones,
                           Monitor& monitor) {
    ProxyOptions options;
    options.joints = bones;
    options.rigid = given.rigid;
    options.hats.influences = static_cast<std::size_t>(given.influences);
    options.refinements = given.refinements;
    options.placement = placement_of(sequence, given.placement);
    options.temporal_smoothing = given.temporal_smoothing;
    options.own_normals = given.normals;
    return fit_proxy(sequence, options, monitor);
}

/// Evenly distributed joints with hat functions as weights, under linear blending.
FitResult even_joints(const MeshSequence& sequence, const FitOptions& options, int bones, Monitor& monitor) {
    FitResult fit;
    fit.rest = sequence.rest;
    fit.rate = sequence.rate;
    fit.rigid = options.rigid;
    const ProxyJoints joints =
        set_joint_positions(fit.rest, bones, placement_of(sequence, options.placement), monitor);
    fit.weights = hat_weights(fit.rest, joints, {.influences = static_cast<std::size_t>(options.influences)});
    for (const std::uint32_t v : joints.vertices) fit.centers.push_back(fit.rest.positions[v].cast<double>());
    fit.frames = fit_transforms(sequence, fit, {}, monitor);
    return fit;
}

/// Passes on everything except warnings, which the first run has given already.
class Unwarned : public Monitor {
  public:
    explicit Unwarned(Monitor& next) : next_(next) {}
    void progress(std::string_view stage, double fraction) override { next_.progress(stage, fraction); }
    bool cancelled() const override { return next_.cancelled(); }

  private:
    Monitor& next_;
};

/// With few bones the error still decreases slowly after all are in position.
constexpr int polish_sweeps = 30;
constexpr double polish_tolerance = 2e-5;

/// Fits again from the best of several seeds, keeps the result if it is better, and continues from it with
/// more sweeps.
void search_further(const MeshSequence& sequence, DecompositionOptions options, int starts, FitResult& best,
                    Monitor& monitor) {
    Unwarned quiet(monitor);
    const auto better = [&](const FitResult& fit) { return fit.history.back() < best.history.back(); };
    if (options.on_iterate) {
        options.on_iterate = [&, given = options.on_iterate](const FitResult& iterate) {
            if (better(iterate)) given(iterate);
        };
    }
    const FitResult start = searched_start(sequence, options, starts, quiet);
    options.start = &start;
    options.exchanges = 1;  // the search has already made exchanges
    FitResult other = fit_decomposition(sequence, options, quiet);
    if (better(other)) best = std::move(other);
    options.start = &best;
    options.exchanges = 0;
    if (options.sweeps == 0) options.sweeps = polish_sweeps;
    options.tolerance = polish_tolerance;
    other = fit_decomposition(sequence, options, quiet);
    if (!better(other)) return;
    other.history.insert(other.history.begin(), best.history.begin(), best.history.end());
    best = std::move(other);
}

FitResult decomposed(const MeshSequence& sequence, const FitOptions& given, int bones, bool even,
                     Monitor& monitor) {
    DecompositionOptions options;
    options.bones = bones;
    options.rigid = given.rigid;
    options.influences = given.influences;
    options.sweeps = given.sweeps;
    options.start = given.start;
    options.on_iterate = given.on_iterate;
    FitResult start;
    if (even && given.start == nullptr) {
        start = even_joints(sequence, given, bones, monitor);
        options.start = &start;
    }
    FitResult best = fit_decomposition(sequence, options, monitor);
    if (given.effort > 1 && given.start == nullptr && can_search(sequence, bones))
        search_further(sequence, options, given.effort > 2 ? 40 : 4, best, monitor);
    return best;
}

FitResult fit_with(const MeshSequence& sequence, const FitOptions& given, FitMethod method, int bones,
                   bool even, Monitor& monitor) {
    if (method == FitMethod::proxy) return fit_proxy_joints(sequence, given, bones, monitor);
    if (method != FitMethod::clusters) return decomposed(sequence, given, bones, even, monitor);
    ClusterOptions options;
    options.bones = bones;
    options.rigid = given.rigid;
    options.influences = given.influences;
    return fit_clusters(sequence, options, monitor);
}

std::string name_of(FitMethod method) {
    if (method == FitMethod::proxy) return "proxy";
    return method == FitMethod::clusters ? "clusters" : "decomposition";
}

/// Fits with a number of bones and remembers the last that met the target.
class Search {
  public:
    Search(const MeshSequence& sequence, const FitOptions& options, Monitor& monitor)
        : sequence_(sequence), options_(options), monitor_(monitor) {
        if (options.method == FitMethod::automatic && options.start == nullptr)
            rigidity_ = rigidity_score(sequence, options.bones);
    }

    bool meets(int bones) {
        Fitted next = fit(bones);
        tried_.push_back(bones);
        const bool good = (options_.max_error <= 0 || next.error.error_percent <= options_.max_error) &&
                          (options_.max_bytes == 0 || size_of(next.fit).total() <= options_.max_bytes);
        if (good) best_ = next;
        last_ = std::move(next);
        return good;
    }
    Fitted fit(int bones) const {
        Fitted result;
        const FitMethod method =
            options_.method == FitMethod::automatic ? FitMethod::decomposition : options_.method;
        result.method = name_of(method);
        result.rigidity = rigidity_;
        const bool even = rigidity_ >= articulated_score;
        if (even) result.method += " from even joints";
        result.fit = fit_with(sequence_, options_, method, bones, even, monitor_);
        if (options_.corrections > 0) {
            result.fit.corrections = eigen_displacements(result.fit, sequence_, options_.corrections);
            if (!result.fit.normals.empty())
                result.fit.normal_corrections =
                    normal_displacements(result.fit, sequence_, options_.corrections);
        }
        result.error = fit_error(sequence_, result.fit);
        return result;
    }
    /// The best that met the target, or the last that did not.
    Fitted result() {
        if (best_.fit.frames.empty()) {
            warn(monitor_, "fit-target",
                 "no number of bones reaches the target: {} bones leave an error of {:.4g} %",
                 last_.fit.bone_count(), last_.error.error_percent);
            best_ = std::move(last_);
        }
        best_.tried = tried_;
        return std::move(best_);
    }

  private:
    const MeshSequence& sequence_;
    const FitOptions& options_;
    Monitor& monitor_;
    double rigidity_ = -1;
    Fitted best_, last_;
    std::vector<int> tried_;
};

/// The smallest number of bones that meets the error: doubled, then bisected to a sixteenth.
void search_by_error(Search& search, int largest) {
    int low = 0, high = 1;
    while (!search.meets(high)) {
        low = high;
        if (high == largest) return;
        high = std::min(largest, 2 * high);
    }
    while (high - low > std::max(1, high / 16)) {
        const int middle = (low + high) / 2;
        (search.meets(middle) ? high : low) = middle;
    }
}

/// The largest number of bones whose bytes fit: bytes are linear in the bones, so two fits determine it.
int bones_for_bytes(const MeshSequence& sequence, const FitOptions& options, int largest) {
    FitResult model;
    model.rest.positions = sequence.rest.positions;
    model.frames.resize(sequence.frames.size());
    model.weights = BlendWeights(0, static_cast<std::size_t>(options.influences));
    model.rigid = options.rigid;
    model.blend = options.method == FitMethod::proxy && options.rigid ? Blend::dual : Blend::linear;
    const auto shapes = static_cast<Eigen::Index>(std::min(options.corrections, sequence.frames.size()));
    model.corrections.shapes.resize(0, shapes);
    if (options.method == FitMethod::proxy && options.normals) model.normal_corrections = model.corrections;
    int low = 0, high = largest;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        model.centers.assign(static_cast<std::size_t>(middle), Vec3d::Zero());
        if (size_of(model).total() <= options.max_bytes) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

}  // namespace

double rigidity_score(const MeshSequence& sequence, int bones) {
    constexpr std::size_t enough = 12;
    const std::size_t frames = sequence.frames.size();
    if (frames > enough) {
        MeshSequence some;
        some.rest = sequence.rest;
        for (std::size_t i = 0; i < enough; ++i) some.frames.push_back(sequence.frames[i * frames / enough]);
        return rigidity_score(some, bones);
    }
    DecompositionOptions options;
    options.influences = 1;
    options.exchanges = 0;
    options.sweeps = 4;
    options.bones = 1;
    const auto largest = static_cast<int>(sequence.rest.positions.size());
    const double one = fit_error(sequence, fit_decomposition(sequence, options)).rms;
    options.bones = std::min({bones, 30, largest});
    const double many = fit_error(sequence, fit_decomposition(sequence, options)).rms;
    return one > 0 ? many * many / (one * one) : 0;
}

Fitted fit(const MeshSequence& sequence, const FitOptions& options, Monitor& monitor) {
    check_sequence(sequence);
    const auto vertices = static_cast<int>(sequence.rest.positions.size());
    Search search(sequence, options, monitor);
    if (options.max_bytes > 0) {
        const int bones = bones_for_bytes(sequence, options, std::min(vertices, 4096));
        if (bones == 0)
            fail("fit", "the rest pose and its weights alone need more than {} bytes", options.max_bytes);
        search.meets(options.max_error > 0 ? bones : std::min(bones, vertices));
        return search.result();
    }
    if (options.max_error > 0) {
        search_by_error(search, std::min(vertices, 512));
        return search.result();
    }
    return search.fit(options.bones);
}

namespace {

/// The frames with the given numbers.
MeshSequence frames_of(const FrameSource& source, std::span<const std::size_t> numbers) {
    MeshSequence part;
    part.rest = source.rest;
    part.rate = source.rate;
    for (const std::size_t f : numbers) {
        std::vector<math::Vec3f>& frame = part.frames.emplace_back(source.frame(f));
        if (frame.size() != source.rest.positions.size())
            fail("fit", "frame {} has {} vertices, the rest pose {}", f, frame.size(),
                 source.rest.positions.size());
        for (std::size_t v = 0; v < frame.size(); ++v) {
            if (!frame[v].allFinite()) fail("fit", "frame {}, vertex {}: position is not finite", f, v);
        }
    }
    return part;
}

std::vector<std::size_t> spread(std::size_t count, std::size_t wanted) {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < wanted; ++i)
        numbers.push_back(wanted > 1 ? i * (count - 1) / (wanted - 1) : 0);
    return numbers;
}

/// Calls `visit(first, part)` for each chunk in order.
template <class Visit>
void for_each_chunk(const FrameSource& source, std::size_t chunk, const Visit& visit) {
    for (std::size_t first = 0; first < source.count; first += chunk) {
        std::vector<std::size_t> numbers;
        for (std::size_t f = first; f < std::min(first + chunk, source.count); ++f) numbers.push_back(f);
        visit(first, frames_of(source, numbers));
    }
}

}  // namespace

FrameSource source_of(const MeshSequence& sequence) {
    return {sequence.rest, sequence.rate, sequence.frames.size(),
            [&sequence](std::size_t f) { return sequence.frames[f]; }};
}

void WeightSums::add(const WeightSums& other) {
    if (frames == 0) {
        *this = other;
        return;
    }
    if (moments.rows() != other.moments.rows() || squares.size() != other.squares.size())
        fail("fit", "sums of {} bones and {} vertices cannot be added to sums of {} and {}",
             other.moments.rows() / 4, other.squares.size(), moments.rows() / 4, squares.size());
    frames += other.frames;
    moments += other.moments;
    cross += other.cross;
    squares += other.squares;
}

Fitted fit_sample(const FrameSource& source, const FitOptions& options, std::size_t chunk, Monitor& monitor) {
    const std::vector<std::size_t> numbers =
        spread(source.count, std::min(std::max<std::size_t>(1, chunk), source.count));
    const MeshSequence sample = frames_of(source, numbers);
    return fit(sample, options, monitor);
}

FitPart fit_part(const FrameSource& source, const FitResult& rig, std::size_t chunk, Monitor& monitor) {
    if (rig.blend != Blend::linear) fail("fit", "weights from all frames need a rig that blends matrices");
    if (rig.corrections.count() > 0)
        fail("fit", "weights from all frames cannot be combined with corrections");
    FitPart result;
    FitResult poses = rig;
    for_each_chunk(source, std::max<std::size_t>(1, chunk), [&](std::size_t first, const MeshSequence& part) {
        step(monitor, "streaming", static_cast<double>(first) / static_cast<double>(source.count));
        poses.frames = fit_transforms(part, rig, {}, monitor);
        const Target target = make_target(part, rig.rest);
        result.sums.add(weight_sums(target, to_motions(target, poses.frames)));
        for (BonePose& pose : poses.frames) result.frames.push_back(std::move(pose));
    });
    return result;
}

BlendWeights solved_weights(const WeightSums& sums, const FitResult& rig, int influences) {
    if (sums.squares.size() != static_cast<Eigen::Index>(rig.rest.positions.size()) ||
        sums.moments.rows() != 4 * static_cast<Eigen::Index>(rig.bone_count()))
        fail("fit", "the sums belong to another rig");
    const auto limit = static_cast<std::size_t>(influences);
    BlendWeights weights = with_limit(limited(rig.weights, limit), limit);
    MeshSequence rest;
    rest.rest = rig.rest;
    weight_step(sums, make_target(rest, rig.rest).rest, {.influences = influences}, weights);
    return weights;
}

Fitted fit(const FrameSource& source, const FitOptions& options, std::size_t frames_at_a_time,
           Monitor& monitor) {
    const std::size_t chunk = std::max<std::size_t>(1, frames_at_a_time);
    Fitted result = fit_sample(source, options, chunk, monitor);
    if (source.count <= chunk) return result;
    FitResult rig = std::move(result.fit);
    for (int round = 0; round < options.rounds; ++round)
        rig.weights = solved_weights(fit_part(source, rig, chunk, monitor).sums, rig, options.influences);
    result.fit = rig;
    result.fit.frames.clear();
    result.fit.corrections.amounts.setZero(rig.corrections.shapes.cols(),
                                           static_cast<Eigen::Index>(source.count));
    for_each_chunk(source, chunk, [&](std::size_t first, const MeshSequence& part) {
        step(monitor, "streaming", static_cast<double>(first) / static_cast<double>(source.count));
        rig.frames = fit_transforms(part, rig, {}, monitor);
        if (rig.corrections.count() > 0)
            result.fit.corrections.amounts.middleCols(static_cast<Eigen::Index>(first),
                                                      static_cast<Eigen::Index>(part.frames.size())) =
                correction_amounts(rig, part, rig.corrections.shapes);
        for (BonePose& pose : rig.frames) result.fit.frames.push_back(std::move(pose));
    });
    SequenceErrorSum sum(source.rest);
    for_each_chunk(source, chunk, [&](std::size_t, const MeshSequence& part) {
        for (const auto& frame : part.frames) sum.add_reference(frame);
    });
    for_each_chunk(source, chunk, [&](std::size_t first, const MeshSequence& part) {
        for (std::size_t f = 0; f < part.frames.size(); ++f)
            sum.add(part.frames[f], deformed(result.fit, first + f));
    });
    result.error = sum.result();
    return result;
}

}  // namespace sinew::fit
