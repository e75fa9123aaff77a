#include "sinew/motion/solve.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/motion/clusters.h"
#include "sinew/motion/solve_bones.h"
#include "sinew/motion/solve_passes.h"

namespace sinew::motion {
namespace {

using math::Vec3d;

/// The map with the subject's markers only, in the subject's order; attachments of markers that are not in
/// the trial go.
MarkerMap ordered(const MarkerMap& map, SubjectModel& subject) {
    MarkerMap result = map;
    result.markers.clear();
    SubjectModel present;
    for (std::size_t i = 0; i < subject.names.size(); ++i) {
        const int k = map.find(subject.names[i]);
        if (k < 0) continue;
        result.markers.push_back(map.markers[static_cast<std::size_t>(k)]);
        present.attachments.push_back(subject.attachments[i]);
        present.names.push_back(subject.names[i]);
    }
    present.skeleton = subject.skeleton;
    subject = std::move(present);
    return result;
}

struct Sums {
    double squares = 0;
    double coordinates = 0;
    double unknowns = 0;
    double iterations = 0;
};

/// A pose to start from: the landmarks of the first frame that shows the pelvis, else the frame's markers
/// about the rest pose.
Pose first_pose(const model::Trial& trial, const MarkerMap& map, const SubjectModel& subject,
                const SolveOptions& options) {
    Pose pose = rest_pose(subject.skeleton);
    const BodyMeasures measures = measure_body(trial, map);
    for (std::size_t f = 0; f < trial.frames; ++f) {
        const auto places = marker_places_at(trial, map, f);
        if (seen_in(places) < 3) continue;
        if (pose_from_landmarks(subject.skeleton, map, places, measures, options.calibrate.hips, pose)) break;
    }
    return pose;
}

void measure_frames(const std::vector<std::vector<Vec3d>>& frames, PoseSolver& solver, SolveResult& result,
                    Sums& sums) {
    std::vector<Vec3d> points;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        const std::vector<Vec3d>& places = frames[f];
        const std::size_t seen = seen_in(places);
        if (seen < 3) {
            result.unsolved.push_back(f);
            continue;
        }
        solver.points(result.poses[f], points);
        for (std::size_t m = 0; m < places.size(); ++m) {
            if (!places[m].allFinite()) continue;
            MarkerResidual& residual = result.residuals[m];
            const double d = (points[m] - places[m]).norm();
            ++residual.samples;
            residual.rms += d * d;
            if (d > residual.max) {
                residual.max = d;
                residual.worst_frame = f;
            }
        }
        sums.coordinates += 3 * static_cast<double>(seen);
        sums.unknowns += static_cast<double>(std::min(solver.unknowns(), 3 * seen));
    }
}

void solve_frames(const model::Trial& trial, const SolveOptions& options, SolveResult& result, Sums& sums,
                  Monitor& monitor) {
    PoseSolver solver(result.skeleton, result.subject.attachments, options.pose);
    std::vector<std::vector<Vec3d>> frames;
    for (std::size_t f = 0; f < trial.frames; ++f) frames.push_back(marker_places_at(trial, result.map, f));
    const BodyMeasures measures = measure_body(trial, result.map);
    const RestartPose restart = [&](const std::vector<Vec3d>& places, Pose& pose) {
        return pose_from_landmarks(result.skeleton, result.map, places, measures, options.calibrate.hips,
                                   pose);
    };
    FramePasses passes{solver, frames, restart, options.warn_rms, monitor};
    const Pose first = first_pose(trial, result.map, result.subject, options);
    result.poses = passes.run(first, result.skeleton);
    sums.iterations = static_cast<double>(passes.iterations);
    measure_frames(frames, solver, result, sums);
}

/// Which joints nothing measured, and which only now and then.
void name_unmeasured(const model::Trial& trial, SolveResult& result) {
    const model::Skeleton& skeleton = result.skeleton;
    std::vector<std::size_t> frames(skeleton.size(), 0);
    std::vector<char> own(skeleton.size(), 0);
    for (std::size_t f = 0; f < trial.frames; ++f) {
        std::vector<char> carried(skeleton.size(), 0);
        for (std::size_t m = 0; m < result.map.markers.size(); ++m) {
            if (!trial.markers.valid(f, result.map.markers[m].point)) continue;
            int j = result.subject.attachments[m].joint;
            own[static_cast<std::size_t>(j)] = 1;
            for (; j >= 0; j = skeleton.joints[static_cast<std::size_t>(j)].parent) {
                carried[static_cast<std::size_t>(j)] = 1;
            }
        }
        for (std::size_t j = 0; j < skeleton.size(); ++j) frames[j] += carried[j] != 0;
    }
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const std::string& name = skeleton.joints[j].name;
        if (frames[j] == 0) {
            result.held.push_back(name);
        } else if (frames[j] < trial.frames) {
            result.partly.push_back(name);
        }
        if (frames[j] > 0 && own[j] == 0) result.bridged.push_back(name);
    }
}

bool is_still(const model::Trial& trial, const MarkerMap& map) {
    for (const MappedMarker& m : map.markers) {
        Eigen::AlignedBox3d box;
        for (std::size_t f = 0; f < trial.frames; ++f) {
            if (trial.markers.valid(f, m.point)) box.extend(model::world_position(trial, f, m.point));
        }
        if (!box.isEmpty() && box.sizes().norm() > 0.05) return false;
    }
    return true;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

void warn_of_labels(const MarkerMap& map, Monitor& monitor) {
    if (!map.unlabelled.empty()) {
        warn(monitor, "solve-unlabelled", "{} points without a label are not used", map.unlabelled.size());
    }
    if (!map.unknown.empty()) {
        warn(monitor, "solve-unknown-labels", "labels that no table knows are not used: {}",
             joined(map.unknown));
    }
    if (!map.repeated.empty()) {
        warn(monitor, "solve-repeated", "second markers and other subjects are not used: {}",
             joined(map.repeated));
    }
    if (!map.unseen.empty()) {
        warn(monitor, "solve-unseen", "markers without a single sample: {}", joined(map.unseen));
    }
}

void warn_of_fit(const SolveResult& result, double limit, Monitor& monitor) {
    for (const Swap& swap : result.swapped) {
        warn(monitor, "solve-swapped", "{} and {} ride with the other side: their labels look exchanged",
             swap.first, swap.second);
    }
    for (const MarkerResidual& r : result.residuals) {
        if (r.rms <= limit) continue;
        warn(monitor, "solve-residual", "{} is {:.0f} mm off on average, {:.0f} mm in frame {}", r.label,
             1000 * r.rms, 1000 * r.max, r.worst_frame);
    }
    if (!result.held.empty()) {
        warn(monitor, "solve-held", "no marker measures {}: held at rest", joined(result.held));
    }
    if (!result.unsolved.empty()) {
        warn(monitor, "solve-unsolved", "{} frames have fewer than three markers and repeat the pose before",
             result.unsolved.size());
    }
    if (result.still) {
        warn(monitor, "solve-still", "no marker moves by more than 5 cm: this is a static trial");
    }
}

}  // namespace

SolveResult solve(const model::Trial& trial, const SubjectModel& subject, const SolveOptions& options,
                  Monitor& monitor) {
    if (trial.frames == 0) fail(trial.name, "has no frames");
    SolveResult result;
    result.subject = subject;
    result.skeleton = subject.skeleton;
    const MarkerMap all = map_markers(trial.markers, options.names);
    result.map = ordered(all, result.subject);
    if (result.map.markers.empty()) {
        fail(trial.name, "none of its {} markers is known on the subject", trial.markers.count());
    }
    for (std::size_t m = 0; m < result.map.markers.size(); ++m) {
        MarkerResidual residual;
        residual.label = trial.markers.info[result.map.markers[m].point].label;
        residual.place = result.subject.names[m];
        residual.joint =
            result.skeleton.joints[static_cast<std::size_t>(result.subject.attachments[m].joint)].name;
        result.residuals.push_back(std::move(residual));
    }
    warn_of_labels(all, monitor);
    Sums sums;
    solve_frames(trial, options, result, sums, monitor);
    double samples = 0;
    for (MarkerResidual& r : result.residuals) {
        sums.squares += r.rms;
        samples += static_cast<double>(r.samples);
        r.rms = r.samples == 0 ? 0 : std::sqrt(r.rms / static_cast<double>(r.samples));
        result.max = std::max(result.max, r.max);
    }
    result.rms = samples == 0 ? 0 : std::sqrt(sums.squares / samples);
    const double free = sums.coordinates - sums.unknowns;
    result.noise = free > 0 ? std::sqrt(sums.squares / free) : 0;
    result.iterations = sums.iterations / static_cast<double>(trial.frames);
    result.clip = clip_of_poses(result.skeleton, result.poses, trial.rate > 0 ? trial.rate : 30);
    result.clip.name = trial.name.empty() ? "solved" : trial.name;
    result.swapped = find_swaps(trial, result.map);
    result.still = is_still(trial, result.map);
    name_unmeasured(trial, result);
    warn_of_fit(result, options.warn_rms, monitor);
    return result;
}

namespace {

/// Calibrates on one trial, solves another, which may be the same.
SolveResult calibrate_and_solve(const model::Trial& trial, const model::Trial& still,
                                const model::Skeleton& generic, const SolveOptions& options,
                                Monitor& monitor) {
    const MarkerMap map = map_markers(still.markers, options.names);
    CalibrateReport calibration;
    const SubjectModel subject = calibrate(still, map, generic, options.calibrate, &calibration, monitor);
    SolveResult result = solve(trial, subject, options, monitor);
    if (!calibration.without_segment.empty()) {
        warn(monitor, "solve-no-segment", "the skeleton has no segment for {}",
             joined(calibration.without_segment));
    }
    result.calibration = std::move(calibration);
    if (options.keep_bones) lend_turns(generic, result);
    return result;
}

/// The trial with the places that clusters tell. \throws Error with what they do not.
model::Trial completed(const model::Trial& trial, const MarkerMap& map, ClusterReport& report,
                       Monitor& monitor) {
    std::optional<model::Trial> result = complete_clusters(trial, map, report);
    if (!result) {
        std::vector<std::string> found;
        for (const MappedMarker& m : map.markers) found.push_back(m.place.name);
        fail(trial.name,
             "has clusters without LASI, RASI and SACR or LPSI and RPSI, and {}; known markers: {}",
             report.missing, joined(found));
    }
    std::vector<std::string> joints;
    for (const ClusterJoint& joint : report.joints)
        joints.push_back(fmt::format("{} {:.0f} mm", joint.name, 1000 * joint.spread));
    warn(monitor, "solve-clusters",
         "no anatomical markers: joints are found from how the clusters move ({}), zero is how they stand in "
         "mid-stance, and {} are computed",
         joined(joints), joined(report.added));
    return std::move(*result);
}

}  // namespace

SolveResult solve(const model::Trial& trial, const model::Skeleton& generic, const SolveOptions& options,
                  const model::Trial* static_trial, Monitor& monitor) {
    if (trial.frames == 0) fail(trial.name, "has no frames");
    if (static_trial != nullptr) {
        return calibrate_and_solve(trial, *static_trial, generic, options, monitor);
    }
    const MarkerMap map = map_markers(trial.markers, options.names);
    if (!has_only_clusters(map)) return calibrate_and_solve(trial, trial, generic, options, monitor);
    ClusterReport clusters;
    const model::Trial whole = completed(trial, map, clusters, monitor);
    SolveResult result = calibrate_and_solve(whole, whole, generic, options, monitor);
    result.clusters = std::move(clusters);
    return result;
}

}  // namespace sinew::motion
