#include "sinew/fit/choice.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/fit/clusters.h"
#include "sinew/fit/corrections.h"
#include "sinew/fit/decomposition.h"
#include "sinew/fit/proxy.h"
#include "sinew/fit/size.h"
#include "sinew/fit/transforms.h"

namespace sinew::fit {

using model::MeshSequence;

namespace {

PlacementOptions placement_of(const MeshSequence& sequence, SeedPlacement spread) {
    PlacementOptions placement;
    if (spread == SeedPlacement::relaxed) placement.relaxations = 10;
    if (spread == SeedPlacement::adaptive) placement.density = bending_density(sequence);
    if (spread == SeedPlacement::surface) placement.metric = JointMetric::surface;
    return placement;
}

FitResult fit_proxy_joints(const MeshSequence& sequence, const FitOptions& choice, int bones,
                           Monitor& monitor) {
    ProxyOptions options;
    options.joints = bones;
    options.rigid = choice.rigid;
    options.hats.influences = static_cast<std::size_t>(choice.influences);
    options.refinements = choice.refinements;
    options.placement = placement_of(sequence, choice.spread);
    options.steadiness = choice.steadiness;
    if (choice.normals) options.normals = NormalScheme::separate;
    return fit_proxy(sequence, options, monitor);
}

/// Joints spread evenly with hats around them, under linear blending.
FitResult even_joints(const MeshSequence& sequence, const FitOptions& choice, int bones, Monitor& monitor) {
    FitResult fit;
    fit.rest = sequence.rest;
    fit.rate = sequence.rate;
    fit.rigid = choice.rigid;
    const ProxyJoints joints = place_joints(fit.rest, bones, placement_of(sequence, choice.spread), monitor);
    fit.weights = hat_weights(fit.rest, joints, {.influences = static_cast<std::size_t>(choice.influences)});
    for (const std::uint32_t v : joints.vertices) fit.centers.push_back(fit.rest.positions[v].cast<double>());
    fit.frames = fit_transforms(sequence, fit, {}, monitor);
    return fit;
}

FitResult decomposed(const MeshSequence& sequence, const FitOptions& choice, int bones, bool even,
                     Monitor& monitor) {
    DecompositionOptions options;
    options.bones = bones;
    options.rigid = choice.rigid;
    options.influences = choice.influences;
    options.sweeps = choice.sweeps;
    options.start = choice.start;
    options.on_iterate = choice.on_iterate;
    FitResult start;
    if (even && choice.start == nullptr) {
        start = even_joints(sequence, choice, bones, monitor);
        options.start = &start;
    }
    return fit_decomposition(sequence, options, monitor);
}

FitResult fit_with(const MeshSequence& sequence, const FitOptions& choice, FitMethod method, int bones,
                   bool even, Monitor& monitor) {
    if (method == FitMethod::proxy) return fit_proxy_joints(sequence, choice, bones, monitor);
    if (method != FitMethod::clusters) return decomposed(sequence, choice, bones, even, monitor);
    ClusterOptions options;
    options.bones = bones;
    options.rigid = choice.rigid;
    options.influences = choice.influences;
    return fit_clusters(sequence, options, monitor);
}

std::string name_of(FitMethod method) {
    if (method == FitMethod::proxy) return "proxy";
    return method == FitMethod::clusters ? "clusters" : "decomposition";
}

/// Fits with a number of bones and remembers the last that met the target.
class Search {
  public:
    Search(const MeshSequence& sequence, const FitOptions& choice, Monitor& monitor)
        : sequence_(sequence), choice_(choice), monitor_(monitor) {
        if (choice.method == FitMethod::automatic && choice.start == nullptr)
            rigidity_ = rigidity_score(sequence, choice.bones);
    }

    bool meets(int bones) {
        Fitted next = fit(bones);
        tried_.push_back(bones);
        const bool good = (choice_.max_error <= 0 || next.error.error_percent <= choice_.max_error) &&
                          (choice_.max_bytes == 0 || size_of(next.fit).total() <= choice_.max_bytes);
        if (good) best_ = next;
        last_ = std::move(next);
        return good;
    }
    Fitted fit(int bones) const {
        Fitted result;
        const FitMethod method =
            choice_.method == FitMethod::automatic ? FitMethod::decomposition : choice_.method;
        result.method = name_of(method);
        result.rigidity = rigidity_;
        const bool even = rigidity_ >= articulated_score;
        if (even) result.method += " from even joints";
        result.fit = fit_with(sequence_, choice_, method, bones, even, monitor_);
        if (choice_.corrections > 0)
            result.fit.corrections = eigen_displacements(result.fit, sequence_, choice_.corrections);
        result.error = fit_error(sequence_, result.fit);
        return result;
    }
    /// The best that met the target, or the last that did not.
    Fitted result() {
        if (best_.fit.frames.empty()) {
            warn(monitor_, "fit-target", "no number of bones meets the target: {} bones leave {:.4g} %",
                 last_.fit.bone_count(), last_.error.error_percent);
            best_ = std::move(last_);
        }
        best_.tried = tried_;
        return std::move(best_);
    }

  private:
    const MeshSequence& sequence_;
    const FitOptions& choice_;
    Monitor& monitor_;
    double rigidity_ = -1;
    Fitted best_, last_;
    std::vector<int> tried_;
};

/// The fewest bones that meet the error: doubled, then bisected to a sixteenth.
void search_by_error(Search& search, int most) {
    int low = 0, high = 1;
    while (!search.meets(high)) {
        low = high;
        if (high == most) return;
        high = std::min(most, 2 * high);
    }
    while (high - low > std::max(1, high / 16)) {
        const int middle = (low + high) / 2;
        (search.meets(middle) ? high : low) = middle;
    }
}

/// The most bones whose bytes fit: bytes grow in proportion to bones, so the number follows from two of them.
int bones_for_bytes(const MeshSequence& sequence, const FitOptions& choice, int most) {
    FitResult model;
    model.rest.positions = sequence.rest.positions;
    model.frames.resize(sequence.frames.size());
    model.weights = BlendWeights(0, static_cast<std::size_t>(choice.influences));
    model.rigid = choice.rigid;
    model.blend = choice.method == FitMethod::proxy && choice.rigid ? Blend::dual : Blend::linear;
    const auto shapes = static_cast<Eigen::Index>(std::min(choice.corrections, sequence.frames.size()));
    model.corrections.shapes.resize(0, shapes);
    int low = 0, high = most;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        model.centers.assign(static_cast<std::size_t>(middle), Vec3d::Zero());
        if (size_of(model).total() <= choice.max_bytes) {
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
    const auto most = static_cast<int>(sequence.rest.positions.size());
    const double one = fit_error(sequence, fit_decomposition(sequence, options)).rms;
    options.bones = std::min({bones, 30, most});
    const double many = fit_error(sequence, fit_decomposition(sequence, options)).rms;
    return one > 0 ? many * many / (one * one) : 0;
}

Fitted fit(const MeshSequence& sequence, const FitOptions& choice, Monitor& monitor) {
    check_sequence(sequence);
    const auto vertices = static_cast<int>(sequence.rest.positions.size());
    Search search(sequence, choice, monitor);
    if (choice.max_bytes > 0) {
        const int bones = bones_for_bytes(sequence, choice, std::min(vertices, 4096));
        if (bones == 0)
            fail("fit", "the rest pose and its weights alone need more than {} bytes", choice.max_bytes);
        search.meets(choice.max_error > 0 ? bones : std::min(bones, vertices));
        return search.result();
    }
    if (choice.max_error > 0) {
        search_by_error(search, std::min(vertices, 512));
        return search.result();
    }
    return search.fit(choice.bones);
}

}  // namespace sinew::fit
